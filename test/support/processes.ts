import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long processes may take to end after they were killed, in ms. */
const GONE_MS = 20_000;

export type Seen = { pid: number; argv: string; environment: string };

/** Every process whose files can be read, this one aside; none where there is no `/proc`. */
export function listSeen(): Seen[] {
  if (!existsSync('/proc')) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name): Seen[] => {
    if (Number(name) === process.pid) return [];
    try {
      const [argv, environment] = ['cmdline', 'environ'].map((file) =>
        readFileSync(`/proc/${name}/${file}`, 'utf8'),
      );
      return [{ pid: Number(name), argv: argv ?? '', environment: environment ?? '' }];
    } catch {
      // Gone in the meantime, or of another user.
      return [];
    }
  });
}

/**
 * Ids of the processes whose environment names a data directory: the host, workerd, the runner,
 * its engines and their tools, whoever their parent is now. Linux only.
 */
export const listProcessesOf = (data: string): number[] =>
  listSeen()
    .filter(({ environment }) => environment.split('\0').some((each) => each.includes(data)))
    .map(({ pid }) => pid);

/**
 * Ends all that a test began in its directory, whoever its parent is by now: a server of tmux and
 * the programs in its panes outlive whoever asked for them. Answers once nothing is left, so that
 * the directory can go; throws with what does not end.
 */
export function endProcessesOf(directory: string): void {
  const begun = Date.now();
  for (;;) {
    const left = listSeen().filter(({ argv, environment }) =>
      `${argv}\0${environment}`.includes(directory),
    );
    if (left.length === 0) return;
    if (Date.now() - begun > GONE_MS) throw new Error(`still there: ${tell(left)}`);
    for (const { pid } of left) endNow(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/**
 * What `mkdtemp` makes, and no file of a person's: `/tmp/ci-output.log` and `/tmp/my-server` are none.
 * One in two hundred that are made has neither a digit nor a capital, and is not told from a word.
 */
const SCRATCH = new RegExp(
  String.raw`${tmpdir()}/[\w-]+-(?![a-z]{6})[A-Za-z0-9]{6}(?![\w.-])`,
  'g',
);
/** Several copies of the repository may be tested on one machine at a time. */
const HERE = join(import.meta.dirname, '..', '..');
/** `/copy-2` is another one than `/copy`. */
const namesHere = (all: string): boolean =>
  all
    .split(HERE)
    .slice(1)
    .some((rest) => !/^[\w.-]/.test(rest));

/** Whether a process belongs to a directory of this repository's tests that is there no more. */
export const isLeftOver = (
  { argv, environment }: Seen,
  isThere: (directory: string) => boolean = existsSync,
): boolean => {
  const all = `${argv}\0${environment}`;
  const directories = all.match(SCRATCH) ?? [];
  return namesHere(all) && directories.length > 0 && !directories.some(isThere);
};

export function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

export const tell = (processes: readonly Seen[]): string =>
  processes
    .map(({ pid, argv }) => `${pid} ${argv.replaceAll('\0', ' ').trim().slice(0, 200)}`)
    .join('\n');
