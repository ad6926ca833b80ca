import { AdrFailure } from '../failure.ts';
import type { Change } from '../rules/context.ts';
import { readHead, runGit, splitNul } from '../tree/git.ts';

/**
 * What changed since a base: commits after the point where the two parted, and what is not yet
 * committed. Throws `AdrFailure` when git does not know the base.
 */
export function readChange(root: string, base: string, body: string | null): Change {
  if (base.startsWith('-')) throw badBase(base, 'a name of a commit does not begin with a dash');
  if (readHead(root) === null) throw badBase(base, 'the repository has no commit');
  let start: string;
  try {
    start = runGit(root, ['merge-base', base, 'HEAD']).trim();
  } catch (error) {
    throw badBase(base, error instanceof AdrFailure ? error.message : String(error));
  }
  const paths = new Set<string>();
  const moved = new Set<string>();
  const diff = splitNul(
    runGit(root, ['diff', '--relative', '--name-status', '--no-renames', '-z', start]),
  );
  for (let at = 0; at + 1 < diff.length; at += 2) {
    const path = diff[at + 1] ?? '';
    paths.add(path);
    if (diff[at] !== 'M') moved.add(path);
  }
  for (const path of splitNul(runGit(root, ['ls-files', '-z', '--others', '--exclude-standard']))) {
    paths.add(path);
    moved.add(path);
  }
  const messages = runGit(root, ['log', '--format=%B', `${start}..HEAD`]);
  return { base, paths, moved, answers: [messages, body ?? ''].join('\n') };
}

function badBase(base: string, words: string): AdrFailure {
  return new AdrFailure(
    'bad_base',
    `The change cannot be told, because ${base} cannot be compared with HEAD (${words}). Fetch it first (\`git fetch origin main\`; \`fetch-depth: 0\` in a workflow), or check everything by leaving --base out.`,
  );
}
