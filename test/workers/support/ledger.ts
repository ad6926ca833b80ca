import { env } from 'cloudflare:workers';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import {
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  runnerId,
  sessionId,
  type AccountId,
  type SessionId,
} from '../../../protocol/ids.ts';
import { openView, reduceSession } from '../../../protocol/session-reduce.ts';
import type { LaunchSpecInput } from '../../../protocol/launch.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { appendLedgers } from '../../../workers/ledger/append.ts';
import { linkRows } from '../../../workers/ledger/chain.ts';
import { decideAllRows, sessionRow } from '../../../workers/ledger/rows.ts';
import { aLaunch } from '../../support/protocol-builders.ts';

export type Recorded = { at: number; event: FeedEvent };
export type RecordOptions = {
  launch?: Partial<LaunchSpecInput>;
  createdAt?: number;
  accountId?: AccountId;
};

export const database = () => openDatabase(env.DB);
export const sessionNamed = (name: string): SessionId => sessionId.parse(`ses_${name}`);

/**
 * Projects a session's record into D1 as its feed does, without the feed: the rows of every
 * event, and the session's own row.
 */
export async function project(
  name: string,
  events: readonly Recorded[],
  { launch = {}, createdAt = 1, accountId = LOCAL_ACCOUNT }: RecordOptions = {},
): Promise<SessionId> {
  const id = sessionNamed(name);
  const source = {
    accountId,
    actorId: LOCAL_ACTOR,
    sessionId: id,
    runnerId: runnerId.parse('run_1'),
  };
  const opened = openView(id, createdAt, {
    type: 'session/created',
    launch: aLaunch(launch),
    actorId: LOCAL_ACTOR,
  });
  const entries = events.map(({ at, event }, index) => ({
    position: index + 2,
    at,
    seq: index + 1,
    event,
  }));
  const view = entries.reduce(reduceSession, opened);
  const rows = await decideAllRows(source, view, entries);
  const links = await linkRows(source, null, rows, { after: 0, nowMs: createdAt });
  const page = { rows, links };
  await appendLedgers(database(), sessionRow(source, view, entries.length + 1), page);
  return id;
}
