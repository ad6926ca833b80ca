import type { WorkspaceDescription } from '../../protocol/command.ts';
import { configOf, type Source } from './source.ts';

export type Problem = WorkspaceDescription['problems'][number];

/**
 * Decides what stands in the way of a checkout of the session's own, and what will be different
 * in it. Every problem says what a person can do; those that block leave launching in place.
 */
export function decideProblems(source: Source): Problem[] {
  const problems: (Problem | null)[] = [
    source.head === null
      ? block(
          'empty_repository',
          'The repository has no commit yet, so there is nothing to check out. Make a first commit, or launch in place.',
        )
      : null,
    source.inProgress
      ? block(
          'in_progress',
          `The repository is in the middle of ${source.inProgress}. Finish or abort it, or launch from a named branch.`,
        )
      : null,
    isPartial(source)
      ? block(
          'partial_clone',
          'The repository is a partial clone: objects that git would fetch on demand are missing. Clone it without `--filter`, or launch in place.',
        )
      : null,
    source.shallow
      ? warn('shallow', 'The repository is shallow. The checkout has the same cut history.')
      : null,
    isSparse(source)
      ? warn('sparse', 'The repository is sparse. The checkout has the same selection of files.')
      : null,
    source.submodules
      ? warn(
          'submodules',
          'Submodules are empty in the checkout. Add `git submodule update --init` to the repository’s `setup` in limits.toml if the work needs them.',
        )
      : null,
    filterProblem(source),
    source.bare
      ? warn('bare', 'The repository is bare: the session works in a checkout of its own only.')
      : null,
    configOf(source, 'user.email') === null
      ? warn(
          'identity_missing',
          'git has no user.name and user.email here, so commits of the session will fail. Set them with `git config --global`.',
        )
      : null,
  ];
  return problems.filter((problem) => problem !== null);
}

/** A sparse working tree, whose selection of files a checkout can take over. */
export function isSparse(source: Source): boolean {
  return configOf(source, 'core.sparsecheckout') === 'true';
}

function isPartial(source: Source): boolean {
  if (source.config.has('extensions.partialclone')) return true;
  return [...source.config].some(
    ([key, values]) => /^remote\..*\.promisor$/.test(key) && values.at(-1) === 'true',
  );
}

function filterProblem({ filters, hasLfs }: Source): Problem | null {
  const others = filters.filter((name) => name !== 'lfs' || !hasLfs);
  if (others.length === 0) return null;
  if (others.includes('lfs'))
    return warn(
      'lfs',
      'Files kept by Git LFS stay pointers in the checkout, and the gate refuses a push that brings new ones: this machine has no git-lfs. Install it there (`apt-get install git-lfs`, `brew install git-lfs`) and start the runner again.',
    );
  return warn(
    'filters',
    `Files with the filter ${others.join(', ')} stay in the checkout as git stores them.`,
  );
}

const block = (code: string, message: string): Problem => ({ code, message, blocks: true });
const warn = (code: string, message: string): Problem => ({ code, message, blocks: false });
