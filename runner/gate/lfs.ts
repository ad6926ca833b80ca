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

/** What a push brings of Git LFS: whose contents are here now, and whose are nowhere. */
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

  /** Takes in what a commit would bring; a push that is kept for an answer has it from here. */
  async takeIn(commit: string): Promise<Brought> {
    const pointers = await readNewPointers(commit, this.#places.inside);
    const bytes = pointers.reduce((sum, { size }) => sum + size, 0);
    if (pointers.length === 0 || bytes > LFS_MAX_BYTES)
      return { bytes, missing: [], program: true };
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
    const oids = new Set<string>();
    for (const commit of commits)
      for (const { oid } of await readNewPointers(commit, this.#places.inside)) oids.add(oid);
    if (oids.size === 0) return null;
    const { options, remote } = await this.#towards();
    const all = [...oids];
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
    const kept = new Set<string>();
    for (const commit of commits)
      for (const { oid } of await readNewPointers(commit, this.#places.inside)) kept.add(oid);
    await keepObjects(this.#store, kept);
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
  let bytes = 0;
  for (const commit of commits)
    for (const { size } of await readNewPointers(commit, inside)) bytes += size;
  return bytes;
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
