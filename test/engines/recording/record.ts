/**
 * Records runs of the real claude against the loopback model API as golden files.
 * `node test/engines/recording/record.ts [--out FOLDER] [SCENARIO …]`; all scenarios by default.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CANARY_KEY } from '../../support/model-api/raw-claude.ts';
import { normalise, toJsonLines, type Recorded } from './normalise.ts';
import { play, SCENARIOS, type Scenario } from './scenarios.ts';

/** Plays a scenario and returns everything that went in and came out, made machine-neutral. */
export async function record(scenario: Scenario): Promise<Recorded[]> {
  const records: Recorded[] = [];
  const exchange: [string, string][] = [[CANARY_KEY, 'sk-ant-fake-0000']];
  let startedAt = 0;
  const run = await play(scenario, {
    onStart(args, env, workspace) {
      startedAt = performance.now();
      const slug = (path: string) => path.replace(/[^a-zA-Z0-9]/g, '-');
      exchange.push(
        [workspace.home, '/home/dev'],
        [workspace.root, '/home/dev'],
        [slug(workspace.root), '-home-dev'],
        [tmpdir(), '/home/dev/tmp'],
      );
      const { PATH: _path, HOME: _home, ...rest } = env;
      const line = { bin: 'claude', argv: [...BASE_ARGS, ...args], env: rest, cwd: workspace.repo };
      records.push({ t: 0, dir: 'argv', line });
    },
    onTraffic: (traffic) =>
      records.push({ t: Math.round(performance.now() - startedAt), ...traffic }),
  });
  exchange.push([run.api.url, 'http://127.0.0.1:4000']);
  return records.map((each) => ({ ...each, line: normalise(each.line, exchange) }));
}

const NAMES = Object.keys(SCENARIOS);

const BASE_ARGS = [
  '-p',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string', default: 'test/fixtures/engines/claude-2.1.332-partials' } },
    allowPositionals: true,
  });
  mkdirSync(values.out, { recursive: true });
  for (const name of positionals.length > 0 ? positionals : NAMES) {
    const scenario = SCENARIOS[name];
    if (!scenario) throw new Error(`no scenario ${name}; there are ${NAMES.join(', ')}`);
    const records = await record(scenario);
    writeFileSync(join(values.out, `${name}.jsonl`), toJsonLines(records));
    console.log(`${name}: ${records.length} lines, ${records.at(-1)?.t} ms`);
  }
}
