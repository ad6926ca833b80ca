import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, says, type Script } from '../support/model-api/script.ts';
import { startModelApi } from '../support/model-api/server.ts';
import type { ScratchTree } from './scratch-tree.ts';

const TOY = 'test/fixtures/toy-engine';
const CLI = join(process.cwd(), TOY, 'cli', 'toy.mjs');

/** The preset, the parser and the check of the machine, among the forms of a copy. */
export function register(tree: ScratchTree): void {
  tree.add(`${TOY}/runner`, 'runner');
  const forms = 'runner/engines/forms.ts';
  tree.insert(
    forms,
    "import { probeOpencode } from './opencode/probe.ts';\n",
    "import { toy } from './toy/preset.ts';\nimport { probeToy } from './toy/probe.ts';\n",
  );
  tree.insert(
    forms,
    "  'opencode-acp': { engine: opencode, probe: probeOpencode },\n",
    "  'toy-json': { engine: toy, probe: probeToy },\n",
  );
}

const PARSER = `  'toy-json': {
    label: 'Toy',
    capabilities: { ...oneShot, usage: 'tokens', structuredAnswer: false },
    keys: false,
    steers: false,
    mentions: null,
  },
`;

const PRESET = `  verified(
    { id: 'toy', label: 'Toy', parser: 'toy-json', command: ['toy'] },
    { npm: 'toy-cli' },
  ),
`;

/** What it is as data, and where it comes from. */
export function describeEngine(tree: ScratchTree): void {
  tree.insert('protocol/parsers.ts', 'export const PARSERS = {\n', PARSER);
  const builtIn = 'protocol/builtin-presets.ts';
  tree.insert(builtIn, 'BUILT_IN_PRESETS: readonly BuiltInPreset[] = [\n', PRESET);
}

const SOURCE = `  toy: {
    package: 'toy-cli',
    version: '1.0.0',
    installStep: null,
    executable: 'toy.mjs',
  },
`;

/** The version that the tests install, as if npm had installed it already. */
export function install(tree: ScratchTree): void {
  tree.insert('tools/engines/install.ts', 'const SOURCES = {\n', SOURCE);
  const folder = '.engines/toy-1.0.0';
  tree.add(`${TOY}/cli`, `${folder}/node_modules/toy-cli`);
  tree.write(`${folder}/installed`, '1.0.0\n');
}

const ROW = `  toy: {
    ...codex,
    subagents: nothing('it has none'),
  },
`;

/** The record, and what proves each check of the matrix. */
export function addRecord(tree: ScratchTree): void {
  tree.add(`${TOY}/test/engines`, 'test/engines');
  const records = 'test/engines/conformance/records.ts';
  tree.insert(
    records,
    "import type { EngineRecord, EngineWorld, Records } from './record.ts';\n",
    "import { toy } from './toy.ts';\n",
  );
  tree.insert(records, "  'gemini-acp': geminiAcp,\n", '  toy,\n');
  tree.insert('test/engines/conformance/matrix.ts', 'export const MATRIX: Matrix = {\n', ROW);
}

const SCRIPTS: Readonly<Record<string, Script>> = {
  push: {
    'say bye': [calls('shell', { command: 'git push origin HEAD:refs/heads/bye' }), says('Bye.')],
  },
  'refused-401': {
    'say bye': [{ kind: 'error', status: 401, type: 'authentication_error', message: 'no key' }],
  },
};

/** Golden transcripts: what the program really prints, recorded, and the tests that read them. */
export async function recordTranscripts(tree: ScratchTree): Promise<void> {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    const lines = (await recordTurn(script)).map((line) => `${JSON.stringify(line)}\n`);
    tree.write(`test/fixtures/engines/toy-1.0.0/${name}.jsonl`, lines.join(''));
  }
  const tests = 'test/runner/engines/toy/captures';
  tree.add(`${TOY}/${tests}.ts`, `${tests}.test.ts`);
}

type Recorded = { t: number; dir: 'argv' | 'out' | 'exit'; line: unknown };

async function recordTurn(script: Script): Promise<Recorded[]> {
  const home = mkdtempSync(join(tmpdir(), 'pilothouse-toy-'));
  mkdirSync(join(home, '.toy'));
  writeFileSync(join(home, '.toy', 'config.json'), '{ "model": "claude-opus-5-5" }');
  const api = await startModelApi(script);
  const env = { PATH: process.env['PATH'], HOME: home, TOY_URL: api.url, TOY_KEY: 'toy-fake-0000' };
  const argv = ['--new', '11111111-1111-4111-8111-111111111111'];
  try {
    const { stdout, exitCode } = await new Promise<{ stdout: string; exitCode: number }>(
      (resolve) => {
        const child = execFile(CLI, argv, { env, cwd: home }, (error, out) =>
          resolve({ stdout: out, exitCode: error ? Number(error.code) : 0 }),
        );
        child.stdin?.end('say bye');
      },
    );
    const out = stdout.split('\n').filter(Boolean);
    return [
      { t: 0, dir: 'argv', line: { bin: 'toy', argv } },
      ...out.map((line, t): Recorded => ({ t, dir: 'out', line: JSON.parse(line) })),
      { t: out.length, dir: 'exit', line: { exitCode } },
    ];
  } finally {
    await api.close();
    rmSync(home, { recursive: true, force: true });
  }
}
