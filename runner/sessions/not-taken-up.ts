import type { EngineEvent } from '../../protocol/engine-event.ts';
import { EXCERPT_MAX_CHARS } from '../../protocol/prompt.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionState } from './session-state.ts';
import type { SessionRow } from './session-store.ts';

/**
 * Tells, once, that this runner cannot go on with a session of an earlier one: it is blocked, with
 * the reason and what to do, rather than shown at work. Nothing else of its row changes, because
 * its engine may be at work, and the next try takes it up. Returns the row.
 */
export function tellNotTakenUp(
  { store, outbox, sessions, link, now }: SessionDeps,
  row: SessionRow,
  reason: string,
): SessionRow {
  const { sessionId } = row.state;
  if (!isWorthTelling(row.state)) return row;
  const told = { ...row, state: { ...row.state, notTakenUp: true } };
  const lastSeq = store.transaction(() => {
    sessions.save(told, now());
    return outbox.append(sessionId, now(), [blocked(reason)]);
  });
  link.notify(sessionId, lastSeq);
  return told;
}

/** A session at rest has nothing that is missed: its next command is answered with the reason. */
function isWorthTelling({ phase, notTakenUp }: SessionState): boolean {
  return !notTakenUp && phase.kind !== 'over' && phase.kind !== 'resting';
}

function blocked(reason: string): EngineEvent {
  return {
    type: 'engine/blocked',
    why: 'not_taken_up',
    excerpt: reason.slice(0, EXCERPT_MAX_CHARS),
    message:
      'The runner was started again and could not take this session up. What its engine does meanwhile is kept. Put the reason below right on its machine, then send any instruction or restart the runner: the session is taken up first, and tells what it did.',
  };
}
