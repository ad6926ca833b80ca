import type { EngineEvent, EventOf } from '../../../../protocol/engine-event.ts';
import type { EngineExit, EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { gemini } from '../../../../runner/engines/gemini/preset.ts';
import type { GeminiState } from '../../../../runner/engines/gemini/state.ts';
import { anEngineLaunch, FIRST } from '../harness.ts';

export const STATS = { total_tokens: 150, input_tokens: 100, output_tokens: 40, cached: 30 };

/** One process of gemini towards the parser, already started with an instruction. */
export function aProcess() {
  const launch = anEngineLaunch({ payer: 'api-key', credential: 'GEMINI_API_KEY' });
  const kept: EngineItem[] = [];
  let { state } = gemini.open(launch);
  let at = 0;
  const take = (step: EngineStep<GeminiState>) => {
    state = step.state;
    kept.push(...step.items);
    return self;
  };
  const self = {
    items: kept,
    events: () => kept.flatMap((item) => (item.kind === 'event' ? [item.event] : [])),
    of: <T extends EngineEvent['type']>(type: T) =>
      self.events().filter((event) => event.type === type) as EventOf<T>[],
    raw: (line: string) => take(gemini.parse(state, line, (at += 1000))),
    line: (line: Record<string, unknown>) => self.raw(JSON.stringify(line)),
    begin: () =>
      self
        .line({ type: 'init', session_id: 's', model: 'auto' })
        .line({ type: 'message', role: 'user', content: 'go' }),
    say: (content: string) =>
      self.line({ type: 'message', role: 'assistant', content, delta: true }),
    tool: (toolId: string, command: string, name = 'run_shell_command') =>
      self.line({ type: 'tool_use', tool_name: name, tool_id: toolId, parameters: { command } }),
    toolResult: (toolId: string, change: Record<string, unknown> = {}) =>
      self.line({ type: 'tool_result', tool_id: toolId, status: 'success', ...change }),
    result: (models: Record<string, unknown> = { 'gemini-3.8-flash': STATS }) =>
      self.line({ type: 'result', status: 'success', stats: { models } }),
    fail: (message: string, models: Record<string, unknown> = {}) =>
      self.line({
        type: 'result',
        status: 'error',
        error: { type: 'unknown', message },
        stats: { models },
      }),
    interrupt: () => take(gemini.encodeInterrupt(state, (at += 1000))),
    exit: (exit: Partial<EngineExit> = {}) =>
      take(
        gemini.exit(
          state,
          { exitCode: 0, signal: null, expected: false, stderrTail: [], ...exit },
          (at += 1000),
        ),
      ),
    ended: () => self.of('turn/ended')[0],
    entries: () => self.of('usage/recorded').flatMap((event) => event.entries),
  };
  take(gemini.encodeInstruction(state, { turnId: FIRST, text: 'go' }, 0));
  return self;
}
