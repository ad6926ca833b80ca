import type { CheckoutFacts, CheckoutPage, CheckoutRemoved } from '../../protocol/checkout.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { titleOf } from '../../protocol/launch.ts';
import { KEPT_MS } from '../../protocol/retention.ts';
import { messageOf } from '../failure.ts';
import { gradeOf, type OwnCheckout } from '../guard/checkout.ts';
import { measureBytes } from '../guard/measure.ts';
import type { Release } from '../guard/release.ts';
import type { HeadlessSession } from './headless-session.ts';
import { nameOfRef } from './push-acts.ts';
import {
  decideReleasable,
  isCheckoutFree,
  keepHouse,
  pageOfCheckouts,
  releaseEach,
} from './retention.ts';
import type { SessionDeps } from './session-deps.ts';

/** A page of the list is given when so much time has passed, however few it holds, in ms. */
const LIST_BUDGET_MS = 6_000;

/** What the supervisor knows of its sessions. */
export type CheckoutRooms = {
  sessions: ReadonlyMap<SessionId, HeadlessSession>;
  /** Why a session of an earlier runner could not be taken up; undefined for one that was. */
  lost(sessionId: SessionId): string | undefined;
  /** Does something while nothing else is done with the session. */
  inLane<T>(sessionId: SessionId, work: () => Promise<T>): Promise<T>;
};

/**
 * The checkouts of this machine's sessions: listed and removed on request, and removed by
 * themselves when they are old. Each is looked at in its session's own lane, so that none goes
 * while it is launched again.
 */
export class Checkouts {
  readonly #deps: SessionDeps;
  readonly #rooms: CheckoutRooms;
  #endRounds: (() => void) | null = null;
  #stopped = false;

  constructor(deps: SessionDeps, rooms: CheckoutRooms) {
    this.#deps = deps;
    this.#rooms = rooms;
  }

