import { type Finding, excerptOf, found, undecided } from '../finding.ts';
import { messageOf } from '../failure.ts';
import { selectionOf } from '../tree/globs.ts';
import { readText } from '../tree/tree.ts';
import {
  type RuleContext,
  type RuleOutcome,
  decideReach,
  isOwnConfig,
  skipped,
} from './context.ts';
import type { RuleOf } from './schema.ts';

const UNIT = 'files';

/** Code or text that must not be there. */
export async function checkForbid(
  rule: RuleOf<'forbid'>,
  context: RuleContext,
): Promise<RuleOutcome> {
  const { tree, change } = context;
  const chosen = selectionOf(rule.paths, rule.except);
  const recordChanged =
    change !== null &&
    [...change.paths].some((path) => path === context.record.path || isOwnConfig(path));
  const reach = recordChanged
    ? 'all'
    : decideReach(
        change && { ...change, paths: new Set([...change.paths].filter(chosen)) },
        '',
        chosen,
        () => false,
      );
  if (reach === 'none') return skipped(UNIT, 'None of its files changed.');
  const files = tree.files.filter(
    (path) => chosen(path) && (reach === 'all' || change?.paths.has(path)),
  );
  const findings =
    rule.text === undefined
      ? await findCode(rule, files, context)
      : files.flatMap((path) => findText(rule, path, rule.text ?? '', context));
  return {
    examined: { count: files.length, unit: UNIT },
    findings,
    note: null,
    skipped: false,
    complete: reach === 'all',
  };
}

async function findCode(
  rule: RuleOf<'forbid'>,
  files: readonly string[],
  context: RuleContext,
): Promise<Finding[]> {
  const query = { patterns: rule.patterns, match: rule.match, contains: rule.contains };
  return (await context.graph.matches(files, query)).flatMap((file) => [
    ...file.faults
      .slice(0, 1)
      .map((fault) =>
        undecided(
          { path: file.path, line: fault.line },
          `${file.path} cannot be looked through (${fault.message}), so the rule does not know what is in it. Correct the file, or leave it out with \`except\`.`,
        ),
      ),
    ...file.matches.map((match) =>
      found(
        { path: file.path, line: match.line, column: match.column },
        `This must not be here. ${rule.reason}`,
        match.excerpt,
      ),
    ),
  ]);
}

function findText(
  rule: RuleOf<'forbid'>,
  path: string,
  source: string,
  context: RuleContext,
): Finding[] {
  let pattern: RegExp;
  let text: string;
  try {
    pattern = new RegExp(source, 'u');
    text = readText(context.tree, path);
  } catch (error) {
    return [
      undecided(
        { path },
        `${path} cannot be looked through (${messageOf(error)}), so the rule does not know what is in it.`,
      ),
    ];
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    const match = pattern.exec(line);
    if (!match) return [];
    const at = { path, line: index + 1, column: match.index + 1 };
    return [found(at, `This must not be here. ${rule.reason}`, excerptOf(line))];
  });
}
