import { launchId, turnId } from '../../../../protocol/ids.ts';
import { codex } from '../../../../runner/engines/codex/preset.ts';
import type { CodexState } from '../../../../runner/engines/codex/state.ts';
import type { EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { exitOf, linesOf } from '../gemini/replay.ts';
import { anEngineLaunch } from '../harness.ts';
import type { readCapture } from '../replay.ts';

export const FOLDER = 'codex-0.171.0';
export const TURN = turnId.parse('trn_capture');

type Records = ReturnType<typeof readCapture>;

export const aCodexLaunch = (threadId: string | null = null) =>
  anEngineLaunch(
    {
      launchId: launchId.parse('lau_capture'),
      engineSessionId: threadId ?? '00000000-0000-4000-8000-000000000000',
      resume: threadId !== null,
      executable: '/usr/bin/codex',
      version: '0.171.0',
      payer: 'api-key',
      credential: 'OPENAI_API_KEY',
    },
    { engineId: 'codex', model: 'gpt-5.5' },
  );

/** The launch that a capture's command line stands for: a resumption names its thread. */
export function launchOf(records: Records) {
  const started = records.find(({ dir }) => dir === 'argv');
  if (!started) throw new Error('a capture without its command line');
  const { argv } = started.line as { argv: string[] };
  const thread = argv.includes('resume') ? argv.find((word) => /^[0-9a-f-]{36}$/.test(word)) : null;
  return aCodexLaunch(thread);
}

/** What an earlier process of a thread leaves that has used nothing yet. */
export const freshState = (): CodexState => codex.open(aCodexLaunch()).state;

/** All items of a whole capture, whose process was one turn. `between` may replace the state. */
export function replay(
  records: Records,
  between: (state: CodexState) => CodexState = (state) => state,
): EngineItem[] {
  const items: EngineItem[] = [];
  let { state } = codex.open(launchOf(records), freshState());
  const take = (step: EngineStep<CodexState>) => {
    items.push(...step.items);
    state = between(step.state);
  };
  take(codex.encodeInstruction(state, { turnId: TURN, text: 'do it' }, 0));
  for (const { at, line } of linesOf(records)) take(codex.parse(state, line, at));
  const { at, ...exit } = exitOf(records);
  take(codex.exit(state, exit, at));
  return items;
}
