import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { messageOf } from '../failure.ts';
import { endLeftovers } from '../process/terminate.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionRow } from './session-store.ts';

/**
 * Gives up a session of an earlier runner whose engine nobody here knows how to speak with: what
 * it left running is ended, and the session is told as lost rather than shown at work for ever.
 * Its conversation stays known, for a launch that goes on with it.
 */
export async function loseSession(
  { store, outbox, sessions, link, now, log }: SessionDeps,
  row: SessionRow,
): Promise<void> {
  const { sessionId, launch, held, queue, openTurnId } = row.state;
  const reason = `This version of the runner does not know the engine ${launch.engineId}, so it could not carry the session on. Look at what was done; then press Retry with a runner that knows it, or go on with another engine: pilothouse launch --from ${sessionId}.`;
  const unsent = queue.map(({ turnId }): EngineEvent => ({
    type: 'turn/delivered',
    turnId,
    delivery: 'undelivered',
    reason,
  }));
  const unknown: EngineEvent[] =
    held && held.turnId !== openTurnId
      ? [{ type: 'turn/delivered', turnId: held.turnId, delivery: 'unknown', reason }]
      : [];
  const cut = openTurnId === null ? [] : [cutTurn(openTurnId)];
  const ended: EngineEvent = { type: 'session/ended', end: 'lost', reason };
  try {
    await endLeftovers(sessionId);
    const state = {
      ...row.state,
      phase: { kind: 'over', how: 'ended' } as const,
      queue: [],
      held: null,
      steered: [],
      pending: [],
      openTurnId: null,
    };
    const lastSeq = store.transaction(() => {
      sessions.save({ ...row, state, process: null, engineState: null }, now());
      return outbox.append(sessionId, now(), [...unknown, ...unsent, ...cut, ended]);
    });
    link.notify(sessionId, lastSeq);
  } catch (error) {
    log('error', 'a session that is lost could not be told as such', {
      session: sessionId,
      reason: messageOf(error),
    });
  }
}

const cutTurn = (turnId: TurnId): EngineEvent => ({
  type: 'turn/ended',
  turnId,
  outcome: 'unknown',
  error: null,
  durationMs: 0,
  usage: 'unsettled',
  acts: 'unsettled',
});
