import { type Finding, excerptOf, found, undecided } from '../finding.ts';
import { messageOf } from '../failure.ts';
import { matcherOf, selectionOf } from '../tree/globs.ts';
import { readText } from '../tree/tree.ts';
import { type RuleContext, type RuleOutcome, examinedAll, skipped } from './context.ts';
import { allowsEverything } from './edge-findings.ts';
import { type Declared, parseManifest } from './manifests.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'declared dependencies';

/** Which packages a manifest may declare. */
export function checkDependencies(rule: RuleOf<'dependencies'>, context: RuleContext): RuleOutcome {
  const chosen = selectionOf(rule.manifests, rule.except);
  const { change } = context;
  if (change && ![...change.paths].some((path) => chosen(path) || path === context.record.path)) {
    return skipped(UNIT, 'No manifest changed.');
  }
  const manifests = context.tree.files.filter(chosen);
  const findings: Finding[] = [];
  // With a ban beside it, everything else may well be allowed.
  const isOpen = rule.allow && !rule.ban && matcherOf(rule.allow)('~');
  if (isOpen) findings.push(allowsEverything(rule.allow ?? []));
  let count = 0;
  for (const path of manifests) {
    let text: string;
    let declared: Declared[];
    try {
      text = readText(context.tree, path);
      declared = parseManifest(path, text);
    } catch (error) {
      findings.push(
        undecided(
          { path },
          `${path} cannot be read as a manifest (${messageOf(error)}), so its dependencies are not known.`,
        ),
      );
      continue;
    }
    const counted = rule.sections
      ? declared.filter((one) => rule.sections?.includes(one.section))
      : declared;
    count += counted.length;
    for (const { name, section } of counted) {
      const problem = judge(rule, name);
      if (!problem) continue;
      const lines = text.split('\n');
      const line = lineOf(lines, name);
      const words = `${path} declares ${name}${section ? ` (${section})` : ''}; ${problem}. ${rule.reason}`;
      findings.push(found({ path, line: line + 1 }, words, excerptOf(lines[line] ?? '')));
    }
  }
  // A manifest without dependencies is a manifest that was looked at.
  const size = manifests.length > 0 && count === 0 ? manifests.length : count;
  return examinedAll(size, count === 0 ? 'manifests without dependencies' : UNIT, findings);
}

function judge(rule: RuleOf<'dependencies'>, name: string): string | null {
  if (rule.ban && matcherOf(rule.ban)(name)) return 'it is banned';
  if (rule.allow && !matcherOf(rule.allow)(name)) {
    return `allowed are ${rule.allow.join(', ') || 'none'}`;
  }
  return null;
}

const lineOf = (lines: readonly string[], name: string): number =>
  Math.max(
    0,
    lines.findIndex((line) =>
      line.toLowerCase().replaceAll(/[_.]/g, '-').includes(name.replaceAll(/[_.]/g, '-')),
    ),
  );
