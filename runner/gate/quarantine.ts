import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import type { OwnCheckout } from '../guard/checkout.ts';
import { alternatesText } from '../guard/clone.ts';
import { configText } from '../guard/config-text.ts';
import { git, gitOrNull, runGit, type ConfigPair, type GitOptions } from '../guard/git.ts';
import { readPersonalConfig } from '../guard/source.ts';
import { forgeOptions, readRemoteSettings } from './forge.ts';
import { isSamePlace } from '../broker/address.ts';
import type { BranchFacts } from '../broker/decide.ts';
import { parsePushOutput, type PushAnswer } from './push-output.ts';
import type { HeldRef, HeldWords } from './held.ts';
import { describeCommits, dropCommits, keepCommits, listKept, measureNew } from './kept-commits.ts';
import { LfsObjects, measureObjects } from './lfs.ts';
import { isNothing, type PushCommand, type RefFacts } from './policy.ts';
import { readProtectedChanges } from './protected-paths.ts';
import { Turns } from './turns.ts';

/** Where it is remembered which branches of the remote the session made. */
const OWN = 'refs/pilothouse/own/';
/** And which pull requests it opened, by their numbers. */
const OPENED = 'refs/pilothouse/opened/';

/**
 * Hands what receive-pack asks of its hook to the runner, over a file that it inherits; what the
 * runner says over another is shown to whoever pushes.
 */
const HOOK = '#!/bin/sh\nexec 5<&0\ncat <&4 >&2 &\ncat <&5 >&3 &\nexec cat <&3\n';

type Remote = {
  fetch: string;
  push: string;
  settings: readonly ConfigPair[];
  /** The remote as the person's configuration has it, for git-lfs. */
  named: { name: string; addresses: readonly ConfigPair[] };
};

/**
 * The runner's own repository between a session and the real remote. What a session pushes lies
 * here, checked, until the remote has taken it. Nothing of the session's configuration is here.
 */
export class Quarantine {
  readonly directory: string;
  /** What git does not hold itself. */
  readonly objects: LfsObjects;
  readonly #checkout: OwnCheckout;
  readonly #env: NodeJS.ProcessEnv;
  readonly #turns = new Turns();
  #defaultBranch: string | null = null;
  #making: Promise<void> | null = null;

