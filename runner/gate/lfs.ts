import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnCheckout } from '../guard/checkout.ts';
import { runGit, type ConfigPair, type GitOptions } from '../guard/git.ts';
import { readPersonalConfig } from '../guard/source.ts';
import { isLfsHere } from '../lfs/filter.ts';
import { readNewPointers, type Pointer, type PointerAt } from '../lfs/pointers.ts';
import { copyObject, hasObject, keepObjects, objectPath, storeOf } from '../lfs/store.ts';
import type { PushVerdict } from './policy.ts';

/** Most that one push brings of Git LFS, and most that one file of it has, in bytes. */
export const LFS_MAX_BYTES = 4 * 1024 ** 3;
/** Large files take their time; whoever pushes is shown that something goes on, by git itself. */
const TRANSFER_MS = 20 * 60_000;
/** Names of objects on one command line. */
const OIDS_PER_CALL = 500;

/** What a ref of a push brings of Git LFS that is nowhere, and how much the whole push brings, in bytes. */
export type Brought = { bytes: number; missing: readonly PointerAt[]; program: boolean };

type Remote = { name: string; addresses: readonly ConfigPair[] };
export type LfsPlaces = {
  /** The gate's own repository. */
  directory: string;
  checkout: OwnCheckout;
  inside: GitOptions;
  /** Git towards the real remote, with the person's credentials, read anew each time. */
  towards(): Promise<{ options: GitOptions; remote: Remote }>;
};

/**
 * The contents of Git LFS between a session and the real remote. They are no objects of git, and
 * pass no push: they are taken out of the checkout and checked, and go on by the person's git-lfs
 * once the push that names them was allowed.
 */
export class LfsObjects {
  readonly #places: LfsPlaces;
  readonly #store: string;

  constructor(places: LfsPlaces) {
    this.#places = places;
    this.#store = storeOf(places.directory);
  }

  hasAny(): boolean {
    return existsSync(this.#store);
  }

  /** How much the commits of a push would bring between them, in bytes. */
  measure(commits: readonly string[]): Promise<number> {
    return measureObjects(commits, this.#places.inside);
  }

  /**
   * Takes in what one commit of a push would bring, which brings `bytes` in all; a push that is kept
   * for an answer has it from here.
   */
  async takeIn(commit: string, bytes: number): Promise<Brought> {
    if (bytes > LFS_MAX_BYTES) return { bytes, missing: [], program: true };
    const pointers = await readNewPointers([commit], this.#places.inside);
    const { checkout } = this.#places;
    const program = await isLfsHere();
    const from = [storeOf(join(checkout.top, '.git')), await this.#persons()];
    const missing: PointerAt[] = [];
    for (const pointer of pointers)
      if (!program || !(await this.#copy(from, pointer))) missing.push(pointer);
    return { bytes, missing, program };
  }

  /** Gives the remote the contents that these commits bring; says what kept it from that, or null. */
  async passOn(commits: readonly string[]): Promise<string | null> {
    const all = [...(await readSizes(commits, this.#places.inside)).keys()];
    if (all.length === 0) return null;
    const { options, remote } = await this.#towards();
    for (let at = 0; at < all.length; at += OIDS_PER_CALL) {
      const some = all.slice(at, at + OIDS_PER_CALL);
      const { exitCode, stderr } = await runGit(
        ['lfs', 'push', '--object-id', remote.name, ...some],
        options,
      );
      if (exitCode !== 0)
        return `its files of Git LFS did not reach the remote: ${lastLine(stderr)}; push it again`;
    }
    return null;
  }

  /** A file with the content, fetched from the remote if nobody here has it. Throws where it is not to be had. */
  async find(pointer: Pointer): Promise<string> {
    const stores = [this.#store, await this.#persons()];
    for (const store of stores)
      if (await hasObject(store, pointer)) return objectPath(store, pointer);
    if (pointer.size > LFS_MAX_BYTES)
      throw new Error(`it is larger than ${sayBytes(LFS_MAX_BYTES)}`);
    const { options } = await this.#towards();
    const input = `version https://git-lfs.github.com/spec/v1\noid sha256:${pointer.oid}\nsize ${pointer.size}\n`;
    const { stderr } = await runGit(['lfs', 'smudge'], { ...options, input, discard: true });
    if (await hasObject(this.#store, pointer)) return objectPath(this.#store, pointer);
    throw new Error(`the remote did not give it: ${lastLine(stderr)}`);
  }

  /** Deletes all contents but those that these commits bring. */
  async keepOnly(commits: readonly string[]): Promise<void> {
    const kept = await readSizes(commits, this.#places.inside);
    await keepObjects(this.#store, new Set(kept.keys()));
  }

  async #copy(stores: readonly string[], pointer: Pointer): Promise<boolean> {
    for (const store of stores) if (await copyObject(store, this.#store, pointer)) return true;
    return false;
  }

  async #persons(): Promise<string> {
    const { commonDirectory } = this.#places.checkout.source;
    return storeOf(commonDirectory, await readPersonalConfig(commonDirectory));
  }

  async #towards(): Promise<{ options: GitOptions; remote: Remote }> {
    const { options, remote } = await this.#places.towards();
    const config: ConfigPair[] = [
      ...(options.config ?? []),
      ...remote.addresses,
      ['remote.lfsdefault', remote.name],
      ['remote.lfspushdefault', remote.name],
      // Whatever the person's own says, which holds for their repositories.
      ['lfs.storage', join(this.#places.directory, 'lfs')],
    ];
    return { options: { ...options, config, timeoutMs: TRANSFER_MS }, remote };
  }
}

/** How much the commits of refs that wait would bring of Git LFS, in bytes. */
export async function measureObjects(
  commits: readonly string[],
  inside: GitOptions,
): Promise<number> {
  const sizes = await readSizes(commits, inside);
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** The contents that commits would bring, each once however many files stand for it: bytes by name. */
async function readSizes(
  commits: readonly string[],
  inside: GitOptions,
): Promise<ReadonlyMap<string, number>> {
  const pointers = await readNewPointers(commits, inside);
  return new Map(pointers.map(({ oid, size }) => [oid, size]));
}

/** Refuses a push whose files of Git LFS cannot be passed on. Pure. */
export function judgeObjects({ bytes, missing, program }: Brought): PushVerdict {
  if (bytes > LFS_MAX_BYTES)
    return refuse(
      `it brings ${sayBytes(bytes)} of Git LFS, and the gate passes on ${sayBytes(LFS_MAX_BYTES)} at once; push it in parts, or ask a person to`,
    );
  const [first, ...rest] = missing.map(({ path }) => JSON.stringify(path).slice(1, -1));
  if (first === undefined) return { kind: 'allow' };
  const named = rest.length === 0 ? first : `${first} and ${rest.length} more`;
  return refuse(
    program
      ? `it brings Git LFS pointers (${named}) whose contents are not in the checkout; add the files themselves with git-lfs, or leave the pointers out of every commit`
      : `it brings Git LFS pointers (${named}), and this machine has no git-lfs to pass their contents on; leave them out of every commit, or ask a person to install git-lfs`,
  );
}

const refuse = (reason: string): PushVerdict => ({ kind: 'refuse', reason });
const sayBytes = (bytes: number): string =>
  bytes >= 1024 ** 3
    ? `${(bytes / 1024 ** 3).toFixed(1)} GB`
    : `${Math.ceil(bytes / 1024 ** 2)} MB`;
const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => /[a-z]/i.test(line) && !/git lfs logs|Errors logged/.test(line)) ??
  'no reason given';
