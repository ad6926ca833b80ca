import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import {
  LAND_MARGIN_MS,
  LAND_TIMEOUT_MS,
  landRequest,
  type Landed,
  type LandRequest,
} from '../../protocol/land.ts';
import type { CheckoutReview } from '../../protocol/review.ts';
import { quoteText } from '../../protocol/shell-word.ts';
import { isGated } from '../guard/checkout.ts';
import type { Log } from '../log.ts';
import { betweenTurns, type BetweenRooms, type Place } from './between-turns.ts';
import type { SessionDeps } from './session-deps.ts';

/** How long the commit and the push may take together, in ms; what follows them takes the margin. */
const STEPS_MS = LAND_TIMEOUT_MS - LAND_MARGIN_MS;
/** What is told of a step that failed, in characters of its end. */
const SAID_CHARS = 1_000;

/**
 * Takes what a person reviewed further: into a commit, to the remote, to a pull request. Each step
 * is what the session itself could do, with the session's power and by its merge policy: a push
 * goes through the same gate and is the same act on record.
 */
export class Landings {
  readonly #deps: Pick<SessionDeps, 'ports' | 'log'>;
  readonly #rooms: BetweenRooms;

  constructor(deps: { ports: SessionDeps['ports']; log: Log }, rooms: BetweenRooms) {
    this.#deps = deps;
    this.#rooms = rooms;
  }

  /**
   * Lands exactly the files of `tree`. Throws `review_stale` when they are others by now,
   * `nothing_to_land`, and `land_refused` with how far it went; asking again goes on from there.
   */
  land(sessionId: SessionId, raw: LandRequest): Promise<Landed> {
    const request = landRequest.parse(raw);
    return betweenTurns(this.#deps, this.#rooms, sessionId, async (found) => {
      const place = { ...found, until: Date.now() + STEPS_MS };
      const { checkout } = place;
      if (request.how !== 'commit' && !isGated(checkout)) throw sayOpen(checkout.branch);
      const before = await this.#deps.ports.review(checkout);
      if (before.tree !== request.tree) throw new PilothouseError('review_stale');
      if (before.files.length === 0) throw new PilothouseError('nothing_to_land');
      const committed = before.uncommittedFiles > 0;
      const { head } = committed ? await this.#commit(place, request, before) : before;
      const result = { sessionId, branch: checkout.branch, commit: head, committed };
      if (request.how === 'commit') return { ...result, pushed: false, pullRequest: null };
      await this.#step(place, pushLine(checkout.branch));
      const pullRequest =
        request.how === 'pull_request' ? await this.#propose(place, request, head) : null;
      this.#deps.log('info', 'a person landed a session’s work', { session: sessionId, ...result });
      return { ...result, pushed: true, pullRequest };
    });
  }

  /** Commits everything, and makes sure that it is what was reviewed, on the session's branch. */
  async #commit(
    place: TimedPlace,
    { tree, message }: { tree: string; message: string },
    before: CheckoutReview,
  ): Promise<CheckoutReview> {
    const { ports } = this.#deps;
    const { checkout, session } = place;
    await this.#step(place, commitLine(message));
    const after = await ports.review(checkout);
    session.returned(await ports.bringBack(checkout, null));
    if (after.tree === tree && after.head !== before.head && after.uncommittedFiles === 0)
      return after;
    throw new PilothouseError('land_refused', {
      detail: `the commit is not what was reviewed, or not on ${checkout.branch}; look again at what changed`,
    });
  }

  async #propose(
    { checkout }: Place,
    { message, base }: { message: string; base: string | null },
    commit: string,
  ): Promise<string> {
    const [title = '', ...rest] = message.split('\n');
    const body = rest.join('\n').trim();
    const { branch: head } = checkout;
    const ask = { title, body, base, head, local: null, commit, draft: false };
    const { outcome, url, reason } = await this.#deps.ports.propose(checkout, ask);
    // One that is open from the branch already has these commits now.
    if (url !== null) return url;
    throw new PilothouseError('land_refused', {
      detail: `it was pushed, and no pull request ${outcome === 'unknown' ? 'is known to be open' : 'was opened'}: ${reason ?? 'the forge did not say why'}`,
    });
  }

  async #step({ checkout, engine, redactor, until }: TimedPlace, command: string): Promise<void> {
    const timeoutMs = Math.max(0, until - Date.now());
    const signal = AbortSignal.timeout(timeoutMs);
    const line = { engine, checkout, command, timeoutMs, signal };
    const { exitCode, output } = await this.#deps.ports.run(line);
    if (exitCode === 0) return;
    const detail = (await redactor()).text(output).trim().slice(-SAID_CHARS);
    throw new PilothouseError('land_refused', { detail });
  }
}

/** `until`: when its last step is ended, Unix ms. */
type TimedPlace = Place & { until: number };

/** Hooks and signatures are the session's to set, and are not the person's. */
const commitLine = (message: string): string =>
  `git add --all && git -c core.hooksPath=/dev/null -c commit.gpgSign=false commit --quiet --cleanup=whitespace --message ${quoteText(message)}`;

const pushLine = (branch: string): string =>
  `git -c core.hooksPath=/dev/null push --quiet origin ${quoteText(`refs/heads/${branch}:refs/heads/${branch}`)}`;

const sayOpen = (branch: string): PilothouseError =>
  new PilothouseError('land_refused', {
    detail: `the session is open, so that it has no gate to push through; its commits are on ${branch} in your repository: push that`,
  });