  constructor(directory: string, checkout: OwnCheckout, env: NodeJS.ProcessEnv) {
    this.directory = directory;
    this.#checkout = checkout;
    this.#env = env;
    this.objects = new LfsObjects({
      directory,
      checkout,
      inside: this.#inside,
      towards: async () => {
        const remote = await this.#readRemote();
        return { options: this.#towards(remote), remote: remote.named };
      },
    });
  }

  /** The branch that the remote has checked out, as of the last refresh. */
  get defaultBranch(): string | null {
    return this.#defaultBranch;
  }

  /** Makes it as the remote is now. Throws when the remote cannot be reached. */
  async refresh(): Promise<void> {
    await this.prepare();
    await this.#writeHook();
    const remote = await this.#readRemote();
    const options = this.#towards(remote);
    const head = await git(['ls-remote', '--symref', '--', remote.fetch, 'HEAD'], options);
    this.#defaultBranch = /^ref: refs\/heads\/(\S+)\s+HEAD$/m.exec(head)?.[1] ?? null;
    const specs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    const flags = [
      '--quiet',
      '--prune',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
    ];
    await git(['fetch', ...flags, '--', remote.fetch, ...specs], options);
    if (this.#defaultBranch !== null)
      await git(['symbolic-ref', 'HEAD', `refs/heads/${this.#defaultBranch}`], this.#inside);
  }

  /** Makes it if it is not there yet, without a word to the remote. */
  async prepare(): Promise<void> {
    if (existsSync(join(this.directory, 'HEAD'))) return;
    this.#making ??= this.#make().finally(() => (this.#making = null));
    await this.#making;
  }

  /** What the policy asks about a ref; `globs` are the paths that are protected. */
  async readFacts(
    { ref, before, after }: PushCommand,
    globs: readonly string[],
  ): Promise<RefFacts> {
    const own = await gitOrNull(['rev-parse', '--verify', '--quiet', ownRef(ref)], this.#inside);
    const forward =
      !isNothing(before) &&
      !isNothing(after) &&
      (await runGit(['merge-base', '--is-ancestor', before, after], this.#inside)).exitCode === 0;
    const changes =
      isNothing(after) || globs.length === 0
        ? { known: true as const, paths: [] }
        : await readProtectedChanges(after, globs, this.#inside);
    return { own: own !== null, forward, changes };
  }

  /** Where a ref of the remote is, as of the last refresh; null for nowhere. */
  tipOf(ref: string): Promise<string | null> {
    return gitOrNull(['rev-parse', '--verify', '--quiet', ref], this.#inside);
  }

  /** The branches of the remote as of the last refresh, and which of them the session made. */
  async readBranches(): Promise<BranchFacts> {
    const format = '--format=%(refname) %(objectname)';
    const listed = await git(['for-each-ref', format, 'refs/heads/', OWN], this.#inside);
    const tips = new Map(listed.split('\n').map((line) => line.split(' ') as [string, string]));
    const named = (folder: string) =>
      [...tips.keys()].flatMap((ref) => (ref.startsWith(folder) ? [ref.slice(folder.length)] : []));
    return {
      own: named(OWN).map((name) => ({ name, tip: tips.get(`refs/heads/${name}`) ?? null })),
      defaultBranch: this.#defaultBranch,
      has: (name) => tips.has(`refs/heads/${name}`),
    };
  }

  /**
   * Remembers a pull request as one that the session opened. Its branch may be too new to lie here
   * before the next refresh; what remembers that the session made it is written with the push.
   */
  async rememberOpened({ number, head }: { number: number; head: string }): Promise<void> {
    await git(['update-ref', `${OPENED}${number}`, `${OWN}${head}`], this.#inside);
  }

  /** The numbers of the pull requests that the session opened, the first one first. */
  async readOpened(): Promise<number[]> {
    const listed = await git(['for-each-ref', '--format=%(refname)', OPENED], this.#inside);
    const numbers = listed
      .split('\n')
      .flatMap((ref) => (ref === '' ? [] : [ref.slice(OPENED.length)]));
    return numbers.map(Number).toSorted((a, b) => a - b);
  }

  /** The remote's address as the person wrote it, and as git reads it. Throws when it has two. */
  async readAddresses(): Promise<string[]> {
    const remote = await this.#readRemote();
    if (!isSamePlace(remote.fetch, remote.push))
      throw new Error(
        'the remote fetches from one repository and pushes to another, so that a person opens the pull request',
      );
    const read = await gitOrNull(['ls-remote', '--get-url', remote.fetch], this.#towards(remote));
    return read === null ? [remote.fetch] : [remote.fetch, read];
  }

  /** Keeps the commits of a push until {@link keepOnly} leaves it out. Throws when they are none. */
  async keep(
    requestId: string,
    refs: readonly HeldRef[],
    decideRoom: (bytes: number) => string | null,
  ): Promise<HeldWords> {
    const tips = refs.map(({ after }) => after);
    const large = await measureObjects(tips, this.#inside);
    const full = decideRoom((await measureNew(refs, this.#inside)) + large);
    if (full !== null) throw new Error(full);
    await keepCommits(requestId, refs, this.#inside);
    return describeCommits(refs, this.#inside);
  }

  /** What is kept for other requests than these is deleted, as soon as no push is under way. */
  async keepOnly(requestIds: readonly string[]): Promise<void> {
    if (!existsSync(join(this.directory, 'HEAD'))) return;
    if (await dropCommits(requestIds, this.#inside)) await this.#turns.alone(() => this.#clean());
  }

  /** Forgets the contents of Git LFS that no kept push needs, as soon as nothing is under way. */
  async forgetObjects(): Promise<void> {
    if (this.objects.hasAny()) await this.#turns.alone(() => this.#dropObjects());
  }

  /** Does something with what was just received, which nothing cleans away meanwhile. */
  use<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.beside(work);
  }

  async #clean(): Promise<void> {
    await runGit(['gc', '--quiet', '--prune=now'], this.#inside);
    await this.#dropObjects();
  }

  async #dropObjects(): Promise<void> {
    await this.objects.keepOnly(await listKept(this.#inside));
  }

  /**
   * Pushes on to the real remote, each ref only from where the session saw it, and answers ref by
   * ref with what the remote said. A ref without an answer is unknown.
   */
  async forward(commands: readonly PushCommand[]): Promise<Map<string, PushAnswer>> {
    const remote = await this.#readRemote();
    const leases = commands.map(
      ({ ref, before }) => `--force-with-lease=${ref}:${isNothing(before) ? '' : before}`,
    );
    const specs = commands.map(({ ref, after }) => `${isNothing(after) ? '' : after}:${ref}`);
    const atomic = ['--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'];
    const args = ['push', ...atomic, ...leases, '--', remote.push, ...specs];
    const { stdout } = await runGit(args, this.#towards(remote));
    const answers = parsePushOutput(stdout);
    for (const { ref, before, after } of commands) {
      if (answers.get(ref)?.kind !== 'done' || !ref.startsWith('refs/heads/')) continue;
      if (isNothing(after)) await runGit(['update-ref', '-d', ownRef(ref)], this.#inside);
      else if (isNothing(before)) await git(['update-ref', ownRef(ref), after], this.#inside);
    }
    return answers;
  }

  async #make(): Promise<void> {
    const { source } = this.#checkout;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await git(['init', '--quiet', '--bare', '--template=', this.directory], {
      directory: this.directory,
    });
    const sections = [
      {
        name: 'receive',
        values: [
          ['procReceiveRefs', 'refs'],
          ['fsckObjects', 'true'],
          ['advertiseAtomic', 'false'],
          ['autogc', 'false'],
        ] as const,
      },
      {
        name: 'transfer',
        values: [
          ['hideRefs', 'refs/pilothouse'],
          ['fsckObjects', 'true'],
        ] as const,
      },
      { name: 'core', values: [['logAllRefUpdates', 'false']] as const },
    ];
    await writeFile(
      join(this.directory, 'config'),
      `${configText(sections)}[core]\n\tbare = true\n\trepositoryformatversion = 0\n`,
      { mode: 0o600 },
    );
    await mkdir(join(this.directory, 'objects', 'info'), { recursive: true });
    await writeFile(join(this.directory, 'objects', 'info', 'alternates'), alternatesText(source));
    // What the person fetched before need not be fetched again: its objects are borrowed.
    const known = `refs/remotes/${this.#checkout.gate?.remote ?? 'origin'}`;
    await runGit(
      [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--',
        source.commonDirectory,
        `+${known}/*:refs/heads/*`,
      ],
      this.#inside,
    );
  }

  /** A gate that an earlier runner made has an earlier hook; one that is being read stays whole. */
  async #writeHook(): Promise<void> {
    const path = join(this.directory, 'hooks', 'proc-receive');
    if (existsSync(path) && (await readFile(path, 'utf8')) === HOOK) return;
    await mkdir(dirname(path), { recursive: true });
    const fresh = `${path}.${randomUUID()}`;
    await writeFile(fresh, HOOK);
    await chmod(fresh, 0o700);
    await rename(fresh, path);
  }

  get #inside(): GitOptions {
    return { directory: this.directory, env: { GIT_DIR: this.directory } };
  }

  #towards(remote: Remote): GitOptions {
    // Where the person's own git would be: an address may be a path from there.
    const { top } = this.#checkout.source;
    const options = forgeOptions(top, remote.settings, this.#env);
    return { ...options, env: { ...options.env, GIT_DIR: this.directory } };
  }

  /** Read anew each time: the addresses may hold a login, which is kept nowhere else. */
  async #readRemote(): Promise<Remote> {
    const { source, gate } = this.#checkout;
    const config = await readPersonalConfig(source.commonDirectory);
    const name = gate?.remote ?? '';
    const fetch = config.get(`remote.${name}.url`)?.[0];
    if (fetch === undefined)
      throw new PilothouseError('workspace_refused', {
        detail: `the repository has no remote ${gate?.remote} any more`,
      });
    const push = config.get(`remote.${name}.pushurl`)?.[0] ?? fetch;
    const addresses = ['url', 'pushurl', 'lfsurl', 'lfspushurl'].flatMap((key): ConfigPair[] => {
      const value = config.get(`remote.${name}.${key}`)?.[0];
      return value === undefined ? [] : [[`remote.${name}.${key}`, value]];
    });
    const settings = await readRemoteSettings(source.commonDirectory);
    return { fetch, push, settings, named: { name, addresses } };
  }
}

const ownRef = (ref: string): string => `${OWN}${ref.slice('refs/heads/'.length)}`;
