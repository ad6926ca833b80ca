import { selectionOf } from '../tree/globs.ts';
import { type RuleContext, type RuleOutcome, examinedAll, skipped } from './context.ts';
import type { RuleOf } from './schema.ts';

/** What is told to whoever touches these files, and never fails. */
export function checkAdvisory(rule: RuleOf<'advisory'>, context: RuleContext): RuleOutcome {
  const chosen = selectionOf(rule.paths ?? ['**/*'], []);
  const { change, tree } = context;
  const files = change ? [...change.paths].filter(chosen) : tree.files.filter(chosen);
  if (change && files.length === 0) return skipped('files', 'None of its files changed.');
  const outcome = examinedAll(files.length, 'files', []);
  return { ...outcome, note: rule.reason };
}
