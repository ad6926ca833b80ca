import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Shells that commands can be run in; each says its own words for it. */
export const SHELLS = ['bash', 'zsh', 'fish', 'dash'] as const;
export type ShellKind = (typeof SHELLS)[number];

/** What is in front in a terminal, as the system tells it. Null is what it does not tell. */
export type Front = {
  /** The kind of shell that the pane was begun with; null for any other program. */
  shell: ShellKind | null;
  /** Leader of the process group that gets the keys. */
  leader: number | null;
  /** Whether that is the pane's own first process. */
  own: boolean | null;
};

/** Looks at the first process of a pane, and at who gets the keys of its terminal. */
export function readFront(pid: number): Front {
  const group = process.platform === 'linux' ? readLinux(pid) : readPs(pid);
  if (!group) return { shell: null, leader: null, own: null };
  const shell = runsScript(group.argv) ? null : shellOf(group.program);
  // fish keeps helpers in its own group; dash, at a prompt, has nobody there.
  const alone = shell !== 'dash' || group.alone;
  return { shell, leader: group.front, own: group.front === group.own && alone };
}

/** Whether a process is of the group that gets the keys of its terminal; false where that cannot be told. */
export function isInFront(pid: number): boolean {
  try {
    const groups = parseGroups(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return groups !== null && groups.own === groups.front;
  } catch {
    return false;
  }
}

type Group = {
  own: number;
  front: number;
  program: string;
  argv: readonly string[];
  /** No child is in its group. */
  alone: boolean;
};

/** A shell that was given its command, or a file of them, shows no prompt. */
const runsScript = (argv: readonly string[]): boolean => {
  const first = argv.findIndex((word, index) => index > 0 && !/^[-+]/.test(word));
  return argv.some((word) => /^-[a-zA-Z]*c$/.test(word)) || takesFile(argv, first);
};
/** Of the words before a file's name none may be an option that takes a word. */
const takesFile = (argv: readonly string[], at: number): boolean =>
  at > 0 && !/^(--rcfile|--init-file|[-+]o|[-+]O|-C|--init-command)$/.test(argv[at - 1] ?? '');

function readLinux(pid: number): Group | null {
  try {
    const parsed = parseGroups(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    if (!parsed) return null;
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const program = readlinkSync(`/proc/${pid}/exe`);
    return {
      ...parsed,
      program,
      argv,
      alone: !childrenOf(pid).some((each) => isIn(parsed.own, each)),
    };
  } catch {
    // It has ended, or belongs to somebody else.
    return null;
  }
}

function childrenOf(pid: number): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  return children.split(' ').filter((each) => each !== '');
}

function isIn(group: number, pid: string): boolean {
  try {
    return parseGroups(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.own === group;
  } catch {
    return false;
  }
}

/** Parses process group and foreground group out of `/proc/<pid>/stat` (man 5 proc_pid_stat). */
export function parseGroups(stat: string): { own: number; front: number } | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [own, front] = [Number(fields[2]), Number(fields[5])];
  // A process that has ended is in nobody's way; -1 is a process without a terminal.
  if (fields[0] === 'Z' || !Number.isInteger(own)) return null;
  return Number.isInteger(front) && front > 0 ? { own, front } : null;
}

function readPs(pid: number): Group | null {
  try {
    const ps = (...words: string[]) =>
      execFileSync('ps', words, { encoding: 'utf8', timeout: 2_000 });
    const match = /^\s*(\d+)\s+(\d+)\s+(.+?)\s*$/.exec(
      ps('-p', String(pid), '-o', 'pgid=,tpgid=,args='),
    );
    if (!match?.[3]) return null;
    const own = Number(match[1]);
    const members = ps('-axo', 'pgid=')
      .split('\n')
      .filter((each) => Number(each) === own);
    const argv = match[3].split(' ');
    const program = argv[0] ?? '';
    return { own, front: Number(match[2]), program, argv, alone: members.length <= 1 };
  } catch {
    return null;
  }
}

/** Names a shell by its program; a login shell has a dash before its name. */
export function shellOf(program: string | null): ShellKind | null {
  if (program === null) return null;
  // A shell that was upgraded while it ran.
  const name = basename(program.replace(/ \(deleted\)$/, '')).replace(/^-/, '');
  return SHELLS.find((shell) => shell === name) ?? null;
}

/** How a terminal hands over what is typed; null where it cannot be asked. */
export type LineMode = { canonical: boolean; echo: boolean } | null;

/**
 * Whether the program in front edits its line itself, as shells at their prompt do: a terminal in
 * canonical mode under bash, zsh or fish is a `read`, or a command that the shell runs itself.
 */
export function readLineMode(tty: string): Promise<LineMode> {
  const flag = process.platform === 'linux' ? '-F' : '-f';
  return new Promise((resolve) => {
    execFile('stty', [flag, tty, '-a'], { timeout: 2_000 }, (error, output) => {
      resolve(error ? null : parseLineMode(output));
    });
  });
}

/** Parses `stty -a`, as Linux and BSD print it. */
export function parseLineMode(output: string): LineMode {
  const words = new Set(output.split(/[\s;]+/));
  const is = (flag: string): boolean | null =>
    words.has(flag) ? true : words.has(`-${flag}`) ? false : null;
  const [canonical, echo] = [is('icanon'), is('echo')];
  return canonical === null || echo === null ? null : { canonical, echo };
}
