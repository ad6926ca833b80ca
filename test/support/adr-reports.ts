import {
  type AdrFinding,
  type AdrRecordResult,
  type AdrReport,
  type AdrRuleResult,
} from '../../protocol/adr-report.ts';

/** Builders of what a check of decision records finds; each test names what it is about. */
export const aFinding = (over: Partial<AdrFinding> = {}): AdrFinding => ({
  place: { path: 'src/cart.ts', line: 3, column: 1 },
  message: 'src/cart.ts imports src/db/pool.ts, which only src/db may. Ask src/db for it instead.',
  excerpt: "import { pool } from './db/pool.ts';",
  waiver: null,
  ...over,
});

export const aRule = (over: Partial<AdrRuleResult> = {}): AdrRuleResult => ({
  id: 'pool-importers',
  kind: 'imports',
  level: 'enforced',
  reason: 'Connections are counted in one place.',
  examined: { count: 1412, unit: 'files' },
  state: 'passed',
  note: null,
  findings: [],
  durationMs: 12.5,
  ...over,
});

/** A rule that its findings violate. */
export const aViolatedRule = (over: Partial<AdrRuleResult> = {}): AdrRuleResult =>
  aRule({ state: 'violated', findings: [aFinding()], ...over });

export const aRecord = (over: Partial<AdrRecordResult> = {}): AdrRecordResult => ({
  id: '0001',
  title: 'One pool of connections',
  status: 'accepted',
  date: '2026-11-02',
  path: 'docs/adr/0001-one-pool-of-connections.md',
  supersedes: [],
  supersededBy: [],
  problems: [],
  rules: [aRule()],
  ...over,
});

/** A report whose exit code follows from what it holds, as the check decides it. */
export function aReport(over: Partial<AdrReport> = {}): AdrReport {
  const records = over.records ?? [aRecord({ rules: [aRule()] })];
  const enforced = records.flatMap((r) => r.rules).filter((rule) => rule.level === 'enforced');
  const own = records.flatMap((record) => record.problems);
  const unchecked = own.length > 0 || enforced.some((rule) => rule.state === 'could_not_check');
  const violated =
    own.some(({ uncertain }) => !uncertain) || enforced.some((rule) => rule.state === 'violated');
  return {
    format: 1,
    tool: { name: 'pilothouse adr', version: '0.1.0' },
    mode: 'full',
    base: null,
    commit: '0123456789abcdef0123456789abcdef01234567',
    startedAt: 1_700_000_000_000,
    durationMs: 840,
    problems: [],
    exitCode: over.problems?.length ? 2 : violated ? 1 : unchecked ? 2 : 0,
    ...over,
    records,
  };
}
