/**
 * Installs real engines for the tests, each version in a folder of its own under `.engines/`, from
 * the package registry alone. `node tools/engines/install.ts claude` prints the executable's path.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type EngineSource = {
  package: string;
  version: string;
  /** The package's own install step, relative to it: npm may be set to skip install scripts. */
  installStep: string | null;
  executable: string;
};

const SOURCES = {
  claude: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    installStep: 'install.cjs',
    executable: 'bin/claude.exe',
  },
  'claude-old': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.197',
    installStep: 'install.cjs',
    executable: 'bin/claude.exe',
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    installStep: null,
    executable: 'bundle/gemini.js',
  },
  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    installStep: 'postinstall.mjs',
    executable: 'bin/opencode.exe',
  },
  qwen: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    installStep: null,
    executable: 'cli-entry.js',
  },
  codex: {
    package: '@openai/codex',
    version: '0.171.0',
    installStep: null,
    // npm's launcher, as a person has it; the product finds the native executable behind it.
    executable: 'bin/codex.js',
  },
} as const satisfies Record<string, EngineSource>;

export type EngineName = keyof typeof SOURCES;

/** The version that is installed of an engine; null for one that the tests do not install. */
export function versionOf(name: EngineName): string;
export function versionOf(name: string): string | null;
export function versionOf(name: string): string | null {
  return isName(name) ? SOURCES[name].version : null;
}

const TOP = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Installs one engine unless it is there, and returns the absolute path of its executable. Takes
 * tens of seconds the first time and nothing afterwards. Throws with npm's words when it fails.
 */
export function installEngine(name: EngineName): string {
  const source: EngineSource = SOURCES[name];
  const folder = join(TOP, '.engines', `${name}-${source.version}`);
  const installed = join(folder, 'node_modules', source.package);
  const executable = join(installed, source.executable);
  const stamp = join(folder, 'installed');
  if (existsSync(stamp) && existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const run = (command: string, args: string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--force',
      `${source.package}@${source.version}`,
    ],
    folder,
  );
  if (source.installStep) run(process.execPath, [source.installStep], installed);
  run(executable, ['--version'], folder);
  writeFileSync(stamp, `${source.version}\n`);
  return executable;
}

const isName = (name: string): name is EngineName => Object.hasOwn(SOURCES, name);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !isName(name));
  if (names.length === 0 || unknown.length > 0) {
    console.error(`Usage: node tools/engines/install.ts ${Object.keys(SOURCES).join('|')} …`);
    process.exitCode = 2;
  } else {
    for (const name of names.filter(isName)) console.log(installEngine(name));
  }
}
