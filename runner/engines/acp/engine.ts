import { recallWaiting } from '../recall-waiting.ts';
import { step } from '../draft.ts';
import type { Engine } from '../engine.ts';
import { answer, instruct, interrupt, openingLine } from './encode.ts';
import { noBooks } from '../terminal-books.ts';
import { readLine } from './parse.ts';
import { type AcpState, type AcpTraits, openState } from './state.ts';
import { readExit } from './turns.ts';
import { UNNAMED_MODEL } from './usage.ts';

type Preset = Pick<
  Engine,
  | 'id'
  | 'label'
  | 'form'
  | 'modes'
  | 'nestedVariables'
  | 'secretVariables'
  | 'secretFiles'
  | 'home'
  | 'modelRoute'
  | 'modelAddresses'
  | 'plan'
  | 'interactivePlan'
  | 'aside'
> & { traits: AcpTraits };

/** Joins a preset with the parser of the Agent Client Protocol: one process, many turns. */
export function createAcpEngine({ traits, ...preset }: Preset): Engine<AcpState> {
  return {
    ...preset,
    tellsPolicy: 'before',
    capabilities: {
      turnEnd: 'event',
      // What an agent that nobody proved tells may be a part of what it costs.
      usage: traits.usage === 'told' ? 'none' : traits.usage,
      acts: 'structured',
      approvals: true,
      interrupt: true,
      resume: true,
      keys: preset.interactivePlan !== undefined,
      ...(traits.overwritesInMinute && { overwritesInMinute: true }),
    },
    open: (launch, before) => ({
      state: openState(traits, launch, before),
      items: [openingLine()],
    }),
    // Its total counts on in its terminal, so that the next turn's figure includes it and says so.
    terminalBooks: noBooks(UNNAMED_MODEL, (state) => ({
      ...state,
      unsettledTurns: state.unsettledTurns + 1,
    })),
    recall: recallWaiting,
    parse: (state, line, at, look) => step(state, at, (draft) => readLine(draft, line), look),
    exit: (state, exit, at) => step(state, at, (draft) => readExit(draft, exit)),
    encodeInstruction: (state, turn, at) => step(state, at, (draft) => instruct(draft, turn)),
    encodeAnswer: (state, request, given, at) =>
      step(state, at, (draft) => answer(draft, request, given)),
    encodeInterrupt: (state, at) => step(state, at, (draft) => interrupt(draft)),
  };
}
