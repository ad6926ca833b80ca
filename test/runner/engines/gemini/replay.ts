import { launchId, turnId } from '../../../../protocol/ids.ts';
import type { EngineExit, EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { gemini } from '../../../../runner/engines/gemini/preset.ts';
import type { GeminiState } from '../../../../runner/engines/gemini/state.ts';
import { anEngineLaunch } from '../harness.ts';
import type { readCapture } from '../replay.ts';

export const FOLDER = 'gemini-0.61.0';
export const TURN = turnId.parse('trn_capture');

type Records = ReturnType<typeof readCapture>;

function lineOf(records: Records, dir: string): Records[number] {
  const found = records.find((record) => record.dir === dir);
  if (!found) throw new Error(`a capture without its ${dir}`);
  return found;
}

/** The launch that a capture's command line stands for. */
export function launchOf(records: Records) {
  const { argv } = lineOf(records, 'argv').line as { argv: string[] };
  const resume = argv.includes('--resume');
  const at = argv.indexOf(resume ? '--resume' : '--session-id');
  return anEngineLaunch(
    {
      launchId: launchId.parse('lau_capture'),
      engineSessionId: at < 0 ? '00000000-0000-4000-8000-000000000000' : (argv[at + 1] ?? ''),
      resume,
      executable: '/usr/bin/gemini',
      version: '0.61.0',
      payer: 'api-key',
      credential: 'GEMINI_API_KEY',
    },
    { engineId: 'gemini' },
  );
}

export function linesOf(records: Records): { at: number; line: string }[] {
  return records
    .filter(({ dir }) => dir === 'out')
    .map(({ t, line }) => ({ at: t, line: JSON.stringify(line) }));
}

export function exitOf(records: Records): EngineExit & { at: number } {
  const end = lineOf(records, 'exit');
  const { code, sig } = end.line as { code: number | null; sig: string | null };
  const stderrTail = records
    .filter(({ dir }) => dir === 'err')
    .flatMap(({ line }) => String(line).trim().split('\n'))
    .slice(-20);
  return { exitCode: code, signal: sig, expected: false, stderrTail, at: end.t };
}

/** All items of a whole capture, whose process was one turn. `between` may replace the state. */
export function replay(
  records: Records,
  between: (state: GeminiState) => GeminiState = (state) => state,
): EngineItem[] {
  const items: EngineItem[] = [];
  const take = (step: EngineStep<GeminiState>) => {
    items.push(...step.items);
    state = between(step.state);
  };
  let { state } = gemini.open(launchOf(records));
  take(gemini.encodeInstruction(state, { turnId: TURN, text: 'do it' }, 0));
  for (const { at, line } of linesOf(records)) take(gemini.parse(state, line, at));
  const { at, ...exit } = exitOf(records);
  take(gemini.exit(state, exit, at));
  return items;
}
