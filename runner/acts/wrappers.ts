import { has, parseOptions, placesOfFind } from './arguments.ts';
import { commandOfGit } from './git-runs.ts';
import type { Argument } from './types.ts';

/** What a program that runs another program runs. */
export type Unwrapped =
  | { kind: 'command'; fields: readonly Argument[]; uncertain?: boolean }
  | { kind: 'script'; script: Argument; uncertain?: boolean; positional?: readonly Argument[] }
  /** A shell that reads its script from standard input. */
  | { kind: 'input' }
  | { kind: 'nothing' };

type Unwrap = (args: readonly Argument[]) => Unwrapped;

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Leaves out leading options (with their values) and environment assignments. */
function after(
  args: readonly Argument[],
  valued: readonly string[],
  operands = 0,
): readonly Argument[] {
  let index = 0;
  for (; index < args.length; index++) {
    const text = args[index]?.text ?? '';
    if (text === '--') {
      index += 1;
      break;
    }
    if (valued.includes(text)) index += 1;
    else if (!text.startsWith('-') && !ASSIGNMENT.test(text)) break;
  }
  return args.slice(index + operands);
}

const plain =
  (valued: readonly string[] = [], operands = 0): Unwrap =>
  (args) => ({ kind: 'command', fields: after(args, valued, operands) });

const command: Unwrap = (args) =>
  has(parseOptions(args.slice(0, 1)), '-v', '-V') ? { kind: 'nothing' } : plain()(args);

const env: Unwrap = (args) => {
  const split = args.findIndex(({ text }) => text === '-S' || text === '--split-string');
  const script = split >= 0 ? args[split + 1] : undefined;
  return script ? { kind: 'script', script } : plain(['-u', '--unset', '-C', '--chdir'])(args);
};

/** `-c SCRIPT`, also inside a cluster: `-lc`. Without it, a file that cannot be seen, or its input. */
const shell: Unwrap = (args) => {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? '';
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(text)) {
      const rest = args
        .slice(index + 1)
        .filter((arg, at, all) => at > 0 || !arg.text.startsWith('-') || all.length === 1);
      const script = rest[0];
      return script ? { kind: 'script', script, positional: rest.slice(2) } : { kind: 'nothing' };
    }
    if (
      text === '-o' ||
      text === '+o' ||
      text === '-O' ||
      text === '--rcfile' ||
      text === '--init-file'
    )
      index += 1;
    else if (text === '-s' || text === '-') return { kind: 'input' };
    else if (!text.startsWith('-') && !text.startsWith('+')) return { kind: 'nothing' };
  }
  return { kind: 'input' };
};

const evaluate: Unwrap = (args) => ({
  kind: 'script',
  script: {
    text: args.map(({ text }) => text).join(' '),
    certain: args.every((arg) => arg.certain),
  },
});

const optionScript =
  (...names: string[]): Unwrap =>
  (args) => {
    // Also as the last of a cluster: `-qc`.
    const at = args.findIndex(
      ({ text }) => names.includes(text) || (names.includes('-c') && /^-[a-zA-Z]+c$/.test(text)),
    );
    const script = at >= 0 ? args[at + 1] : undefined;
    return script ? { kind: 'script', script } : { kind: 'nothing' };
  };

const IN_CONTAINER = [
  '-e',
  '-v',
  '-w',
  '-u',
  '-p',
  '-l',
  '-m',
  '-h',
  '-n',
  '-c',
  '-f',
  '--env',
  '--env-file',
  '--volume',
  '--workdir',
  '--user',
  '--publish',
  '--name',
  '--network',
  '--platform',
  '--mount',
  '--entrypoint',
  '--memory',
  '--cpus',
  '--hostname',
  '--namespace',
  '--container',
  '--context',
  '--file',
];

/** `docker exec NAME CMD`: runs where this line's files and powers may not be. */
const container =
  (...subcommands: readonly string[]): Unwrap =>
  (args) => {
    let rest = after(args, IN_CONTAINER);
    if (rest[0]?.text === 'compose') rest = after(rest.slice(1), IN_CONTAINER);
    if (!rest[0] || !subcommands.includes(rest[0].text)) return { kind: 'nothing' };
    const fields = after(rest.slice(1), IN_CONTAINER, 1);
    return fields.length > 0 ? { kind: 'command', fields, uncertain: true } : { kind: 'nothing' };
  };

