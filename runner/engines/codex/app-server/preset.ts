import type { EngineLaunch, Engine, SpawnPlan } from '../../engine.ts';
import { recallWaiting } from '../../recall-waiting.ts';
import { asideOf } from '../../aside.ts';
import { step } from '../../draft.ts';
import { codexBooks } from '../books.ts';
import { codex, codexEnvironment, WITHOUT_SNAPSHOTS, withTools } from '../preset.ts';
import { answer, instruct, interrupt, openingLine, steer } from './encode.ts';
import { readLine } from './parse.ts';
import { type AppServerState, openState } from './state.ts';
import { readExit } from './turns.ts';

function planAppServer(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan {
  return {
    argv: [launch.executable, ...WITHOUT_SNAPSHOTS, 'app-server'],
    directory: launch.directory,
    env: withTools(codexEnvironment(env), launch.executable),
  };
}

/** OpenAI's codex where a person is asked: one process, many turns, everything by request. */
export const codexAppServer: Engine<AppServerState> = {
  ...codex,
  form: 'app-server',
  modes: ['ask', 'accept_edits'],
  capabilities: { ...codex.capabilities, turnEnd: 'event', approvals: true, steer: true },
  plan: planAppServer,
  terminalBooks: codexBooks(),
  ...asideOf(codex),
  open: (launch, before) => ({ state: openState(launch, before), items: [openingLine()] }),
  recall: recallWaiting,
  parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
  exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
  encodeInstruction: (state, turn, at) => step(state, at, (draft) => instruct(draft, turn)),
  encodeSteer: (state, turn, at) => step(state, at, (draft) => steer(draft, turn)),
  encodeAnswer: (state, request, given, at) =>
    step(state, at, (draft) => answer(draft, request, given)),
  encodeInterrupt: (state, at) => step(state, at, (draft) => interrupt(draft)),
};
