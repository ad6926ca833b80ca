import type { SessionView } from '../../protocol/session-view.ts';
import { phaseOf } from '../../protocol/session.ts';
import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';
import { EXIT } from '../failure.ts';
import type { Connection } from './connect.ts';
import { findRefusal, reduceRecord, refusedLaunch } from './launch-record.ts';
import { followSession } from './follow.ts';
import { note, QuietFailure } from './output.ts';
import { createPrinter } from './watch.ts';

/** How a turn that was waited for came out. `failed` covers a launch that never got to it. */
export type TurnResult = { outcome: string; reason: string | null };

/** Decides from a session's view whether the turn is over; null while it is not. */
export function decideTurnResult(view: SessionView, turnId: TurnId): TurnResult | null {
  const turn = view.turns.find((candidate) => candidate.turnId === turnId);
  if (turn?.outcome) return { outcome: turn.outcome, reason: turn.error?.message ?? null };
  if (turn?.delivery === 'undelivered') return { outcome: 'failed', reason: turn.deliveryReason };
  const phase = phaseOf(view.state);
  if (phase === 'failed' || phase === 'ended' || view.state === 'halted')
    return { outcome: 'failed', reason: view.reason };
  return null;
}

/**
 * Whether a turn that is over has left its commits in the person's repository, or told why not.
 * Until then a script that goes on with the branch would not find them.
 */
export function isBroughtBack(
  view: SessionView,
  turnId: TurnId,
  entries: readonly FeedEntry[],
): boolean {
  const phase = phaseOf(view.state);
  if (view.checkout?.mode !== 'own' || phase === 'failed' || phase === 'ended') return true;
  const ended = entries.findLastIndex(
    ({ event }) => event.type === 'turn/ended' && event.turnId === turnId,
  );
  // A turn that never reached the engine left nothing.
  if (ended === -1) return true;
  return entries
    .slice(ended)
    .some(
      ({ event }) =>
        (event.type === 'checkout/broughtBack' && event.turnId === turnId) ||
        (event.type === 'notice/raised' && event.code === 'bring_back_failed'),
    );
}

/** What the waiting looks at again, of a transcript that is as long as it likes. */
const KEPT: ReadonlySet<string> = new Set([
  'command/failed',
  'launch/failed',
  'turn/ended',
  'checkout/broughtBack',
  'notice/raised',
] satisfies FeedEvent['type'][]);

/**
 * Shows a session's work until one turn is over and its commits are in the person's repository. Ends with exit code 1 unless the turn came out
 * `ok`, and with 4 when the machine refused the launch. Ctrl-C stops the waiting, not the session.
 */
export async function awaitTurn(
  connection: Connection,
  target: { sessionId: SessionId; turnId: TurnId },
  json: boolean,
): Promise<void> {
  const { sessionId, turnId } = target;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const show = json ? () => undefined : createPrinter(sessionId, false, () => undefined);
  const entries: FeedEntry[] = [];
  let view: SessionView | null = null;
  let result: TurnResult | null = null;
  await followSession({
    url: connection.url,
    token: connection.token,
    sessionId,
    after: 0,
    signal: stop.signal,
    onFrame(frame) {
      show(frame);
      if (frame.type !== 'entries') return;
      entries.push(...frame.entries.filter(({ event }) => KEPT.has(event.type)));
      view = reduceRecord(sessionId, view, frame.entries);
      result = view && decideTurnResult(view, turnId);
      if (view && result && isBroughtBack(view, turnId, entries)) stop.abort();
    },
    onDrop: () => note('The connection dropped; connecting again …\n'),
  });
  const last = view as SessionView | null;
  const refusal = last && findRefusal(last, entries);
  // The command's own answer may come before the event that the transcript tells it by.
  const told = !json && entries.some(({ event }) => event.type === 'launch/failed');
  if (refusal && !told) throw refusedLaunch(sessionId, refusal);
  if (refusal) throw new QuietFailure(EXIT.refused, refusal.code, refusal.message);
  report(target, result, last, json);
}

function report(
  target: { sessionId: SessionId; turnId: TurnId },
  result: TurnResult | null,
  view: SessionView | null,
  json: boolean,
): void {
  const outcome = result?.outcome ?? 'unknown';
  if (json) {
    const turn = view?.turns.find((candidate) => candidate.turnId === target.turnId);
    const value = {
      ...target,
      outcome,
      reason: result?.reason ?? null,
      spend: turn?.spend ?? {},
      acts: turn?.acts ?? 0,
    };
    process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  }
  if (outcome !== 'ok')
    throw new QuietFailure(EXIT.failed, 'turn_failed', `The turn ended ${outcome}.`);
}
