import { launchId, turnId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { claude } from '../../runner/engines/claude/preset.ts';
import { codexAppServer } from '../../runner/engines/codex/app-server/preset.ts';
import { codex } from '../../runner/engines/codex/preset.ts';
import type { Engine, EngineLaunch, EngineStep } from '../../runner/engines/engine.ts';
import { gemini } from '../../runner/engines/gemini/preset.ts';
import { createRedactor, type Redactor } from '../../runner/guard/redact.ts';
import { listCaptures, readCapture } from '../runner/engines/replay.ts';
import { monotonicMs } from './lines.ts';

/** Engines, and the folder of `test/fixtures/engines` whose recorded processes stand for each. */
const RECORDED: readonly { name: string; engine: Engine; folder: string }[] = [
  { name: 'claude', engine: claude, folder: 'claude-2.1.332-partials' },
  { name: 'codex exec', engine: codex, folder: 'codex-0.171.0' },
  { name: 'codex app', engine: codexAppServer, folder: 'codex-app-server-0.171.0' },
  { name: 'gemini', engine: gemini, folder: 'gemini-0.61.0' },
];

/** Names and lengths as an environment has them; none of the values is in a recording. */
const SECRETS = ['API_KEY', 'GITHUB_TOKEN', 'DATABASE_URL', 'NPM_TOKEN', 'AWS_SECRET'].map(
  (name, index) => ({ name, value: `sk-bench-${String(index).repeat(24)}-${name.toLowerCase()}` }),
);

/** Best of the runs, in megabytes of engine output per second of processor work. */
export type ParserReport = {
  name: string;
  bytes: number;
  /** `JSON.parse` of the same lines, and nothing else. */
  json: number;
  parse: number;
  /** The same with every event redacted. */
  redacted: number;
};

/** How fast each engine's recorded output is read, against reading its JSON alone in the same run. */
export function measureParsers(size: { rounds: number; bytes: number }): ParserReport[] {
  return RECORDED.map((recorded) => measureParser(recorded, size));
}

function measureParser(
  { name, engine, folder }: (typeof RECORDED)[number],
  { rounds, bytes: wanted }: { rounds: number; bytes: number },
): ParserReport {
  const processes = listCaptures(folder).map((file) => linesOf(folder, file));
  const once = processes.flat().reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  const repeats = Math.max(1, Math.round(wanted / once));
  const bytes = once * repeats;
  const redactor = createRedactor(SECRETS);
  const ways = {
    json: () => processes.flat().forEach((line) => void parsed(line)),
    parse: () => processes.forEach((lines) => readProcess(engine, lines, null)),
    redacted: () => processes.forEach((lines) => readProcess(engine, lines, redactor)),
  };
  const best = { json: 0, parse: 0, redacted: 0 };
  // The ways take turns, so that what else the machine does meets all of them.
  for (let round = 0; round < rounds; round++) {
    for (const way of ['json', 'parse', 'redacted'] as const) {
      const startedAt = monotonicMs();
      for (let repeat = 0; repeat < repeats; repeat++) ways[way]();
      const perSecond = bytes / 1e6 / ((monotonicMs() - startedAt) / 1000);
      best[way] = Math.max(best[way], perSecond);
    }
  }
  return { name, bytes, ...best };
}

function linesOf(folder: string, name: string): string[] {
  const output = readCapture(folder, name).filter(({ dir }) => dir === 'out');
  return output.map(({ line }) => {
    const text = (line as { _text?: unknown })._text;
    return typeof text === 'string' ? text : JSON.stringify(line);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Engines print words between their lines.
    return null;
  }
}

function readProcess(engine: Engine, lines: readonly string[], redactor: Redactor | null): void {
  let state = engine.open(launchOf(engine)).state;
  const take = (step: EngineStep<unknown>) => {
    state = step.state;
    if (redactor) for (const item of step.items) redactor.event(item);
  };
  take(engine.encodeInstruction(state, { turnId: turnId.parse('trn_bench'), text: 'Work' }, 0));
  for (const line of lines) take(engine.parse(state, line, 0));
}

function launchOf({ id }: Engine): EngineLaunch {
  return {
    launchId: launchId.parse('lau_bench'),
    launch: launchSpec.parse({ engineId: id, directory: '/r', objective: 'Work' }),
    directory: '/r',
    engineSessionId: '00000000-0000-4000-8000-000000000000',
    resume: false,
    executable: '/usr/bin/engine',
    version: null,
    payer: 'unknown',
    credential: null,
  };
}
