import { step } from '../draft.ts';
import type { Engine, EngineLaunch } from '../engine.ts';
import { answer, instruct, interrupt, openingLines } from './encode.ts';
import { readExit } from './exit.ts';
import { POLICY_HOOKS } from './hook.ts';
import { readLine } from './parse.ts';
import { recallApprovals } from './recall.ts';
import { type ClaudeState, openState } from './state.ts';

type Preset = Pick<
  Engine,
  | 'id'
  | 'label'
  | 'form'
  | 'modes'
  | 'capabilities'
  | 'nestedVariables'
  | 'secretVariables'
  | 'secretFiles'
  | 'home'
  | 'tellsPolicy'
  | 'modelRoute'
  | 'modelAddresses'
  | 'plan'
  | 'interactivePlan'
  | 'aside'
  | 'fork'
  | 'sealedOnly'
> &
  Pick<Engine<ClaudeState>, 'terminalBooks'> & {
    /** Its usage is nobody's spend. */
    rehearsal: boolean;
  };

/** Joins a preset with the parser of the stream-json protocol. */
export function createStreamJsonEngine({ rehearsal, ...preset }: Preset): Engine<ClaudeState> {
  return {
    ...preset,
    open: (launch: EngineLaunch) => ({
      state: openState(launch, rehearsal),
      items: openingLines(launch.launchId, POLICY_HOOKS),
    }),
    recall: (state, _turn, lines) => recallApprovals(state, lines),
    parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
    exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
    encodeInstruction: (state, turn, at) => step(state, at, (draft) => instruct(draft, turn)),
    // A message in a turn is taken into it between two of its steps, or begins the next one.
    encodeSteer: (state, turn, at) => step(state, at, (draft) => instruct(draft, turn)),
    encodeAnswer: (state, request, given, at) =>
      step(state, at, (draft) => answer(draft, request, given)),
    encodeInterrupt: (state, at) => step(state, at, (draft) => interrupt(draft)),
  };
}
