import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { slugOf } from './branch-name.ts';
import { nameRef } from './checkout.ts';
import { gitOrNull, runGit } from './git.ts';
import { safeDirectories, type Source } from './source.ts';

/** What a checkout starts from. `branch` is null when it is no branch of the person's. */
export type Base = { commit: string; branch: string | null };

/** How many names are tried before the session's id, which nobody else has, settles it. */
const NAME_TRIES = 20;

/**
 * Finds the commit to start from: what is checked out, or a branch, tag, remote branch or
 * commit of that name, in this order. Throws `base_not_found`.
 */
export async function readBase(source: Source, baseRef: string | null): Promise<Base> {
  if (baseRef === null) {
    if (source.head === null) throw new PilothouseError('base_not_found', { detail: 'HEAD' });
    return { commit: source.head, branch: source.branch };
  }
  const options = { directory: source.top, config: safeDirectories(source.config) };
  // A name that looks like an option is still a name when it stands behind its folder.
  const names = [`refs/heads/${baseRef}`, `refs/tags/${baseRef}`, `refs/remotes/${baseRef}`];
  if (/^[0-9a-f]{4,64}$/.test(baseRef) || baseRef === 'HEAD') names.push(baseRef);
  if (/^refs\/[^\s~^:?*[\\]+$/.test(baseRef)) names.push(baseRef);
  for (const [index, name] of names.entries()) {
    const commit = await gitOrNull(
      ['rev-parse', '--verify', '--quiet', `${name}^{commit}`],
      options,
    );
    if (commit) return { commit, branch: index === 0 ? baseRef : null };
  }
  throw new PilothouseError('base_not_found', { detail: baseRef });
}

/**
 * Chooses the session's branch, `pilothouse/<slug>`, and reserves it: two launches of the same
 * title at the same time get two names, because creating a ref succeeds once.
 */
export async function reserveBranch(
  source: Source,
  title: string,
  sessionId: SessionId,
  commit: string,
): Promise<string> {
  const options = { directory: source.commonDirectory, config: safeDirectories(source.config) };
  if (
    (await gitOrNull(['rev-parse', '--verify', '--quiet', 'refs/heads/pilothouse'], options)) !==
    null
  ) {
    const detail =
      'a branch named `pilothouse` stands where branches `pilothouse/…` would go; rename it with `git branch -m`';
    throw new PilothouseError('workspace_refused', { detail });
  }
  const slug = slugOf(title);
  const numbers = Array.from({ length: NAME_TRIES }, (_, index) =>
    index === 0 ? '' : `-${index + 1}`,
  );
  const endings = [...numbers, `-${sessionId.replace(/^ses_/, '')}`];
  for (const ending of endings) {
    const branch = `pilothouse/${slug}${ending}`;
    if (
      (await gitOrNull(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], options)) !==
      null
    )
      continue;
    const created = await runGit(
      ['update-ref', nameRef(branch), commit, '0'.repeat(commit.length)],
      options,
    );
    if (created.exitCode === 0) return branch;
  }
  throw new PilothouseError('workspace_refused', {
    detail: `no free branch name for pilothouse/${slug}`,
  });
}
