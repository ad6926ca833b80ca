/**
 * Records conversations with the real persistent engines against loopback model APIs as golden
 * files: `node test/engines/recording/record-talk.ts ENGINE [SCENARIO …]`; all scenarios by
 * default. What is written goes into a temporary home and repository that are removed again.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchId } from '../../../protocol/ids.ts';
import { launchSpec } from '../../../protocol/launch.ts';
import { normalise, toJsonLines } from './normalise.ts';
import { Talk } from './talk.ts';
import { TALKERS } from './talkers.ts';
import { createWorkspace } from './workspace.ts';

const [name = '', ...wanted] = process.argv.slice(2);
const talker = TALKERS[name];
if (!talker) throw new Error(`no engine ${name}; there are ${Object.keys(TALKERS).join(', ')}`);
const out = join('test/fixtures/engines', talker.folder);
mkdirSync(out, { recursive: true });
for (const [title, scenario] of Object.entries(talker.scenarios)) {
  if (wanted.length > 0 && !wanted.includes(title)) continue;
  const workspace = createWorkspace();
  const api = await talker.startApi(scenario.script);
  const { executable, env, model } = talker.settle(workspace.home, api.url);
  const launch = {
    launchId: launchId.parse('lau_capture'),
    launch: launchSpec.parse({
      engineId: talker.engine.id,
      directory: workspace.repo,
      objective: 'Work',
      model,
      approvals: scenario.approvals ?? 'ask',
    }),
    directory: workspace.repo,
    engineSessionId: '00000000-0000-4000-8000-000000000000',
    resume: false,
    executable,
    version: talker.version,
    payer: 'api-key' as const,
    credential: talker.credential,
  };
  const base = { PATH: process.env['PATH'], HOME: workspace.home };
  const talk = new Talk(talker.engine, launch, { ...base, ...env });
  try {
    await talk.play(scenario.moves);
  } finally {
    await api.close();
    workspace.remove();
    const exchange: [string, string][] = [
      [executable, talker.engine.id],
      [workspace.root, '/home/dev'],
      [api.url, 'http://127.0.0.1:4000'],
      [tmpdir(), '/home/dev/tmp'],
      // Installed engines may lie behind a link: their traces name the place itself.
      [realpathSync('.engines'), '/home/dev/engines'],
      [process.cwd(), '/home/dev/product'],
    ];
    const lines = talk.records.map((each) => ({ ...each, line: normalise(each.line, exchange) }));
    writeFileSync(join(out, `${title}.jsonl`), toJsonLines(lines));
    console.log(`${name} ${title}: ${lines.length} lines, ${lines.at(-1)?.t} ms`);
  }
}
