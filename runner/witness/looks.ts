import { lookAtRemote, lookAtRepository, type Places } from './places.ts';
import type { PlaceSnapshot, Snapshot } from './snapshot.ts';

/** A remote that could not be reached is not asked again for this long, in ms. */
const REST_MS = 60_000;

/** Looks at where the refs of one repository and of its remotes are, again and again. */
export class Looks {
  readonly #env: NodeJS.ProcessEnv;
  readonly #now: () => number;
  /** Which remotes could not be reached, since when (Unix ms). */
  readonly #failed = new Map<string, { at: number; skipped: string }>();

  constructor(env: NodeJS.ProcessEnv, now: () => number) {
    this.#env = env;
    this.#now = now;
  }

  /** Where all refs are; `timeoutMs` is how long each remote has to answer. */
  async look(
    places: Places,
    { brought, timeoutMs }: { brought: () => Promise<string[]>; timeoutMs?: number | undefined },
  ): Promise<Snapshot> {
    const takenAt = this.#now();
    const [repository, known, ...remotes] = await Promise.all([
      lookAtRepository(places),
      brought(),
      ...places.remotes.map((remote) => this.#lookAtRemote(remote, places, timeoutMs)),
    ]);
    return { takenAt, places: [repository, ...remotes], brought: known };
  }

  async #lookAtRemote(
    remote: Places['remotes'][number],
    places: Places,
    timeoutMs?: number,
  ): Promise<PlaceSnapshot> {
    const { name } = remote;
    const rested = this.#failed.get(name);
    if (rested && this.#now() - rested.at < REST_MS) {
      const skipped = `${rested.skipped} It is asked again a minute later.`;
      return { name, remote: true, refs: null, skipped, head: null };
    }
    const place = await lookAtRemote(remote, places, this.#env, timeoutMs);
    if (place.skipped === null) this.#failed.delete(name);
    else this.#failed.set(name, { at: this.#now(), skipped: place.skipped });
    return place;
  }
}
