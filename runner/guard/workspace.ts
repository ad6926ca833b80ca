import { realpath } from 'node:fs/promises';
import type { WorkspaceDescription } from '../../protocol/command.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { demandDirectory, type Limits } from '../limits.ts';
import { git } from './git.ts';
import { decideProblems } from './problems.ts';
import { readSource, refuseReserved, safeDirectories, type Source } from './source.ts';
import { countUncommitted } from './uncommitted.ts';

export { bringBack } from './bring-back.ts';
export { preparedEvent, type Checkout } from './checkout.ts';
export { readCheckoutSecrets } from './checkout-secrets.ts';
export { listDirectories } from './directories.ts';
export { prepareCheckout } from './prepare.ts';
export { runSetup } from './setup.ts';

/** Branches offered as a base, the latest first; a name beyond these can still be typed. */
const MAX_BRANCHES = 200;

/**
 * What a launch in a directory would meet. Throws `directory_missing`, `directory_not_allowed`,
 * `directory_reserved`, or `workspace_refused` when git will not open the repository.
 */
export async function describeWorkspace(
  path: string,
  limits: Limits,
): Promise<WorkspaceDescription> {
  const directory = await realpath(path).catch((cause: unknown) => {
    throw new PilothouseError('directory_missing', { detail: path }, { cause });
  });
  demandDirectory(limits, directory);
  const source = await readSource(directory);
  if (source === null) return outsideGit(directory);
  refuseReserved(limits, source);
  const [branches, uncommittedFiles] = await Promise.all([
    listBranches(source),
    countUncommitted(source),
  ]);
  return {
    path: directory,
    repository: source.top,
    branch: source.branch,
    commit: source.head,
    uncommittedFiles,
    branches,
    problems: decideProblems(source),
  };
}

function outsideGit(path: string): WorkspaceDescription {
  const message =
    'The directory is in no git repository, so there is no checkout to make. Launch in place, or run `git init` there.';
  return {
    path,
    repository: null,
    branch: null,
    commit: null,
    uncommittedFiles: 0,
    branches: [],
    problems: [{ code: 'not_a_repository', message, blocks: true }],
  };
}

async function listBranches(source: Source): Promise<string[]> {
  const options = { directory: source.top, config: safeDirectories(source.config) };
  const flags = ['--sort=-committerdate', `--count=${MAX_BRANCHES}`, '--format=%(refname)'];
  const listed = await git(['for-each-ref', ...flags, 'refs/heads'], options);
  return listed
    .split('\n')
    .filter(Boolean)
    .map((ref) => ref.slice('refs/heads/'.length));
}
