import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { CheckoutReview, PatchQuery, ReviewedPatch } from '../../protocol/review.ts';
import type { OwnCheckout } from '../guard/checkout.ts';
import { createRedactor } from '../guard/redact.ts';
import type { CheckoutRooms } from './checkouts.ts';
import type { SessionDeps } from './session-deps.ts';
import { isAtWork } from './session-state.ts';

/** Shows what sessions changed, between their turns and after them; without secrets. */
export class Reviews {
  readonly #deps: Pick<SessionDeps, 'ports'>;
  readonly #rooms: Pick<CheckoutRooms, 'sessions' | 'inLane'>;

  constructor(deps: Pick<SessionDeps, 'ports'>, rooms: Pick<CheckoutRooms, 'sessions' | 'inLane'>) {
    this.#deps = deps;
    this.#rooms = rooms;
  }

  /** Everything that a session changed. Throws `checkout_not_found` and `checkout_working`. */
  review(sessionId: SessionId): Promise<CheckoutReview> {
    return this.#between(sessionId, ({ checkout }) => this.#deps.ports.review(checkout));
  }

  /** How one file of a review changed. Throws `review_stale` when the files are others by now. */
  patch(sessionId: SessionId, query: PatchQuery): Promise<ReviewedPatch> {
    return this.#between(sessionId, async ({ checkout, secrets }) => {
      const redactor = createRedactor(await secrets());
      const found = await this.#deps.ports.readPatch(checkout, query);
      return { ...found, patch: redactor.text(found.patch) };
    });
  }

  /** Files that an engine is writing are no state of anything: between its turns alone. */
  #between<T>(sessionId: SessionId, look: (place: Place) => Promise<T>): Promise<T> {
    return this.#rooms.inLane(sessionId, () => {
      const session = this.#rooms.sessions.get(sessionId);
      if (!session) throw new PilothouseError('session_not_found', { detail: sessionId });
      const { checkout, state } = session.row;
      const engine = this.#deps.ports.findEngine(state.launch);
      if (checkout?.mode !== 'own' || !engine) throw new PilothouseError('checkout_not_found');
      if (isAtWork(state) || state.phase.kind === 'driven')
        throw new PilothouseError('checkout_working');
      const secrets = () => this.#deps.ports.readSecrets(engine, checkout);
      return look({ checkout, secrets });
    });
  }
}

type Place = { checkout: OwnCheckout; secrets(): ReturnType<SessionDeps['ports']['readSecrets']> };
