import { launchId, turnId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { claude } from '../../runner/engines/claude/preset.ts';
import { codexAppServer } from '../../runner/engines/codex/app-server/preset.ts';
import { codex } from '../../runner/engines/codex/preset.ts';
import type { Engine, EngineLaunch, EngineStep } from '../../runner/engines/engine.ts';
import { geminiAcp } from '../../runner/engines/gemini/acp.ts';
import { gemini } from '../../runner/engines/gemini/preset.ts';
import { opencode } from '../../runner/engines/opencode/preset.ts';
import { engineOfPreset } from '../../runner/engines/presets.ts';
import { createRedactor, type Redactor } from '../../runner/guard/redact.ts';
import { listCaptures, readCapture } from '../runner/engines/replay.ts';
import { aPreset } from '../support/preset-builders.ts';
import { monotonicMs } from './lines.ts';

type Move = { instruct: string } | { line: string };

/** A recorded process: what it was told, and what it wrote, in order. */
type Recorded = { name: string; engine: Engine; processes: readonly (readonly Move[])[] };

const recorded = (name: string, engine: Engine, folder: string): Recorded => ({
  name,
  engine,
  processes: listCaptures(folder).map((file) => movesOf(folder, file)),
});

/** A command without a structure: what it prints, colours and all, is its answer. */
const PRINTED = Array.from({ length: 200 }, (_, index) =>
  index % 10 === 0
    ? `\u001b[32m✓\u001b[0m test ${index} of the suite \u001b[2m${index} ms\u001b[0m`
    : `  ${index}: const answer = await compute(input, { retries: ${index} });`,
);

/** Engines, and the recorded processes that stand for each. */
const readRecorded = (): readonly Recorded[] => [
  recorded('claude', claude, 'claude-2.1.332-partials'),
  recorded('codex exec', codex, 'codex-0.171.0'),
  recorded('codex app', codexAppServer, 'codex-app-server-0.171.0'),
  recorded('gemini', gemini, 'gemini-0.61.0'),
  recorded('gemini acp', geminiAcp, 'gemini-acp-0.61.0'),
  recorded('opencode', opencode, 'opencode-acp-1.18.33'),
  {
    name: 'text',
    engine: engineOfPreset(aPreset()),
    processes: [[{ instruct: 'Work' }, ...PRINTED.map((line) => ({ line }))]],
  },
];

/** Names and lengths as an environment has them; none of the values is in a recording. */
const SECRETS = ['API_KEY', 'GITHUB_TOKEN', 'DATABASE_URL', 'NPM_TOKEN', 'AWS_SECRET'].map(
  (name, index) => ({ name, value: `sk-bench-${String(index).repeat(24)}-${name.toLowerCase()}` }),
);

/** Of the kind that people have in limits.toml. */
const PATTERNS = [
  'ghp_[A-Za-z0-9]{36}',
  'fk_(?:live|test)_[A-Za-z0-9]{24,80}',
  'xox[baprs]-[\\w-]{10,80}',
  '(?:AKIA|ASIA)[0-9A-Z]{16}',
  'eyJ[\\w-]{10,150}\\.[\\w-]{10,150}\\.[\\w-]{10,150}',
].map((value, index) => ({ name: `P${index}`, value, pattern: true as const }));

/** Best of the runs, in megabytes of engine output per second of processor work. */
export type ParserReport = {
  name: string;
  bytes: number;
  /** `JSON.parse` of the same lines, and nothing else; null where no line is JSON. */
  json: number | null;
  parse: number;
  /** The same with every event redacted. */
  redacted: number;
  /** And with patterns looked for beside the values. */
  patterned: number;
};

/** How fast each engine's recorded output is read, against reading its JSON alone in the same run. */
export function measureParsers(size: { rounds: number; bytes: number }): ParserReport[] {
  return readRecorded().map((each) => measureParser(each, size));
}

function measureParser(
  { name, engine, processes }: Recorded,
  { rounds, bytes: wanted }: { rounds: number; bytes: number },
): ParserReport {
  const lines = processes.flat().flatMap((move) => ('line' in move ? [move.line] : []));
  const once = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  const repeats = Math.max(1, Math.round(wanted / once));
  const bytes = once * repeats;
  const redactor = createRedactor(SECRETS);
  const patterned = createRedactor([...SECRETS, ...PATTERNS]);
  const read = (how: Redactor | null) => (): void => {
    const told = processes.reduce((sum, moves) => sum + readProcess(engine, moves, how), 0);
    if (told < processes.length) throw new Error(`${name} told nothing of what it was seen doing`);
  };
  const ways = {
    json: () => lines.forEach((line) => void parsed(line)),
    parse: read(null),
    redacted: read(redactor),
    patterned: read(patterned),
  };
  const best = { json: 0, parse: 0, redacted: 0, patterned: 0 };
  // The ways take turns, so that what else the machine does meets all of them.
  for (let round = 0; round < rounds; round++) {
    for (const way of ['json', 'parse', 'redacted', 'patterned'] as const) {
      const startedAt = monotonicMs();
      for (let repeat = 0; repeat < repeats; repeat++) ways[way]();
      const perSecond = bytes / 1e6 / ((monotonicMs() - startedAt) / 1000);
      best[way] = Math.max(best[way], perSecond);
    }
  }
  return {
    name,
    bytes,
    ...best,
    json: lines.some((line) => parsed(line) !== null) ? best.json : null,
  };
}

function movesOf(folder: string, name: string): Move[] {
  return readCapture(folder, name).flatMap(({ dir, line }): Move[] => {
    const { _text: text, do: did } = line as { _text?: unknown; do?: string };
    if (dir === 'out') return [{ line: typeof text === 'string' ? text : JSON.stringify(line) }];
    // Where what it was told is not recorded, the one instruction came first.
    if (dir === 'argv') return [{ instruct: 'Work' }];
    return dir === 'note' && did === 'instruct' ? [{ instruct: 'Work' }] : [];
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

/** Plays a process, and says how many items came of it: what is not understood is read fast. */
function readProcess(engine: Engine, moves: readonly Move[], redactor: Redactor | null): number {
  let state = engine.open(launchOf(engine)).state;
  let told = 0;
  let turns = 0;
  const take = (step: EngineStep<unknown>) => {
    state = step.state;
    told += step.items.length;
    if (redactor) for (const item of step.items) redactor.event(item);
  };
  for (const move of moves) {
    if ('line' in move) take(engine.parse(state, move.line, 0));
    else {
      const turn = { turnId: turnId.parse(`trn_${++turns}`), text: move.instruct };
      take(engine.encodeInstruction(state, turn, 0));
    }
  }
  return told;
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