  /** Removes old checkouts, outputs and images, soon and then every few hours. */
  keepHouse(): void {
    this.#endRounds = keepHouse(async () => {
      const kept = this.#deps.ports.readKept();
      // Limits that cannot be read let nothing go: they may say that it is kept for longer.
      if (!kept) return;
      const { outputs, images, now } = this.#deps;
      outputs.prune(now(), kept.output);
      images.prune(now(), kept.image);
      await this.releaseOld();
    });
  }

  /** Nothing is removed any more. */
  stop(): void {
    this.#stopped = true;
    this.#endRounds?.();
  }

  /** The checkouts there are, those whose engine started last first, from `cursor` on. */
  async list(cursor: string | null, limit: number): Promise<CheckoutPage> {
    const until = Date.now() + LIST_BUDGET_MS;
    const all = [...this.#rooms.sessions].flatMap(([sessionId, { row }]) =>
      row.checkout?.mode === 'own' ? [{ sessionId, startedAt: row.state.launchedAt }] : [],
    );
    const page = pageOfCheckouts(all, cursor, limit);
    const items: CheckoutFacts[] = [];
    let looked = 0;
    for (const { sessionId } of page.items) {
      if (looked > 0 && Date.now() >= until) break;
      const facts = await this.#rooms.inLane(sessionId, () => this.#look(sessionId));
      if (facts) items.push(facts);
      looked += 1;
    }
    const nextCursor = looked < page.items.length ? page.cursorAfter(looked) : page.nextCursor;
    return { items, nextCursor };
  }

  /**
   * Removes a session's checkout. Throws `checkout_not_found`, `checkout_in_use`, and unless it
   * is to be discarded `checkout_unsaved`, naming what would be lost.
   */
  remove(sessionId: SessionId, discard: boolean): Promise<CheckoutRemoved> {
    return this.#rooms.inLane(sessionId, async () => {
      const session = this.#rooms.sessions.get(sessionId);
      const checkout = session && ownCheckoutOf(session);
      if (!session || !checkout || this.#stopped) throw new PilothouseError('checkout_not_found');
      if (!this.#isFree(sessionId, session)) throw new PilothouseError('checkout_in_use');
      const bytes = await measureBytes(checkout.top);
      const released = await this.#release(session, checkout, discard);
      if (!released.removed)
        throw new PilothouseError('checkout_unsaved', { detail: released.losses.join(' ') });
      this.#deps.log('info', 'a checkout was removed on request', { session: sessionId, discard });
      return { sessionId, bytes };
    });
  }

  /** Removes the checkouts of sessions that were over long ago and would lose nothing. */
  async releaseOld(): Promise<void> {
    const release = (id: SessionId) => this.#rooms.inLane(id, () => this.#releaseOld(id));
    await releaseEach([...this.#rooms.sessions.keys()], release, (session, released) =>
      released.removed
        ? this.#deps.log('info', 'the checkout of a session that is over was removed', { session })
        : this.#deps.log('info', 'a checkout is kept', {
            session,
            reason: released.losses.join(' '),
          }),
    );
  }

  async #releaseOld(sessionId: SessionId): Promise<Release | null> {
    const session = this.#rooms.sessions.get(sessionId);
    if (!session || this.#stopped || this.#rooms.lost(sessionId) !== undefined) return null;
    const keptMs = this.#deps.ports.readKept()?.checkout;
    if (keptMs === undefined || !decideReleasable(session.row.state, keptMs, this.#deps.now()))
      return null;
    const checkout = ownCheckoutOf(session);
    if (!checkout) {
      // Its place is the person's own and stays; what was noted of it goes.
      this.#deps.ports.forgetRefs(sessionId);
      return null;
    }
    try {
      return await this.#release(session, checkout, false);
    } catch (error) {
      return { removed: false, losses: [`It could not be removed: ${messageOf(error)}`] };
    }
  }

  async #release(
    session: HeadlessSession,
    checkout: OwnCheckout,
    discard: boolean,
  ): Promise<Release> {
    const losses = findWaitingPushes(session);
    if (losses.length > 0 && !discard) return { removed: false, losses };
    const released = await this.#deps.ports.release(checkout, discard);
    if (released.removed) session.forgetCheckout(gradeOf(checkout).grade === 'sealed');
    return released;
  }

  async #look(sessionId: SessionId): Promise<CheckoutFacts | null> {
    const session = this.#rooms.sessions.get(sessionId);
    const checkout = session && ownCheckoutOf(session);
    if (!session || !checkout) return null;
    const { launch, launchedAt } = session.row.state;
    // Git is not asked in a checkout that somebody may be writing to.
    const free = this.#isFree(sessionId, session);
    const [bytes, inGit] = await Promise.all([
      measureBytes(checkout.top),
      free ? this.#deps.ports.listLosses(checkout) : [],
    ]);
    const losses = free ? [...findWaitingPushes(session), ...inGit] : inGit;
    return {
      sessionId,
      title: titleOf(launch.objective),
      engineId: launch.engineId,
      repository: checkout.source.top,
      directory: checkout.top,
      branch: checkout.branch,
      bytes,
      startedAt: launchedAt,
      expiresAt: launchedAt + (this.#deps.ports.readKept()?.checkout ?? KEPT_MS.checkout),
      standing: !free ? 'open' : losses.length > 0 ? 'unsaved' : 'safe',
      losses,
    };
  }

  #isFree(sessionId: SessionId, session: HeadlessSession): boolean {
    return this.#rooms.lost(sessionId) === undefined && isCheckoutFree(session.row.state);
  }
}

function ownCheckoutOf({ row }: HeadlessSession): OwnCheckout | null {
  return row.checkout?.mode === 'own' ? row.checkout : null;
}

/** Pushes that would be lost with the checkout, each as a sentence. */
function findWaitingPushes({ row }: HeadlessSession): string[] {
  return (row.state.heldPushes ?? []).map(
    ({ refs }) =>
      `A push of ${refs.map(({ ref }) => nameOfRef(ref)).join(', ')} waits for your answer.`,
  );
}
