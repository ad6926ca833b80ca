import type { AccountId, SessionId } from '../../protocol/ids.ts';
import { RunCollector } from '../../protocol/run-collect.ts';
import { compareRuns, type RunComparison } from '../../protocol/run-compare.ts';
import { composeReport, type RunParts, statusOf } from '../../protocol/run-compose.ts';
import type { RunReport, RunStatus } from '../../protocol/run-report.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { unwrap } from '../lib/outcome.ts';
import { feedOf } from '../lib/stubs.ts';
import { listDecisions, readPilot } from '../pilot/read.ts';
import { readRunner } from '../runners/read.ts';
import { pagesOf } from '../sessions/entries.ts';

/** From where runs are read, and when. */
export type RunReader = { env: Env; database: Database; accountId: AccountId; nowMs: number };

/** The report of a run as it stands now, from its record. Throws `session_not_found`. */
export async function readReport(reader: RunReader, sessionId: SessionId): Promise<RunReport> {
  return composeReport(await readParts(reader, sessionId));
}

/** How a run stands, for one who delegated it. Throws `session_not_found`. */
export async function readStatus(reader: RunReader, sessionId: SessionId): Promise<RunStatus> {
  const parts = await readParts(reader, sessionId);
  return statusOf(composeReport(parts), parts.view);
}

/** Runs beside each other, in the order in which they were named. Throws `session_not_found`. */
export async function readComparison(
  reader: RunReader,
  sessionIds: readonly SessionId[],
): Promise<RunComparison> {
  return compareRuns(await Promise.all(sessionIds.map((each) => readReport(reader, each))));
}

async function readParts(reader: RunReader, sessionId: SessionId): Promise<RunParts> {
  const { env, database, accountId, nowMs } = reader;
  const feed = feedOf(env, accountId, sessionId);
  const collector = new RunCollector();
  for await (const entries of pagesOf(feed)) collector.add(entries);
  const { runnerId, view } = unwrap(await feed.readView());
  const [{ name }, beside] = await Promise.all([
    readRunner(env, database, accountId, runnerId),
    readPilotParts(reader, view),
  ]);
  return { view, collected: collector.collected, ...beside, machine: name, nowMs };
}

async function readPilotParts(
  { env, database, accountId }: RunReader,
  { sessionId, launch }: SessionView,
): Promise<Pick<RunParts, 'pilot' | 'evidence'>> {
  if (!launch.pilot) return { pilot: null, evidence: [] };
  const feed = feedOf(env, accountId, sessionId);
  const [pilot, { items }] = await Promise.all([
    readPilot(database, feed, accountId, sessionId),
    listDecisions(database, accountId, sessionId, { limit: 1 }),
  ]);
  return { pilot, evidence: items[0]?.evidence ?? [] };
}
