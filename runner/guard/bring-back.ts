import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineEvent, EventOf } from '../../protocol/engine-event.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { bringObjects } from '../lfs/checkout.ts';
import { besideName } from './branch-name.ts';
import { broughtRef, type Checkout, type OwnCheckout } from './checkout.ts';
import { git, gitOrNull, runGit, type GitOptions, type GitResult } from './git.ts';
import { readPersonalConfig, safeDirectories } from './source.ts';
import { countCheckoutChanges, listTips, refreshView, viewOptions } from './view.ts';

/** A session that makes more branches than this beside its own keeps the rest in its checkout. */
const MAX_BESIDE = 20;

const FETCH_FLAGS = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-prune',
  '--no-prune-tags',
  '--no-auto-maintenance',
  '--refmap=',
];

/** One branch to bring back: from which ref of the checkout to which of the person's. */
type Return = { from: string; commit: string; branch: string; held: string };

/**
 * Brings the session's commits into the person's repository, never forced: a branch of theirs
 * only ever moves forward, and not at all while it is checked out. Whatever happens to the
 * branches, `refs/pilothouse/brought/<session>` holds the commits afterwards.
 *
 * Returns `checkout/broughtBack`, and a notice for each branch that could not be moved; nothing
 * for a session in place. Throws `workspace_refused` when the checkout was tampered with.
 */
export async function bringBack(checkout: Checkout, turnId: TurnId | null): Promise<EngineEvent[]> {
  if (checkout.mode === 'inPlace') return [];
  refuseWithoutSource(checkout);
  await refreshView(checkout);
  const tips = await listTips(checkout);
  const returns = await listReturns(checkout, tips);
  const notices = await deliver(checkout, returns);
  return [await broughtBackEvent(checkout, tips, turnId), ...notices];
}

/** A checkout borrows its history: without the source there is nothing that git could read. */
function refuseWithoutSource({ source, top }: OwnCheckout): void {
  if (existsSync(join(source.commonDirectory, 'objects'))) return;
  const detail = `the repository ${source.top} is no longer there, and the session's history is in it; its files are still in ${top}`;
  throw new PilothouseError('workspace_refused', { detail });
}

async function broughtBackEvent(
  checkout: OwnCheckout,
  tips: ReadonlyMap<string, string>,
  turnId: TurnId | null,
): Promise<EventOf<'checkout/broughtBack'>> {
  const commit = tips.get(`refs/heads/${checkout.branch}`) ?? checkout.baseCommit;
  const counted = await git(
    ['rev-list', '--count', commit, `^${checkout.baseCommit}`, '--'],
    viewOptions(checkout),
  );
  return {
    type: 'checkout/broughtBack',
    turnId,
    branch: checkout.branch,
    commit,
    commits: Number(counted),
    uncommittedFiles: await countCheckoutChanges(checkout),
  };
}

/** The branches with commits of the session's: its own, others that it made, and a bare HEAD. */
async function listReturns(
  checkout: OwnCheckout,
  tips: ReadonlyMap<string, string>,
): Promise<Return[]> {
  const own = `refs/heads/${checkout.branch}`;
  const held = broughtRef(checkout.sessionId);
  const returns: Return[] = [];
  const ownCommit = tips.get(own);
  if (ownCommit !== undefined && ownCommit !== checkout.baseCommit) {
    returns.push({ from: own, commit: ownCommit, branch: checkout.branch, held });
  }
  const heads = [...tips].filter(([ref]) => ref.startsWith('refs/heads/') || ref === 'HEAD');
  for (const [ref, commit] of heads.toSorted(([a], [b]) =>
    a === 'HEAD' ? 1 : b === 'HEAD' ? -1 : a < b ? -1 : 1,
  )) {
    if (returns.length > MAX_BESIDE) break;
    if (ref === own || returns.some((each) => each.commit === commit)) continue;
    if (!(await hasOwnCommits(checkout, commit, ownCommit ?? checkout.baseCommit))) continue;
    const name = besideName(
      checkout.branch,
      ref === 'HEAD' ? 'detached' : ref.slice('refs/heads/'.length),
    );
    if (returns.some((each) => each.branch === name)) continue;
    returns.push({
      from: ref,
      commit,
      branch: name,
      held: `${held}--${name.slice(checkout.branch.length + 2)}`,
    });
  }
  return returns;
}

/** Whether a commit brings any that neither the base, the session's branch nor a remote brought. */
async function hasOwnCommits(
  checkout: OwnCheckout,
  commit: string,
  ownCommit: string,
): Promise<boolean> {
  const known = [`^${checkout.baseCommit}`, `^${ownCommit}`, '--not', '--remotes', '--'];
  const counted = await git(
    ['rev-list', '--count', '--max-count=1', commit, ...known],
    viewOptions(checkout),
  );
  return counted !== '0';
}

