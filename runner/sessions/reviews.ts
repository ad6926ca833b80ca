import type { SessionId } from '../../protocol/ids.ts';
import type { CheckoutReview, PatchQuery, ReviewedPatch } from '../../protocol/review.ts';
import { betweenTurns, type BetweenRooms } from './between-turns.ts';
import type { SessionDeps } from './session-deps.ts';

/** Shows what sessions changed, between their turns and after them; without secrets. */
export class Reviews {
  readonly #deps: Pick<SessionDeps, 'ports'>;
  readonly #rooms: BetweenRooms;

  constructor(deps: Pick<SessionDeps, 'ports'>, rooms: BetweenRooms) {
    this.#deps = deps;
    this.#rooms = rooms;
  }

  /** Everything that a session changed. Throws `checkout_not_found` and `checkout_working`. */
  review(sessionId: SessionId): Promise<CheckoutReview> {
    const { ports } = this.#deps;
    return betweenTurns(this.#deps, this.#rooms, sessionId, ({ checkout }) =>
      ports.review(checkout),
    );
  }

  /** How one file of a review changed. Throws `review_stale` when the files are others by now. */
  patch(sessionId: SessionId, query: PatchQuery): Promise<ReviewedPatch> {
    return betweenTurns(this.#deps, this.#rooms, sessionId, async ({ checkout, redactor }) => {
      const found = await this.#deps.ports.readPatch(checkout, query);
      return { ...found, patch: (await redactor()).text(found.patch) };
    });
  }
}
