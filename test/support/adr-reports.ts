import type {
  AdrFinding,
  AdrRecordResult,
  AdrReport,
  AdrRuleResult,
} from '../../protocol/adr-report.ts';

/** Builders of what a check of decision records finds; each test names what it is about. */
export function aFinding(over: Partial<AdrFinding> = {}): AdrFinding {
  return {
    place: { path: 'src/loud.ts', line: 7, column: 3 },
    message: 'Imports the horn, which only the bridge may. Ask the bridge instead.',
    excerpt: "import { horn } from './horn.ts';",
    waiver: null,
    ...over,
  };
}

export function aRule(over: Partial<AdrRuleResult> = {}): AdrRuleResult {
  return {
    id: 'one-horn',
    kind: 'imports',
    level: 'enforced',
    reason: 'Two horns at once deafen the harbour.',
    examined: { count: 120, unit: 'files' },
    state: 'passed',
    note: null,
    findings: [],
    durationMs: 12,
    ...over,
  };
}

export function aRecord(over: Partial<AdrRecordResult> = {}): AdrRecordResult {
  return {
    id: '0001',
    title: 'Only the bridge sounds the horn',
    status: 'accepted',
    date: '2026-11-01',
    path: 'docs/adr/0001-only-the-bridge-sounds-the-horn.md',
    supersedes: [],
    supersededBy: [],
    problems: [],
    rules: [aRule()],
    ...over,
  };
}

export function aReport(over: Partial<AdrReport> = {}): AdrReport {
  return {
    format: 1,
    tool: { name: 'pilothouse adr', version: '0.1.0' },
    mode: 'full',
    base: null,
    commit: '0123456789abcdef0123456789abcdef01234567',
    startedAt: 1_700_000_000_000,
    durationMs: 1_200,
    records: [aRecord()],
    problems: [],
    exitCode: 0,
    ...over,
  };
}
