import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '../../protocol/ids.ts';
import { messageOf, systemCodeOf } from '../failure.ts';
import type { Checkout } from '../guard/checkout.ts';
import { listTips, refreshView } from '../guard/view.ts';
import type { Log } from '../log.ts';
import type { PolicyRules } from './breaches.ts';
import { readEvidence, type Window } from './evidence.ts';
import type { JudgedMove, WitnessReport } from './join.ts';
import { defaultBranchOf, kindOfMove } from './kind.ts';
import { lookAtRemote, lookAtRepository, readPlaces, type Places } from './places.ts';
import { keepLastRefs, listMoves, type PlaceSnapshot, type Snapshot } from './snapshot.ts';

/** How long a launch waits for remotes to say where their refs are; later ones are not compared. */
const FIRST_LOOK_MS = 5_000;
/** A remote that could not be reached is not asked again for this long, in ms. */
const REST_MS = 60_000;

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

/** Where the places of a session are, and which of its remotes could not be reached, since when. */
type Watch = { places: Places; failed: Map<string, { at: number; skipped: string }> };

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
    const known = keepLastRefs(before, after);
    // Of a place that is not seen now, the default branch is what it was.
    const headOf = (name: string) => known.places.find((each) => each.name === name)?.head ?? null;
    const places = before
      ? after.places.map((place) => ({
          ...withoutBefore(place, before),
          head: headOf(place.name),
        }))
      : [];
    const moves = before ? listMoves(before, after) : [];
    const rules = this.#options.rules(checkout.sessionId, watch.places.top);
    const evidence = before
      ? await readEvidence(moves, {
          checkout,
          places: watch.places,
          before,
          window,
          protectedPaths: rules.protectedPaths,
        })
      : [];
    const judged = moves.flatMap((move, index): JudgedMove[] => {
      const found = evidence[index];
      if (!before || !found) return [];
      const kind = kindOfMove(move, found.forward, {
        before,
        inPlace: checkout.mode === 'inPlace',
        protectedBranches: [...rules.protectedBranches, ...rules.fixedBranches],
      });
      // What is none, and was not done by others either, is the work itself.
      const defaultBranch = defaultBranchOf(move, before);
      return kind === null ? [] : [{ move, kind, evidence: found, defaultBranch }];
    });
    const elapsedMs = Math.round(performance.now() - began);
    return {
      report: {
        places,
        moves: judged,
        elapsedMs,
        top: watch.places.top,
        inPlace: checkout.mode === 'inPlace',
        head: after.places.find(({ remote }) => !remote)?.head ?? null,
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
      watch = this.#places(checkout).then((places) => places && { places, failed: new Map() });
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

  async #look(checkout: Checkout, watch: Watch, timeoutMs?: number): Promise<Snapshot> {
    const takenAt = this.#options.now();
    const [repository, brought, ...remotes] = await Promise.all([
      lookAtRepository(watch.places),
      listBrought(checkout),
      ...watch.places.remotes.map((remote) => this.#lookAtRemote(remote, watch, timeoutMs)),
    ]);
    return { takenAt, places: [repository, ...remotes], brought };
  }

  async #lookAtRemote(
    remote: Places['remotes'][number],
    watch: Watch,
    timeoutMs?: number,
  ): Promise<PlaceSnapshot> {
    const { now, env } = this.#options;
    const rested = watch.failed.get(remote.name);
    if (rested && now() - rested.at < REST_MS)
      return {
        name: remote.name,
        remote: true,
        refs: null,
        skipped: `${rested.skipped} It is asked again a minute later.`,
        head: null,
      };
    const place = await lookAtRemote(remote, watch.places, env, timeoutMs);
    if (place.skipped === null) watch.failed.delete(remote.name);
    else watch.failed.set(remote.name, { at: now(), skipped: place.skipped });
    return place;
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

/** A place that was not looked at before cannot be compared. */
function withoutBefore(place: PlaceSnapshot, before: Snapshot): PlaceSnapshot {
  if (place.skipped !== null || before.places.some(({ name, refs }) => name === place.name && refs))
    return place;
  return { ...place, skipped: 'It is looked at for the first time.' };
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
