import { rm } from 'node:fs/promises';
import type { Checkpoint, RewindRequest, Rewound } from '../../protocol/checkpoints.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Patch } from '../guard/checkpoints.ts';
import { betweenTurns, type BetweenRooms, type Place } from './between-turns.ts';
import type { SessionDeps } from './session-deps.ts';

/** How long putting the files back may take, in ms. */
const APPLY_MS = 20_000;
/** What is told of a failure, in characters of its end. */
const SAID_CHARS = 1_000;

/**
 * Content is put back as it was kept, whatever git would make of a pointer to it; and no setting of
 * the repository changes what is written.
 */
const APPLY = [
  'cd "$(git rev-parse --show-toplevel)" && git',
  '-c filter.lfs.clean= -c filter.lfs.smudge= -c filter.lfs.process= -c filter.lfs.required=false',
  'apply --binary --whitespace=nowarn -',
].join(' ');

type Way = { from: string; to: string; only?: readonly string[] };

/**
 * Puts the files of a session back to how they were once. It is done with the session's own power,
 * as an edit: commits and branches stay where they are, and what the files were is kept first.
 */
export class Rewinds {
  readonly #deps: Pick<SessionDeps, 'ports' | 'now' | 'log'>;
  readonly #rooms: BetweenRooms;

  constructor(deps: Pick<SessionDeps, 'ports' | 'now' | 'log'>, rooms: BetweenRooms) {
    this.#deps = deps;
    this.#rooms = rooms;
  }

  /** What there is to go back to, newest first. Throws `session_not_found`, `checkout_not_found`. */
  async list(sessionId: SessionId): Promise<{ items: Checkpoint[] }> {
    const session = this.#rooms.sessions.get(sessionId);
    if (!session) throw new PilothouseError('session_not_found', { detail: sessionId });
    const { checkout } = session.row;
    if (checkout?.mode !== 'own') throw new PilothouseError('checkout_not_found');
    return { items: await this.#deps.ports.listCheckpoints(checkout) };
  }

  /**
   * Throws `checkpoint_not_found`, and `rewind_refused` when the files are not what was kept
   * afterwards: the detail says why, and what they were before is a checkpoint.
   */
  rewind(sessionId: SessionId, { tree }: RewindRequest): Promise<Rewound> {
    return betweenTurns(this.#deps, this.#rooms, sessionId, async (place) => {
      const { ports, now, log } = this.#deps;
      const { checkout, session } = place;
      const known = await ports.listCheckpoints(checkout);
      if (!known.some((kept) => kept.tree === tree))
        throw new PilothouseError('checkpoint_not_found');
      const mark = { kind: 'rewind', at: now(), turnId: null } as const;
      const { tree: was } = await ports.keepCheckpoint(checkout, mark);
      const files = was === tree ? 0 : await this.#goBack(place, was, tree);
      session.returned([...(await ports.bringBack(checkout, null)), noticeOf(files)]);
      log('info', 'a person put a session’s files back', { session: sessionId, tree, was, files });
      return { sessionId, tree, was, files };
    });
  }

  async #goBack(place: Place, was: string, tree: string): Promise<number> {
    const { ports } = this.#deps;
    const { checkout } = place;
    const { names, removed } = await this.#apply(place, { from: was, to: tree });
    // What git ignores there was no work, and went only because nothing ignored it before.
    const ignored = await ports.listIgnored(checkout, removed);
    if (ignored.length > 0) await this.#apply(place, { from: tree, to: was, only: ignored });
    // What git ignored until then is another file now, and was not meant.
    const meant = new Set(names);
    const others = (await ports.listDiffering(checkout, tree)).filter((name) => meant.has(name));
    if (others.length === 0) return names.length - ignored.length;
    throw new PilothouseError('rewind_refused', {
      detail: `a filter or something at work made others of ${others.slice(0, 3).join(', ')}`,
    });
  }

  async #apply({ checkout, engine, redactor }: Place, way: Way): Promise<Patch> {
    const { ports } = this.#deps;
    const patch = await ports.writePatch(checkout, way);
    try {
      const signal = AbortSignal.timeout(APPLY_MS);
      const line = { engine, checkout, command: APPLY, timeoutMs: APPLY_MS, signal };
      const { exitCode, output } = await ports.run({ ...line, inputFile: patch.path });
      if (exitCode === 0) return patch;
      const detail = (await redactor()).text(output).trim().slice(-SAID_CHARS);
      throw new PilothouseError('rewind_refused', { detail });
    } finally {
      await rm(patch.path, { force: true });
    }
  }
}

const noticeOf = (files: number) =>
  ({
    type: 'notice/raised',
    level: 'info',
    code: 'rewound',
    message: `A person put the files back to how they were: ${files} ${files === 1 ? 'file is' : 'files are'} changed by it. The engine was not told.`,
  }) as const;
