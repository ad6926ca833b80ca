import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../protocol/ids.ts';
import { messageOf, systemCodeOf } from '../failure.ts';
import type { Checkout } from '../guard/checkout.ts';
import { listTips, refreshView } from '../guard/view.ts';
import type { Log } from '../log.ts';
import type { PolicyRules } from './breaches.ts';
import { compareRefs, headOfRepository } from './compare.ts';
import type { Window } from './evidence.ts';
import type { WitnessReport } from './join.ts';
import { Looks } from './looks.ts';
import { readPlaces, type Places } from './places.ts';
import { keepLastRefs, type Snapshot } from './snapshot.ts';

/** How long a launch waits for remotes to say where their refs are; later ones are not compared. */
const FIRST_LOOK_MS = 5_000;

export type WitnessOptions = {
  /** The runner's own directory for what it remembers; no session sees it. */
  root: string;
  env: NodeJS.ProcessEnv;
  log: Log;
  /** A session's policy, as far as the limits of its repository let it go. */
  rules(sessionId: SessionId, top: string): PolicyRules;
  now(): number;
};

/** A comparison. `keep` is to be called once the report is stored: the next look begins from there. */
export type RefsSeen = { report: WitnessReport; keep(): void };

/** Where the places of a session are, and how they are looked at. */
type Watch = { places: Places; looks: Looks };

/**
 * Compares where the refs of a session's repository and of its remotes are before and after its
 * turns, so that an act is on record by what happened, however it was done. Looks from outside:
 * nothing that a session can write is run, or read as configuration.
 */
export class Witness {
  readonly #options: WitnessOptions;
  readonly #watches = new Map<SessionId, Promise<Watch | null>>();

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  /**
   * Notes where the refs are before a launch does anything.
   * Never throws: what could not be looked at is told with each comparison.
   */
  async begin(checkout: Checkout): Promise<void> {
    try {
      const watch = await this.#watch(checkout);
      if (!watch) return;
      this.#write(checkout.sessionId, await this.#look(checkout, watch, FIRST_LOOK_MS));
    } catch (error) {
      this.#options.log('error', 'the refs of a session’s repository cannot be noted', {
        session: checkout.sessionId,
        reason: messageOf(error),
      });
    }
  }

  /**
   * What moved since the last look, and what speaks for this session having moved it. `window` is
   * when it was at work.
   */
  async look(checkout: Checkout, window: Window): Promise<RefsSeen | null> {
    const { now } = this.#options;
    const began = performance.now();
    const watch = await this.#watch(checkout);
    if (!watch) return null;
    const after = await this.#look(checkout, watch);
    const before = this.#read(checkout.sessionId);
    const rules = this.#options.rules(checkout.sessionId, watch.places.top);
    const { places } = watch;
    const found = await compareRefs({ checkout, places, before, after, window, rules });
    const elapsedMs = Math.round(performance.now() - began);
    return {
      report: {
        ...found,
        elapsedMs,
        top: places.top,
        inPlace: checkout.mode === 'inPlace',
        head: headOfRepository(after),
        rules,
      },
      keep: () =>
        this.#write(checkout.sessionId, keepLastRefs(before, { ...after, takenAt: now() })),
    };
  }

  /** What the last look knew of a session's repository: its top, and each remote's default branch. */
  known(checkout: Checkout): { top: string; heads: Record<string, string> } {
    const { sessionId } = checkout;
    const places = this.#read(sessionId)?.places ?? [];
    const heads = places.flatMap(({ name, remote, head }) =>
      remote && head ? [[name, head]] : [],
    );
    const kept = readJson(this.#placesOf(sessionId)) as Places | null;
    const top = checkout.mode === 'own' ? checkout.source.top : (kept?.top ?? checkout.directory);
    return { top, heads: Object.fromEntries(heads) as Record<string, string> };
  }

  /** Forgets a session that is over for good. */
  forget(sessionId: SessionId): void {
    this.#watches.delete(sessionId);
    for (const path of [this.#fileOf(sessionId), this.#placesOf(sessionId)])
      rmSync(path, { force: true });
  }

  #watch(checkout: Checkout): Promise<Watch | null> {
    const { sessionId } = checkout;
    let watch = this.#watches.get(sessionId);
    if (!watch) {
      mkdirSync(this.#neutral, { recursive: true, mode: 0o700 });
      const { env, now } = this.#options;
      const looks = new Looks(env, now);
      watch = this.#places(checkout).then((places) => places && { places, looks });
      this.#watches.set(sessionId, watch);
      watch.catch(() => this.#watches.delete(sessionId));
    }
    return watch;
  }

  /**
   * In place, the session can write the configuration that says where remotes are: what stood there
   * before its first turn is kept, and holds when the runner starts again.
   */
  async #places(checkout: Checkout): Promise<Places | null> {
    if (checkout.mode === 'own') return readPlaces(checkout, this.#neutral);
    const path = this.#placesOf(checkout.sessionId);
    const kept = readJson(path) as Places | null;
    if (kept) return kept;
    const places = await readPlaces(checkout, this.#neutral);
    if (places) writeJson(path, places);
    return places;
  }

  #look(checkout: Checkout, { places, looks }: Watch, timeoutMs?: number): Promise<Snapshot> {
    return looks.look(places, { brought: () => listBrought(checkout), timeoutMs });
  }

  #read(sessionId: SessionId): Snapshot | null {
    return readJson(this.#fileOf(sessionId)) as Snapshot | null;
  }

  #write(sessionId: SessionId, snapshot: Snapshot): void {
    writeJson(this.#fileOf(sessionId), snapshot);
  }

  get #neutral(): string {
    return join(this.#options.root, 'empty');
  }

  #fileOf(sessionId: SessionId): string {
    return join(this.#options.root, `${sessionId}.json`);
  }

  #placesOf(sessionId: SessionId): string {
    return join(this.#options.root, `${sessionId}.places.json`);
  }
}

/** What the runner itself wrote; null where it wrote nothing. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // Cut short by a machine that stopped: as good as none.
    if (systemCodeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

function writeJson(path: string, value: Snapshot | Places): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Commits that the person has by now, for they were or are being brought back. */
async function listBrought(checkout: Checkout): Promise<string[]> {
  if (checkout.mode === 'inPlace') return [];
  try {
    await refreshView(checkout);
    return [...new Set((await listTips(checkout)).values())];
  } catch {
    // Tampered with: nothing is brought back from it either.
    return [];
  }
}
