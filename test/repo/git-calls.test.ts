import { describe, expect, test } from 'vitest';
import { listCode, type SourceFile } from './source-files.ts';

/**
 * Every place from which the runner starts git: where it may run, and with whose configuration.
 * A session writes its checkout, so that git there would run whatever the session put in.
 */
const SPAWNS: Readonly<Record<string, string>> = {
  'runner/guard/git.ts':
    'anywhere, because nothing that a repository brings along may start a program: the person’s configuration is read only where a caller says so',
  'runner/gate/server.ts':
    'in the gate’s own bare repository, with the hook of ours and the same environment as all others',
  'runner/seal/gate-ask.ts':
    'in a session’s own checkout, by the session: a program that is copied there, and runs nowhere else',
  'runner/seal/gate-lfs.ts': 'as the program before it, by the session’s git-lfs',
  'runner/seal/guard-ask.ts': 'where an open session pushes from, by the session’s own git',
  'runner/doctor/doctor.ts': 'nowhere: it asks for git’s version, which reads no configuration',
  'runner/doctor/guard.ts':
    'in the root directory, for one setting, which the guard puts into its environment',
  'runner/engines/rehearsal/repository.ts':
    'in a new directory, before any session has been in it, with the same environment as all others',
};

/** Every place that reads the person’s own configuration, and why it may. */
const PERSONAL: Readonly<Record<string, string>> = {
  'runner/guard/git.ts': 'it is the option itself',
  'runner/guard/source.ts': 'lists what is configured, which runs nothing',
  'runner/guard/uncommitted.ts':
    'records the person’s changes with their filters, in their repository and in no session’s',
  'runner/gate/forge.ts':
    'reaches the real remote with their credentials, from a directory of the runner’s',
};

/** Every place that takes a part of the hardening back. */
const UNHARDENED: Readonly<Record<string, string>> = {
  'runner/guard/git.ts': 'it is the option itself',
  'runner/gate/forge.ts': 'credentials and ssh, as the person has them',
  'runner/gate/server.ts': 'hooks, of which there is the gate’s own',
};

/** Starts a program by the name of git, whatever starts it and however it is called there. */
const STARTS_GIT =
  /\b(spawn|spawnSync|exec|execSync|execFile|execFileSync|fork|run|runFile)\(\s*(['"`])(git\b|\S*\/git\b)/;
/** A shell that is given git’s name. */
const SHELL_GIT = /\b(spawn|exec\w*|run)\((['"`])(sh|bash|\/bin\/sh)\2[^)]*\bgit /;

const runnerFiles = (): SourceFile[] => {
  const files = listCode().filter(({ path }) => path.startsWith('runner/'));
  // A guard that looks at nothing passes everything.
  if (files.length < 100) throw new Error(`only ${files.length} files of the runner were found`);
  return files;
};

const filesWith = (files: readonly SourceFile[], ...patterns: readonly RegExp[]): string[] =>
  files
    .filter(({ text }) => patterns.some((pattern) => pattern.test(withoutComments(text))))
    .map(({ path }) => path)
    .toSorted();

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

const named = (places: Readonly<Record<string, string>>): string[] =>
  Object.keys(places).toSorted();

describe('git on the runner’s side', () => {
  test('is started in the places that are named here, and in no other', () => {
    expect(filesWith(runnerFiles(), STARTS_GIT, SHELL_GIT)).toEqual(named(SPAWNS));
  });

  test('reads the person’s own configuration where it is named here, and nowhere else', () => {
    expect(filesWith(runnerFiles(), /\bpersonal\s*[:?=]/)).toEqual(named(PERSONAL));
  });

  test('is less guarded where it is named here, and nowhere else', () => {
    const files = runnerFiles().filter(
      ({ text }) => /\bunhardened\b/.test(text) || /gitEnvironment\([^;]*\[\s*'/.test(text),
    );
    expect(files.map(({ path }) => path).toSorted()).toEqual(named(UNHARDENED));
  });

  test('makes its environment in one place', () => {
    const makers = filesWith(runnerFiles(), /GIT_CONFIG_(COUNT|GLOBAL|KEY_)/);
    expect(makers.filter((path) => path.startsWith('runner/guard'))).toEqual([
      'runner/guard/git.ts',
    ]);
  });
});

describe('this guard', () => {
  const fails = (text: string): boolean =>
    filesWith([{ path: 'runner/new.ts', text }], STARTS_GIT, SHELL_GIT).length === 1;

  test.each([
    `spawn('git', ['status'])`,
    `execFileSync("git", args)`,
    `await run('git', ['init'])`,
    `promisify(execFile)('x'); execFile(\n  'git',\n  [])`,
    'spawn(`git`, [])',
    `spawn('/usr/bin/git', [])`,
    `execSync('git status')`,
    `spawn('sh', ['-c', 'git fetch'])`,
  ])('finds %s', (text) => {
    expect(fails(text)).toBe(true);
  });

  test.each([
    `const by = 'git';`,
    `runGit(['status'], options)`,
    `// spawn('git') would be wrong`,
    `/** run('git') */`,
    `spawn('gitk', [])`,
  ])('does not take %s for one', (text) => {
    expect(fails(text)).toBe(false);
  });
});
