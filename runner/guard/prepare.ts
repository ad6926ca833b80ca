import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import type { GradeReport } from '../../protocol/grade.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import { systemCodeOf } from '../failure.ts';
import { demandDirectory, findRepositoryLimits, type Limits } from '../limits.ts';
import { keepRef, placesOf, type Checkout, type OwnCheckout } from './checkout.ts';
import { cloneInto, type ClonePlan } from './clone.ts';
import { git } from './git.ts';
import { replaceFile } from '../replace-file.ts';
import type { ForkFiles } from './fork-files.ts';
import { copyIncluded } from './include.ts';
import { readBase, reserveBranch, type Base } from './base.ts';
import { decideProblems } from './problems.ts';
import { readSource, refuseReserved, safeDirectories, type Source } from './source.ts';
import { recordUncommitted } from './uncommitted.ts';
import { openView } from './view.ts';

export type PrepareRequest = {
  sessionId: SessionId;
  title: string;
  launch: LaunchSpec;
  /** The directory to work in: the launch's own, or the one made for a launch without. */
  directory?: string;
  /** Where checkouts are made: a directory of the runner's, with 0700. */
  root: string;
  limits: Limits;
  /** Decided beforehand; kept with a checkout that is made now. */
  grade?: GradeReport;
  gateConfig?: string | null;
  /** The checkout of the session that this one forks, and what it starts from of it. */
  fork?: { from: OwnCheckout; files(): Promise<ForkFiles> };
};

/**
 * Makes what a session works in. Asking again for the same session returns the same checkout,
 * and what an interrupted attempt left behind is cleared away first: nothing ran in it.
 *
 * Throws `directory_missing`, `directory_not_allowed`, `directory_reserved`, `not_a_repository`, `base_not_found`, or
 * `workspace_refused` with the reason in its details.
 */
export async function prepareCheckout(request: PrepareRequest): Promise<Checkout> {
  const directory = await realDirectoryOf(request);
  const source = await readSource(directory);
  if (source !== null && request.launch.directory !== null) refuseReserved(request.limits, source);
  if (request.launch.checkout === 'inPlace') {
    const { head = null, branch = null } = source ?? {};
    return { mode: 'inPlace', sessionId: request.sessionId, directory, branch, baseCommit: head };
  }
  if (source === null) throw new PilothouseError('not_a_repository', { detail: directory });
  if (request.launch.directory !== null) refuseOutside(request.limits, source);
  const places = placesOf(request.root, request.sessionId);
  if (existsSync(places.record) && existsSync(places.top)) {
    const made = JSON.parse(await readFile(places.record, 'utf8')) as OwnCheckout;
    // The directory named may lead to another repository than it did.
    if (request.launch.directory !== null) refuseOutside(request.limits, made.source);
    return made;
  }
  const { fork, launch } = request;
  if (!fork) refuseBlocked(source, launch);
  else if (fork.from.source.commonDirectory !== source.commonDirectory)
    throw new PilothouseError('fork_unavailable', {
      detail: `It is of ${fork.from.source.top}, and ${directory} is of another repository.`,
    });
  await clearAttempt(places);
  const files = (await fork?.files()) ?? null;
  const base = files
    ? { commit: files.base, branch: await branchOf(source, launch.baseRef) }
    : await readBase(source, launch.baseRef);
  return await makeOwn(request, source, base, files);
}

/** The branch that the session's work was for, which may be gone by now: it says where pushes go. */
async function branchOf(source: Source, baseRef: string | null): Promise<string | null> {
  try {
    return (await readBase(source, baseRef)).branch;
  } catch (error) {
    if (error instanceof PilothouseError && error.code === 'base_not_found') return null;
    throw error;
  }
}

async function makeOwn(
  request: PrepareRequest,
  source: Source,
  base: Base,
  forked: ForkFiles | null,
): Promise<OwnCheckout> {
  const { sessionId, launch, limits } = request;
  const places = placesOf(request.root, sessionId);
  await mkdir(places.host, { recursive: true, mode: 0o700 });
  const options = { directory: source.top, config: safeDirectories(source.config) };
  const uncommitted = forked
    ? forked.uncommitted
    : launch.fromUncommitted
      ? await recordUncommitted(source, base, places.host, limits.own)
      : null;
  const keptCommit = uncommitted ?? base.commit;
  await git(['update-ref', keepRef(sessionId), keptCommit], options);
  const branch = await reserveBranch(source, request.title, sessionId, base.commit);
  const gateConfig = request.gateConfig ?? null;
  const plan: ClonePlan = { source, base, branch, top: places.top, uncommitted, gateConfig };
  const { remote } = await cloneInto(plan);
  const included = await copyIncluded(
    source,
    places.top,
    findRepositoryLimits(limits, source.top)?.include ?? [],
  );
  const inner = join(places.top, source.subdirectory);
  const checkout: OwnCheckout = {
    mode: 'own',
    sessionId,
    directory: existsSync(inner) ? inner : places.top,
    top: places.top,
    branch,
    baseCommit: base.commit,
    keptCommit,
    included,
    fromUncommitted: uncommitted !== null,
    source: { top: source.top, commonDirectory: source.commonDirectory, bare: source.bare },
    view: places.view,
    ...(request.grade && { grade: request.grade }),
    ...(gateConfig !== null && remote !== null && { gate: { remote } }),
  };
  await openView(checkout, source);
  // Written last and at once: a record that is there speaks of a checkout that is complete.
  replaceFile(places.record, JSON.stringify(checkout));
  return checkout;
}

async function realDirectoryOf(request: PrepareRequest): Promise<string> {
  const named = request.launch.directory ?? request.directory;
  if (named === undefined)
    throw new PilothouseError('directory_missing', { detail: 'the launch names none' });
  try {
    const directory = await realpath(named);
    if (!(await stat(directory)).isDirectory())
      throw new PilothouseError('directory_missing', { detail: named });
    if (request.launch.directory !== null) demandDirectory(request.limits, directory);
    return directory;
  } catch (error) {
    if (error instanceof PilothouseError) throw error;
    throw new PilothouseError('directory_missing', {
      detail: `${named}: ${systemCodeOf(error) ?? 'unreadable'}`,
    });
  }
}

/** A `.git` file may point anywhere, and a repository's top may lie above the directory named. */
function refuseOutside(limits: Limits, source: Pick<Source, 'top' | 'commonDirectory'>): void {
  for (const place of [source.top, source.commonDirectory])
    demandDirectory(limits, place, `the repository is at ${place}`);
}

function refuseBlocked(source: Source, launch: LaunchSpec): void {
  const named = launch.baseRef !== null && !launch.fromUncommitted;
  const problem = decideProblems(source).find(
    ({ code, blocks }) => blocks && !(named && code !== 'partial_clone'),
  );
  if (problem)
    throw new PilothouseError('workspace_refused', {
      detail: problem.message,
      problem: problem.code,
    });
}

async function clearAttempt({ top, host }: { top: string; host: string }): Promise<void> {
  await rm(top, { recursive: true, force: true });
  await rm(host, { recursive: true, force: true });
}
