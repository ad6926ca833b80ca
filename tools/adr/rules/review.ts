import { found } from '../finding.ts';
import { selectionOf } from '../tree/globs.ts';
import { type RuleContext, type RuleOutcome, skipped } from './context.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'changed files';
const SHOWN_PATHS = 5;
/** Below it `git commit --verbose` shows the change, whose lines nobody has answered. */
const SCISSORS = /^. -{8,} >8 -{8,}$[\s\S]*/m;

/**
 * A question to the reviewer of a change. `ADR-0002: <answer>` in a commit message of the change
 * or in the pull request's text answers every question of the record; `ADR-0002/rule-id: <answer>`
 * answers one.
 */
export function checkReview(rule: RuleOf<'review'>, context: RuleContext): RuleOutcome {
  const { change, record } = context;
  if (!change) {
    return skipped(UNIT, `A question to the reviewer of a change (--base): ${rule.question}`);
  }
  const chosen = selectionOf(rule.paths, rule.except);
  const paths = [...change.paths].filter(chosen).sort();
  if (paths.length === 0) return skipped(UNIT, 'None of its files changed.');
  const answer = findAnswer(change.answers, record.id, rule.id);
  const examined = { count: paths.length, unit: UNIT };
  const rest = { examined, skipped: false, complete: true };
  if (answer !== null) return { ...rest, findings: [], note: `Answered: ${answer}` };
  const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : '';
  const message = `${rule.question} The change touches ${paths.slice(0, SHOWN_PATHS).join(', ')}${more}. Answer with a line \`ADR-${record.id}: <answer>\` in a commit message of the change or in the pull request's text. ${rule.reason}`;
  return { ...rest, findings: [found({ path: paths[0] ?? record.path }, message)], note: null };
}

/**
 * The answer in a text, or null when there is none, it is empty, or it is still the placeholder
 * `<answer>` of a template. What stands in comments of HTML is hidden from readers, and no answer.
 */
export function findAnswer(text: string, recordId: string, ruleId: string): string | null {
  const trailer = /^[ \t]*ADR-(\d{1,5})(?:\/([a-z0-9-]+))?:[ \t]*(\S.*?)[ \t]*$/gim;
  const shown = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replace(SCISSORS, '');
  for (const [, number, rule, answer = ''] of shown.matchAll(trailer)) {
    if (/^<[^>]*>$/.test(answer)) continue;
    if (Number(number) === Number(recordId) && (rule === undefined || rule === ruleId)) {
      return answer;
    }
  }
  return null;
}
