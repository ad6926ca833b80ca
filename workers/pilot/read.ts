import { z } from 'zod';
import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import { modeOf } from '../../protocol/launch.ts';
import { pilotBounds } from '../../protocol/pilot.ts';
import type { PilotDecisionRow, PilotView } from '../../protocol/pilot-view.ts';
import { type UsageEntry, usageEntry } from '../../protocol/usage.ts';
import type { Database } from '../db/client.ts';
import { pilotDecisions, pilotSteps } from '../db/schema.ts';
import { numberOf, type Page, pageFrom, parseCursor } from '../lib/page.ts';
import { whyAnew } from './core/anew.ts';
import { type PilotFeed, readSessionOf } from './session.ts';
import { type PilotRun, readRun } from './store.ts';

/** The run of a session of this account. Throws `session_not_found` and `pilot_not_found`. */
export async function requireRun(
  database: Database,
  accountId: AccountId,
  sessionId: SessionId,
): Promise<PilotRun> {
  const run = await readRun(database, sessionId);
  if (!run || run.accountId !== accountId) throw new PilothouseError('pilot_not_found');
  return run;
}

/** A session's Pilot as its record says. Throws `session_not_found` and `pilot_not_found`. */
export async function readPilot(
  database: Database,
  feed: PilotFeed,
  accountId: AccountId,
  sessionId: SessionId,
): Promise<PilotView> {
  const { launch, createdAt, turns } = (await readSessionOf(feed)).view;
  if (!launch.pilot) throw new PilothouseError('pilot_not_found', { sessionId });
  const run = await readRun(database, sessionId);
  const state = run?.accountId === accountId ? run.state : null;
  const spec = state?.spec ?? launch.pilot;
  const effect = state?.effect ?? null;
  return {
    sessionId,
    mode: modeOf(launch),
    brain: spec.brain.kind,
    brainModel: spec.brain.kind === 'checklist' ? null : spec.brain.model,
    status: run?.status ?? 'deciding',
    reason: run?.reason ?? 'The run begins.',
    hold: state?.hold ?? null,
    objective: state?.objective ?? launch.objective,
    steps: spec.brain.steps,
    bounds: pilotBounds.parse(spec.bounds),
    step: state?.step ?? 0,
    turns: state?.turns ?? turns.length,
    openTurnId: state?.open ?? null,
    proposal: state?.proposal ?? null,
    proposesAnew: state?.hold === 'proposal' ? whyAnew(state) : null,
    beginsAnew: spec.beginsAnew ?? false,
    until: state?.status === 'waiting_until' && effect?.do === 'await' ? effect.until : null,
    pausing: state?.pauseNext ?? false,
    policy: run?.policy ?? null,
    startedAt: run?.createdAt ?? createdAt,
    updatedAt: run?.updatedAt ?? createdAt,
    finishedAt: run?.finishedAt ?? null,
  };
}

/** What asking a model took, as the step says that the decision was. */
const USAGE = sql<
  UsageEntry[]
>`coalesce(json_extract(${pilotSteps.event}, '$.usage'), '[]')`.mapWith(
  // Steps from before an answer could take more than one model hold the entry itself.
  (text: string): UsageEntry[] => z.array(usageEntry).parse([JSON.parse(text)].flat()),
);

const ANEW = sql<boolean>`${pilotSteps.effect} ->> '$.do' IS 'anew'`.mapWith(Boolean);

/** A page of a run's decisions, newest first. */
export async function listDecisions(
  database: Database,
  accountId: AccountId,
  sessionId: SessionId,
  query: { cursor?: string | undefined; limit: number },
): Promise<Page<PilotDecisionRow>> {
  const [step] = parseCursor(query.cursor, 1);
  const rows = await database
    .select({ ...getTableColumns(pilotDecisions), usage: USAGE, anew: ANEW })
    .from(pilotDecisions)
    .innerJoin(
      pilotSteps,
      and(
        eq(pilotSteps.sessionId, pilotDecisions.sessionId),
        eq(pilotSteps.step, pilotDecisions.step),
      ),
    )
    .where(
      and(
        eq(pilotDecisions.sessionId, sessionId),
        eq(pilotDecisions.accountId, accountId),
        step === undefined ? undefined : lt(pilotDecisions.step, numberOf(step)),
      ),
    )
    .orderBy(desc(pilotDecisions.step))
    .limit(query.limit + 1);
  return pageFrom(rows, query.limit, (row) => [row.step]);
}
