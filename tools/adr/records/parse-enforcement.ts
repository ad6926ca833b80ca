import { type Finding, undecided } from '../finding.ts';
import { describeIssues, suggest } from '../rules/describe-issues.ts';
import {
  type EnforcementRule,
  RULE_KINDS,
  WAIVER_KEYS,
  enforcementRule,
  keysAt,
  waiverRow,
} from '../rules/schema.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Waiver } from './record.ts';

export type Enforcement = { rules: EnforcementRule[]; waivers: Waiver[]; problems: Finding[] };

const KNOWN_KEYS = ['enforcement', 'waivers', 'supersedes', 'superseded-by'];

/**
 * Reads the `enforcement` and `waivers` of front matter. A rule that is not understood is a
 * problem of its own and no reason to leave the others out.
 */
export function parseEnforcement(front: FrontMatter, path: string): Enforcement {
  const result: Enforcement = { rules: [], waivers: [], problems: [] };
  const complain = (at: readonly PropertyKey[], words: string) =>
    result.problems.push(undecided({ path, line: front.lineOf(at) }, words));
  for (const key of Object.keys(front.value)) {
    const meant = KNOWN_KEYS.includes(key) ? null : suggest(key, KNOWN_KEYS);
    if (meant) complain([key], `Unknown key \`${key}\`; did you mean \`${meant}\`?`);
  }
  listOf(front, 'enforcement', complain).forEach((value, index) => {
    const parsed = enforcementRule.safeParse(value);
    if (parsed.success) result.rules.push(parsed.data);
    else {
      const first = parsed.error.issues[0]?.path ?? [];
      complain(
        ['enforcement', index, ...first],
        `The rule ${nameOf(value, index)} cannot be read, so nothing checks it: ${describeIssues(parsed.error, value, keysAt)}${kindHint(value)}.`,
      );
    }
  });
  listOf(front, 'waivers', complain).forEach((value, index) => {
    const at = ['waivers', index];
    const parsed = waiverRow.safeParse(value);
    if (parsed.success) result.waivers.push({ ...parsed.data, line: front.lineOf(at) });
    else {
      const words = describeIssues(parsed.error, value, () => WAIVER_KEYS);
      complain(at, `Waiver ${index + 1} cannot be read, so it waives nothing: ${words}.`);
    }
  });
  const ids = new Set<string>();
  for (const rule of result.rules) {
    if (ids.has(rule.id)) {
      complain(['enforcement'], `Two rules are called \`${rule.id}\`. Give each its own id.`);
    }
    ids.add(rule.id);
  }
  for (const waiver of result.waivers.filter((one) => !ids.has(one.rule))) {
    const meant = suggest(waiver.rule, [...ids]);
    result.problems.push(
      undecided(
        { path, line: waiver.line },
        `A waiver names the rule \`${waiver.rule}\`, which this record does not have${meant ? `; did you mean \`${meant}\`?` : '.'}`,
      ),
    );
  }
  return result;
}

function listOf(
  front: FrontMatter,
  key: string,
  complain: (at: readonly PropertyKey[], words: string) => unknown,
): unknown[] {
  const value = front.value[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  complain([key], `\`${key}\` is a list: give each of its entries a line that begins with a dash.`);
  return [];
}

function nameOf(value: unknown, index: number): string {
  const id = typeof value === 'object' && value && 'id' in value ? value.id : null;
  return typeof id === 'string' ? `\`${id}\`` : String(index + 1);
}

function kindHint(value: unknown): string {
  const kind = typeof value === 'object' && value && 'kind' in value ? value.kind : undefined;
  if (typeof kind === 'string' && RULE_KINDS.includes(kind)) return '';
  const meant = typeof kind === 'string' ? suggest(kind, RULE_KINDS) : null;
  return meant
    ? `; did you mean \`kind: ${meant}\`?`
    : `; a kind is one of ${RULE_KINDS.join(', ')}`;
}
