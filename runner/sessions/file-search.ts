import { realpath } from 'node:fs/promises';
import { PilothouseError } from '../../protocol/errors.ts';
import type { FindFiles, FoundFiles } from '../../protocol/find-files.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../protocol/merge-policy.ts';
import { type ListedFiles, listDirectoryFiles, listFiles } from '../guard/list-files.ts';
import { rankFiles } from '../guard/rank-files.ts';
import { demandDirectory, type Limits } from '../limits.ts';
import type { CheckoutRooms } from './checkouts.ts';

/** A list serves the letters that are typed after it, for so long, in ms. */
const LISTED_FOR_MS = 3_000;
const LISTS_MAX = 8;

/** `at` is when it was there; null while it is made. */
type List = { at: number | null; files: Promise<ListedFiles> };

/** Finds the files that a person names in an instruction. Reads names alone, and changes nothing. */
export class FileSearch {
  readonly #rooms: Pick<CheckoutRooms, 'sessions'>;
  readonly #lists: KeptLists;

  constructor(rooms: Pick<CheckoutRooms, 'sessions'>, now: () => number) {
    this.#rooms = rooms;
    this.#lists = new KeptLists(now);
  }

  /**
   * In a session's files, while it works as well. Throws `session_not_found`, `checkout_not_found`
   * before there is a checkout, and what the limits say of a directory that it works in itself.
   */
  async inSession(sessionId: SessionId, wish: FindFiles, limits: Limits): Promise<FoundFiles> {
    const session = this.#rooms.sessions.get(sessionId);
    if (!session) throw new PilothouseError('session_not_found', { detail: sessionId });
    const { checkout } = session.row;
    if (!checkout) throw new PilothouseError('checkout_not_found');
    if (checkout.mode === 'inPlace') demandDirectory(limits, checkout.directory);
    const listed = await this.#lists.take(sessionId, () => listFiles(checkout));
    return rankFiles(listed, wish, session.policy.tools);
  }

  /** In a directory that a session may be launched in. Throws `directory_missing` and the limits’ refusals. */
  async inDirectory(path: string, wish: FindFiles, limits: Limits): Promise<FoundFiles> {
    const directory = await realpath(path).catch((cause: unknown) => {
      throw new PilothouseError('directory_missing', { detail: path }, { cause });
    });
    demandDirectory(limits, directory);
    const listed = await this.#lists.take(directory, () => listDirectoryFiles(directory));
    return rankFiles(listed, wish, DEFAULT_POLICY.tools);
  }
}

/** Lists of files by where they are of, for as long as they serve. */
export class KeptLists {
  readonly #now: () => number;
  readonly #lists = new Map<string, List>();

  constructor(now: () => number) {
    this.#now = now;
  }

  take(key: string, list: () => Promise<ListedFiles>): Promise<ListedFiles> {
    const known = this.#lists.get(key);
    const at = known?.at ?? null;
    // One that is being made is the newest that there is, however long it takes.
    if (known && (at === null || this.#now() - at < LISTED_FOR_MS)) return known.files;
    this.#lists.delete(key);
    const made: List = { at: null, files: list() };
    this.#lists.set(key, made);
    made.files.then(
      () => void (made.at = this.#now()),
      // One that failed is asked for again.
      () => this.#lists.get(key) === made && this.#lists.delete(key),
    );
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > LISTS_MAX && oldest !== undefined) this.#lists.delete(oldest);
    return made.files;
  }
}