/** Its input becomes more arguments, which nobody can see here. */
const xargs: Unwrap = (args) => {
  const fields = after(args, [
    '-I',
    '-i',
    '-n',
    '-P',
    '-L',
    '-d',
    '-a',
    '-s',
    '-E',
    '--max-args',
    '--max-procs',
    '--delimiter',
    '--arg-file',
    '--replace',
  ]);
  return {
    kind: 'command',
    fields: fields.length > 0 ? [...fields, { text: '…', certain: false }] : [],
    uncertain: true,
  };
};

/** An argument once for each place; a script, which is one argument, with all of them in it. */
function reachInto(places: readonly Argument[], arg: Argument): Argument[] {
  const found = places.map((place) => ({ ...place, text: `${place.text}/{}` }));
  const all = {
    text: found.map(({ text }) => text).join(' '),
    certain: found.every((one) => one.certain),
  };
  return (/\s/.test(arg.text) ? [all] : found).map(({ text, certain }) => ({
    text: arg.text.replaceAll('{}', () => text),
    certain: arg.certain && certain,
  }));
}

const find: Unwrap = (args) => {
  const at = args.findIndex(({ text }) => ['-exec', '-execdir', '-ok', '-okdir'].includes(text));
  if (at < 0) return { kind: 'nothing' };
  const places = placesOfFind(args);
  // What it finds lies where it looks, and so the command reaches there.
  const rest = args
    .slice(at + 1)
    .flatMap((arg) => (arg.text.includes('{}') ? reachInto(places, arg) : [arg]));
  const end = rest.findIndex(({ text }) => text === ';' || text === '+');
  return { kind: 'command', fields: end < 0 ? rest : rest.slice(0, end), uncertain: true };
};

/** The command runs on another machine, in surroundings that are not this line's. */
const ssh: Unwrap = (args) => {
  const rest = after(
    args,
    [
      '-p',
      '-i',
      '-l',
      '-o',
      '-F',
      '-J',
      '-L',
      '-R',
      '-D',
      '-E',
      '-b',
      '-c',
      '-m',
      '-W',
      '-w',
      '-S',
      '-Q',
      '-e',
    ],
    1,
  );
  const text = rest.map((arg) => arg.text).join(' ');
  return text
    ? { kind: 'script', script: { text, certain: false }, uncertain: true }
    : { kind: 'nothing' };
};

/** `npx PACKAGE ARGS`: the package is named like its program in all cases that matter here. */
const packageRunner: Unwrap = (args) => {
  const scripted = args.findIndex(({ text }) => text === '-c' || text === '--call');
  const script = scripted >= 0 ? args[scripted + 1] : undefined;
  if (script) return { kind: 'script', script };
  const [first, ...rest] = after(args, ['-p', '--package', '--registry']);
  return first
    ? { kind: 'command', fields: [{ ...first, text: withoutVersion(first.text) }, ...rest] }
    : { kind: 'nothing' };
};

const withoutVersion = (name: string): string => name.replace(/(?<=.)@[^/]*$/, '');

/** `TOOL run CMD`, `TOOL exec -- CMD`: only under one of these subcommands. */
const under =
  (subcommands: readonly string[], valued: readonly string[] = []): Unwrap =>
  (args) => {
    const [first, ...rest] = after(args, valued);
    return first && subcommands.includes(first.text) ? packageRunner(rest) : { kind: 'nothing' };
  };

/** `kubectl exec POD -- CMD`: what is run stands behind the dashes. */
const pod: Unwrap = (args) => {
  const at = args.findIndex(({ text }) => text === '--');
  return args.some(({ text }) => text === 'exec') && at >= 0
    ? { kind: 'command', fields: args.slice(at + 1), uncertain: true }
    : container('exec')(args);
};

/** `TOOL … -- CMD`. */
const behindDashes: Unwrap = (args) => {
  const at = args.findIndex(({ text }) => text === '--');
  return at < 0 ? { kind: 'nothing' } : { kind: 'command', fields: args.slice(at + 1) };
};

const conda: Unwrap = (args) =>
  args[0]?.text === 'run'
    ? plain(['-n', '--name', '-p', '--prefix', '--cwd'])(args.slice(1))
    : { kind: 'nothing' };

const nix: Unwrap = (args) => {
  const at = args.findIndex(({ text }) => text === '-c' || text === '--command');
  return at < 0 ? { kind: 'nothing' } : { kind: 'command', fields: args.slice(at + 1) };
};

