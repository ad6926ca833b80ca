import { git, runGit, type GitOptions } from '../guard/git.ts';
import type { HeldRef, HeldWords } from './held.ts';

/** Names what is kept for an answer, so that git throws none of it away. */
const HELD = 'refs/pilothouse/held/';
/** What the remote does not have yet. */
const UNKNOWN = ['--not', '--branches', '--tags'];
/** Most commits, and lines of their changed files, that a person is shown. */
const SHOWN_COMMITS = 20;
const SHOWN_FILES = 40;
/** Most characters of one line of it: a subject may be as long as a book. */
const SHOWN_CHARS = 200;
/** Most refs that are named in the one line of it. */
const SHOWN_REFS = 5;

/** How much the remote would get, in bytes as they lie here. */
export async function measureNew(refs: readonly HeldRef[], options: GitOptions): Promise<number> {
  const tips = refs.map(({ after }) => after);
  const flags = ['--objects', '--disk-usage'];
  return Number(await git(['rev-list', ...flags, ...tips, ...UNKNOWN], options));
}

export async function keepCommits(
  requestId: string,
  refs: readonly HeldRef[],
  options: GitOptions,
): Promise<void> {
  const input = refs
    .map(({ after, index }) => `create ${HELD}${requestId}/${index} ${after}\n`)
    .join('');
  await git(['update-ref', '--stdin'], { ...options, input });
}

/** The tips of everything that is kept. */
export async function listKept(options: GitOptions): Promise<string[]> {
  const listed = await git(['for-each-ref', '--format=%(objectname)', HELD], options);
  return listed.split('\n').filter(Boolean);
}

/** Forgets what is kept beyond these requests. Says whether there was any. */
export async function dropCommits(kept: readonly string[], options: GitOptions): Promise<boolean> {
  const listed = await git(['for-each-ref', '--format=%(refname)', HELD], options);
  const gone = listed.split('\n').filter((ref) => {
    const [requestId = ''] = ref.slice(HELD.length).split('/');
    return ref !== '' && !kept.includes(requestId);
  });
  if (gone.length === 0) return false;
  const input = gone.map((ref) => `delete ${ref}\n`).join('');
  await git(['update-ref', '--stdin'], { ...options, input });
  return true;
}

/** What a person needs to say yes or no: the commits, what they change, and why they are asked. */
export async function describeCommits(
  refs: readonly HeldRef[],
  options: GitOptions,
): Promise<HeldWords> {
  const told = await Promise.all(refs.map((ref) => describeRef(ref, options)));
  const names = refs.slice(0, SHOWN_REFS).map(({ ref }) => nameOf(ref));
  const beyond = refs.length - names.length;
  const where = names.join(', ') + (beyond > 0 ? ` and ${beyond} more` : '');
  const [only] = told;
  const what = told.length === 1 && only ? sayCommits(only.count) : `${told.length} refs`;
  return {
    summary: `push ${what} to ${where}`,
    text: told.map(({ text }) => text).join('\n\n'),
  };
}

async function describeRef(
  { ref, before, after, reason }: HeldRef,
  options: GitOptions,
): Promise<{ count: number; text: string }> {
  const count = Number(await git(['rev-list', '--count', after, ...UNKNOWN], options));
  const format = ['--no-color', '--format=%h %s (%an)', `--max-count=${SHOWN_COMMITS}`];
  const commits = (await git(['log', ...format, after, ...UNKNOWN], options)).split('\n');
  const from = await startOf(before, after, options);
  const stat = ['--no-color', '--no-ext-diff', '--no-textconv', `--stat=100,80,${SHOWN_FILES}`];
  const files = await git(['diff', ...stat, from, after], options);
  const left = count - SHOWN_COMMITS;
  return {
    count,
    text: [
      `${sayCommits(count)} to ${nameOf(ref)}: ${reason}.`,
      ...commits.filter(Boolean).map((line) => `  ${line}`),
      ...(left > 0 ? [`  … and ${left} more`] : []),
      ...files.split('\n').filter(Boolean),
    ]
      .map(showLine)
      .join('\n'),
  };
}

/** From where its changes are counted: where the ref is, else where it left the default branch. */
async function startOf(before: string, after: string, options: GitOptions): Promise<string> {
  if (!/^0+$/.test(before)) return before;
  const base = await runGit(['merge-base', 'HEAD', after], options);
  if (base.exitCode === 0) return base.stdout.trim();
  return git(['hash-object', '-t', 'tree', '--stdin'], { ...options, input: '' });
}

const sayCommits = (count: number): string => (count === 1 ? '1 commit' : `${count} commits`);
const nameOf = (ref: string): string => showLine(ref.replace(/^refs\/(?:heads|tags)\//, ''));

/** The session's own words, without what would make a person read others than there are. */
function showLine(text: string): string {
  const seen = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
  return seen.length <= SHOWN_CHARS ? seen : `${seen.slice(0, SHOWN_CHARS - 1)}…`;
}
