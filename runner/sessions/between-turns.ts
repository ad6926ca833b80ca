import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Engine } from '../engines/engine.ts';
import type { OwnCheckout } from '../guard/checkout.ts';
import { createRedactor, type Redactor } from '../guard/redact.ts';
import type { CheckoutRooms } from './checkouts.ts';
import type { HeadlessSession } from './headless-session.ts';
import type { SessionDeps } from './session-deps.ts';
import { isAtWork } from './session-state.ts';

/** What is done with a session's checkout while nobody writes to it. */
export type Place = {
  session: HeadlessSession;
  engine: Engine;
  checkout: OwnCheckout;
  /** Takes the session's secrets out of what is told. */
  redactor(): Promise<Redactor>;
};

export type BetweenRooms = Pick<CheckoutRooms, 'sessions' | 'inLane'>;

/**
 * Does something in a session's checkout while no turn is open there and nothing else is done with
 * the session: files that an engine is writing are no state of anything. Throws
 * `session_not_found`, `checkout_not_found` and `checkout_working`.
 */
export function betweenTurns<T>(
  { ports }: Pick<SessionDeps, 'ports'>,
  rooms: BetweenRooms,
  sessionId: SessionId,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  return rooms.inLane(sessionId, async () => {
    const session = rooms.sessions.get(sessionId);
    if (!session) throw new PilothouseError('session_not_found', { detail: sessionId });
    const { checkout, state } = session.row;
    const engine = ports.findEngine(state.launch);
    if (checkout?.mode !== 'own' || !engine) throw new PilothouseError('checkout_not_found');
    // What a turn that is over committed may still be on its way, and git has the runner's view.
    if (isAtWork(state) || state.bringingBack !== null || state.phase.kind === 'driven')
      throw new PilothouseError('checkout_working');
    const redactor = async () => createRedactor(await ports.readSecrets(engine, checkout));
    return work({ session, engine, checkout, redactor });
  });
}