async function deliver(checkout: OwnCheckout, returns: readonly Return[]): Promise<EngineEvent[]> {
  if (returns.length === 0) return [];
  const options = await sourceOptions(checkout);
  const before = await Promise.all(returns.map(({ held }) => readRef(held, options)));
  const fresh = returns.filter((each, index) => before[index] !== each.commit);
  const { fetched, notices } =
    fresh.length > 0 ? await fetchHeld(checkout, fresh, options) : { fetched: [], notices: [] };
  // Branches are moved only once what their files stand for is there too.
  await bringObjects(
    checkout,
    fetched.map(({ commit }) => commit),
    viewOptions(checkout),
  );
  const lost = new Set(fresh.filter((each) => !fetched.includes(each)));
  const checkedOut = await listCheckedOut(options);
  for (const each of returns.filter((one) => !lost.has(one))) {
    const problem = await advance(each, checkedOut, options);
    // Told when it happens, not again after every turn that changes nothing.
    if (problem !== null && fresh.includes(each)) notices.push(problem);
  }
  return notices;
}

/**
 * Copies objects first, to refs that are ours alone, so that nothing is lost by what follows. A
 * branch that the session made beside its own and that git refuses (malformed objects, a name
 * that is no text) costs that branch and not the others.
 */
async function fetchHeld(
  checkout: OwnCheckout,
  returns: readonly Return[],
  options: GitOptions,
): Promise<{ fetched: Return[]; notices: EngineEvent[] }> {
  const all = await fetchRefs(checkout, returns, options);
  if (all.exitCode === 0) return { fetched: [...returns], notices: [] };
  const fetched: Return[] = [];
  const notices: EngineEvent[] = [];
  for (const each of returns) {
    const { exitCode, stderr } = await fetchRefs(checkout, [each], options);
    if (exitCode === 0) {
      fetched.push(each);
      continue;
    }
    const reason = stderr.trim().split('\n').slice(0, 3).join(' ');
    if (each.branch === checkout.branch) {
      const detail = `the session's commits could not be fetched from ${checkout.top}: ${reason}`;
      throw new PilothouseError('workspace_refused', { detail });
    }
    notices.push(
      notice(
        'branch_not_fetched',
        `${each.from} of the checkout could not be brought back, so it is only in ${checkout.top}: ${reason}`,
      ),
    );
  }
  return { fetched, notices };
}

function fetchRefs(
  checkout: OwnCheckout,
  returns: readonly Return[],
  options: GitOptions,
): Promise<GitResult> {
  const specs = returns.map(({ from, held }) => `+${from}:${held}`);
  return runGit(['fetch', ...FETCH_FLAGS, '--', checkout.view, ...specs], options);
}

async function advance(
  each: Return,
  checkedOut: ReadonlySet<string>,
  options: GitOptions,
): Promise<EngineEvent | null> {
  const ref = `refs/heads/${each.branch}`;
  const theirs = await readRef(ref, options);
  if (theirs === each.commit) return null;
  if (checkedOut.has(ref)) {
    return notice(
      'branch_checked_out',
      `${each.branch} is checked out in the repository, so it was left as it is. Take the session's work with \`git merge ${each.held}\`.`,
    );
  }
  const forward = theirs === null || (await isAncestor(theirs, each.commit, options));
  if (!forward) {
    return notice(
      'branch_moved',
      `${each.branch} in the repository and the session's have gone different ways, so it was left as it is. The session's work is at ${each.held}.`,
    );
  }
  // The expected old value makes it a comparison and a change in one: a branch that the person
  // moves at this moment is not overwritten.
  const moved = await runGit(
    [
      'update-ref',
      '-m',
      'pilothouse: brought back',
      ref,
      each.commit,
      theirs ?? '0'.repeat(each.commit.length),
    ],
    options,
  );
  if (moved.exitCode === 0) return null;
  return notice(
    'branch_moved',
    `${each.branch} in the repository could not be moved (${moved.stderr.trim().split('\n')[0]}). The session's work is at ${each.held}.`,
  );
}

/** Git in the person's repository, in the git directory that their working trees share. */
export async function sourceOptions({ source }: OwnCheckout): Promise<GitOptions> {
  const directory = source.commonDirectory;
  return { directory, config: safeDirectories(await readPersonalConfig(directory)) };
}

async function readRef(ref: string, options: GitOptions): Promise<string | null> {
  return await gitOrNull(['rev-parse', '--verify', '--quiet', ref], options);
}

async function isAncestor(older: string, newer: string, options: GitOptions): Promise<boolean> {
  return (await runGit(['merge-base', '--is-ancestor', older, newer], options)).exitCode === 0;
}

/** Full names of the branches that any working tree of the repository has checked out. */
async function listCheckedOut(options: GitOptions): Promise<Set<string>> {
  const listed = await git(['worktree', 'list', '--porcelain'], options);
  return new Set(listed.split('\n').flatMap((line) => /^branch (.+)$/.exec(line)?.[1] ?? []));
}

function notice(code: string, message: string): EngineEvent {
  return { type: 'notice/raised', level: 'warning', code, message };
}
