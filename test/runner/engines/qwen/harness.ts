import type { EngineEvent, EventOf } from '../../../../protocol/engine-event.ts';
import type {
  EngineExit,
  EngineItem,
  EngineLaunch,
  EngineStep,
} from '../../../../runner/engines/engine.ts';
import { qwen } from '../../../../runner/engines/qwen/preset.ts';
import type { QwenState } from '../../../../runner/engines/qwen/state.ts';
import { anEngineLaunch, ENGINE_SESSION, FIRST } from '../harness.ts';

export const MODEL = 'gpt-5.4-mini';

/** Figures as qwen tells them, of so many calls alike. */
export const used = (times: number) => ({
  input_tokens: 400 * times,
  output_tokens: 50 * times,
  cache_read_input_tokens: 300 * times,
});

/** One process of qwen towards the parser. `before`: what the last process of the conversation left. */
export function aProcess(launch: Partial<EngineLaunch> = {}, before?: QwenState) {
  const kept: EngineItem[] = [];
  const opened = qwen.open(anEngineLaunch({ payer: 'api-key', ...launch }), before);
  let { state } = opened;
  let at = 0;
  const take = (step: EngineStep<QwenState>) => {
    state = step.state;
    kept.push(...step.items);
    return self;
  };
  const line = (raw: Record<string, unknown>) =>
    take(qwen.parse(state, JSON.stringify(raw), (at += 1_000)));
  const assistant = (content: unknown, usage: unknown = {}) =>
    line({
      type: 'assistant',
      parent_tool_use_id: null,
      message: { model: MODEL, content, usage },
    });
  const self = {
    items: kept,
    state: () => state,
    line,
    of: <T extends EngineEvent['type']>(type: T) =>
      kept.flatMap((item) =>
        item.kind === 'event' && item.event.type === type ? [item.event as EventOf<T>] : [],
      ),
    written: () =>
      kept.flatMap((item) => (item.kind === 'write' ? [JSON.parse(item.line) as unknown] : [])),
    fatal: () => kept.flatMap((item) => (item.kind === 'fatal' ? [item.error.code] : [])),
    instruct: (turnId = FIRST) =>
      take(qwen.encodeInstruction(state, { turnId, text: 'go' }, (at += 1_000))),
    begin: () =>
      self
        .instruct()
        .line({ type: 'system', subtype: 'init', session_id: ENGINE_SESSION, model: MODEL }),
    calls: (id: string, name: string, input: unknown, usage: unknown = used(1)) =>
      assistant([{ type: 'tool_use', id, name, input }], usage),
    says: (text: string, usage: unknown = used(1)) => assistant([{ type: 'text', text }], usage),
    gives: (id: string, content: string, is_error = false) =>
      line({
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: id, is_error, content }] },
      }),
    asks: (id: string, name: string, input: unknown) =>
      line({
        type: 'control_request',
        request_id: '8e9cd653-a16b-4ffa-8dcc-75b502199de1',
        request: { subtype: 'can_use_tool', tool_name: name, tool_use_id: id, input },
      }),
    answer: (decision: 'allow' | 'deny') => {
      const [asked] = self.of('approval/requested');
      if (!asked) throw new Error('nothing was asked');
      const given = { decision, message: null, answers: null, suggestion: null };
      return take(qwen.encodeAnswer(state, asked.request, given, (at += 1_000)));
    },
    interrupt: () => take(qwen.encodeInterrupt(state, (at += 1_000))),
    ends: (usage: unknown, error?: string) =>
      line({
        type: 'result',
        is_error: error !== undefined,
        usage,
        error: error && { message: error },
      }),
    exit: (exit: Partial<EngineExit> = {}) => {
      const whole = { exitCode: null, signal: 'SIGKILL', expected: false, stderrTail: [], ...exit };
      return take(qwen.exit(state, whole, (at += 1_000)));
    },
    ended: () => self.of('turn/ended').at(-1),
    entries: () => self.of('usage/recorded').flatMap((event) => event.entries),
  };
  kept.push(...opened.items);
  return self;
}