const git: Unwrap = (args) => {
  const script = commandOfGit(args);
  return script ? { kind: 'script', script, uncertain: true } : { kind: 'nothing' };
};

/** Programs that run what their arguments name. */
export const WRAPPERS: Readonly<Record<string, Unwrap>> = {
  bash: shell,
  sh: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  ash: shell,
  busybox: plain(),
  eval: evaluate,
  env,
  command,
  builtin: plain(),
  exec: plain(['-a']),
  nohup: plain(),
  setsid: plain(),
  time: plain(['-f', '-o', '--format', '--output']),
  nice: plain(['-n', '--adjustment']),
  ionice: plain(['-c', '-n', '--class', '--classdata']),
  chrt: plain([], 1),
  taskset: plain([], 1),
  timeout: plain(['-k', '--kill-after', '-s', '--signal'], 1),
  gtimeout: plain(['-k', '--kill-after', '-s', '--signal'], 1),
  stdbuf: plain(['-i', '-o', '-e']),
  unbuffer: plain(),
  unshare: plain(['-R', '-w', '-S', '-G', '--root', '--wd']),
  nsenter: plain(['-t', '--target', '-S', '-G']),
  chroot: plain([], 1),
  runuser: plain(['-u', '--user', '-g', '--group']),
  setpriv: plain(),
  'systemd-run': plain(['-p', '--property', '-u', '--unit', '-M', '-E']),
  strace: plain(['-e', '-o', '-s', '-u', '-p']),
  fakeroot: plain(),
  torsocks: plain(),
  proxychains4: plain(['-f']),
  caffeinate: plain(['-t', '-w']),
  sudo: plain([
    '-u',
    '-g',
    '-h',
    '-p',
    '-C',
    '-T',
    '-r',
    '-t',
    '-D',
    '-R',
    '--user',
    '--group',
    '--host',
    '--chdir',
  ]),
  doas: plain(['-u', '-C']),
  su: optionScript('-c', '--command'),
  script: optionScript('-c', '--command'),
  flock: (args) => {
    const scripted = optionScript('-c', '--command')(args);
    return scripted.kind === 'nothing'
      ? plain(['-w', '--wait', '--timeout', '-E'], 1)(args)
      : scripted;
  },
  watch: (args) => evaluate(after(args, ['-n', '--interval'])),
  trap: (args) =>
    args[0] && args.length > 1 ? { kind: 'script', script: args[0] } : { kind: 'nothing' },
  xargs,
  parallel: xargs,
  find,
  fd: (args) => {
    const at = args.findIndex(({ text }) => ['-x', '-X', '--exec', '--exec-batch'].includes(text));
    return at < 0
      ? { kind: 'nothing' }
      : { kind: 'command', fields: args.slice(at + 1), uncertain: true };
  },
  ssh,
  npx: packageRunner,
  bunx: packageRunner,
  pnpx: packageRunner,
  uvx: packageRunner,
  pipx: under(['run']),
  poetry: under(['run']),
  uv: under(['run']),
  bundle: under(['exec']),
  mise: under(['exec', 'x']),
  doppler: under(['run']),
  op: under(['run']),
  dotenv: plain(['-e', '-f']),
  'cross-env': plain(),
  git,
  pipenv: under(['run']),
  pdm: under(['run']),
  hatch: under(['run']),
  rye: under(['run']),
  heroku: under(['run'], ['-a', '--app']),
  conda,
  mamba: conda,
  micromamba: conda,
  nix,
  'nix-shell': optionScript('--run', '--command'),
  entr: plain(),
  'aws-vault': behindDashes,
  chamber: behindDashes,
  infisical: behindDashes,
  dotenvx: behindDashes,
  docker: container('run', 'exec'),
  podman: container('run', 'exec'),
  nerdctl: container('run', 'exec'),
  kubectl: pod,
  oc: pod,
  direnv: (args) =>
    args[0]?.text === 'exec' ? { kind: 'command', fields: args.slice(2) } : { kind: 'nothing' },
};

/** Programs that are wrappers under some subcommands and something else under others. */
export const SOMETIMES_WRAPPERS: ReadonlySet<string> = new Set([
  'poetry',
  'uv',
  'find',
  'fd',
  'docker',
  'podman',
  'nerdctl',
  'kubectl',
  'oc',
  'git',
  'heroku',
  'hatch',
  'pdm',
  'chamber',
  'infisical',
  'aws-vault',
]);
export const packageExec: Unwrap = packageRunner;
