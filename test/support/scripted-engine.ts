import type { Engine, EngineItem } from '../../runner/engines/engine.ts';
import { CONFIG } from './session-simulator.ts';

/** What the parser of {@link scriptedEngine} keeps: every call that was made, in order. */
export type Calls = readonly string[];

/**
 * An engine whose lines say themselves what they mean: a line is the JSON of the items that it
 * stands for, and `!` is a line that breaks the parser.
 */
export function scriptedEngine(over: Partial<Engine<Calls>> = {}): Engine<Calls> {
  const called =
    (name: string, items: (line: string) => EngineItem[] = () => []) =>
    (state: Calls, detail: string) => ({ state: [...state, name], items: items(detail) });
  const written = (line: string): EngineItem[] => [{ kind: 'write', line }];
  return {
    id: 'scripted',
    label: 'Scripted',
    form: null,
    modes: ['ask', 'accept_edits', 'plan', 'bypass'],
    capabilities: CONFIG.capabilities,
    nestedVariables: [],
    secretVariables: ['SCRIPTED_KEY'],
    secretFiles: () => [],
    plan: ({ executable, directory }) => ({ argv: [executable], directory, env: {} }),
    open: () => ({ state: [], items: written('hello') }),
    parse: (state, line) => {
      if (line === '!') throw new Error('not understood');
      return called('line', () => JSON.parse(line) as EngineItem[])(state, line);
    },
    exit: (state) => called('exit')(state, ''),
    encodeInstruction: (state, turn) => called('instruction', written)(state, turn.text),
    encodeAnswer: (state, request, answer) =>
      called('answer', written)(state, `${request.requestId} ${answer.decision}`),
    encodeInterrupt: (state) => called('interrupt', written)(state, 'interrupt'),
    ...over,
  };
}
