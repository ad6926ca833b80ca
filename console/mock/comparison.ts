import { compareQuery, compareRuns, type RunComparison } from '../../protocol/run-compare.ts';
import { RunCollector } from '../../protocol/run-collect.ts';
import { composeReport } from '../../protocol/run-compose.ts';
import type { MockRecord } from './record.ts';

/** Runs beside each other as the real API composes them; null where one of them is not there. */
export function answerComparison(
  records: ReadonlyMap<string, MockRecord>,
  address: URL,
  nowMs: number,
): RunComparison | null {
  const asked = compareQuery.safeParse({ sessions: address.searchParams.get('sessions') });
  const found = (asked.data?.sessions ?? []).flatMap((id) => records.get(id) ?? []);
  if (found.length === 0 || found.length !== asked.data?.sessions.length) return null;
  return compareRuns(
    found.map(({ view, entries }) => {
      const collector = new RunCollector();
      collector.add(entries);
      const { collected } = collector;
      const machine = 'lighthouse';
      return composeReport({ view, collected, pilot: null, evidence: [], machine, nowMs });
    }),
  );
}
