import { setTimeout as delay } from 'node:timers/promises';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Engine } from '../engines/engine.ts';
import type { OwnCheckout } from '../guard/checkout.ts';
import { createRedactor, type Redactor } from '../guard/redact.ts';
import type { CheckoutRooms } from './checkouts.ts';
import type { HeadlessSession } from './headless-session.ts';
import type { SessionDeps } from './session-deps.ts';
import { isAtWork } from './session-state.ts';

/** Longest that it is waited for the commits of a turn that is over, and how often it is looked, in ms. */
const BROUGHT_BACK_MS = 10_000;
const LOOK_MS = 50;

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
    const isBusy = () => isAtWork(session.row.state) || session.row.state.phase.kind === 'driven';
    // What a turn that is over committed is still on its way, and git has the runner's view.
    for (let left = BROUGHT_BACK_MS; session.row.state.bringingBack !== null; left -= LOOK_MS) {
      if (isBusy() || left <= 0) throw new PilothouseError('checkout_working');
      await delay(LOOK_MS);
    }
    if (isBusy()) throw new PilothouseError('checkout_working');
    const redactor = async () => createRedactor(await ports.readSecrets(engine, checkout));
    return work({ session, engine, checkout, redactor });
  });
}
