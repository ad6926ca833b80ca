import type { Invocation, Log, Result, Run } from 'sarif';
import { type AdrReport } from '../../../protocol/adr-report.ts';
import { sarifFingerprints } from './sarif-fingerprints.ts';
import { sarifLocations } from './sarif-location.ts';
import { ruleIdOf, sarifRules } from './sarif-rules.ts';
import { summaryText } from './summary.ts';
import { listTold, type Severity, type Told, waiverText } from './told.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

const LEVELS = {
  error: 'error',
  unchecked: 'error',
  advice: 'warning',
  waived: 'note',
} as const satisfies Record<Severity, string>;

type Numbered = { told: Told; fingerprint: string; ruleIndex: number };

/** A run in which one result states its suppressions states them in all (SARIF 2.1.0, 3.27.23). */
function suppressionsOf({ finding }: Told): NonNullable<Result['suppressions']> {
  if (!finding.waiver) return [];
  const justification = waiverText(finding.waiver);
  return [{ kind: 'external', status: 'accepted', justification }];
}

const resultOf = ({ told, fingerprint, ruleIndex }: Numbered): Result => ({
  ruleId: ruleIdOf(told),
  ruleIndex,
  level: LEVELS[told.severity],
  message: { text: told.finding.message },
  locations: sarifLocations(told),
  partialFingerprints: { 'adrFinding/v1': fingerprint },
  suppressions: suppressionsOf(told),
});

/**
 * What nobody could look at is told of the tool itself. Where a record asked for it, it is a
 * result as well, so that it is seen at its place.
 */
function invocationOf(report: AdrReport, unchecked: readonly Numbered[]): Invocation {
  const startedAt = new Date(report.startedAt);
  return {
    executionSuccessful: report.exitCode !== 2,
    exitCode: report.exitCode,
    exitCodeDescription: summaryText(report),
    startTimeUtc: startedAt.toISOString(),
    endTimeUtc: new Date(report.startedAt + Math.round(report.durationMs)).toISOString(),
    toolExecutionNotifications: unchecked.map(({ told, ruleIndex }) => ({
      level: 'error',
      message: { text: told.finding.message },
      locations: sarifLocations(told),
      associatedRule: { id: ruleIdOf(told), index: ruleIndex },
    })),
  };
}

/**
 * A report as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"). Paths are
 * relative to `%SRCROOT%`, the checked root, whose own place on a machine is not told.
 */
export function formatSarif(report: AdrReport): string {
  const told = listTold(report);
  const rules = sarifRules(report);
  const indexes = new Map(rules.map((rule, index) => [rule.id, index]));
  const fingerprints = sarifFingerprints(told);
  const numbered = told.map((each, index) => ({
    told: each,
    fingerprint: fingerprints[index] ?? '',
    ruleIndex: indexes.get(ruleIdOf(each)) ?? -1,
  }));
  const run: Run = {
    tool: { driver: { name: report.tool.name, version: report.tool.version, rules } },
    automationDetails: { id: 'pilothouse-adr/' },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: {
      '%SRCROOT%': { description: { text: 'The root of the checked tree.' } },
    },
    invocations: [
      invocationOf(
        report,
        numbered.filter((each) => each.told.severity === 'unchecked'),
      ),
    ],
    results: numbered.filter((each) => each.told.record !== null).map(resultOf),
    properties: { mode: report.mode, base: report.base, commit: report.commit },
  };
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [run] };
  return JSON.stringify(log, null, 2);
}
