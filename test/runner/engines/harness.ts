import { approvalAnswer, type ApprovalRequest } from '../../../protocol/approval.ts';
import type { EngineEvent, EventOf } from '../../../protocol/engine-event.ts';
import { launchId, turnId } from '../../../protocol/ids.ts';
import { launchSpec, type LaunchSpecInput } from '../../../protocol/launch.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import { turnUuid } from '../../../runner/engines/ids.ts';
import type { ClaudeState } from '../../../runner/engines/claude/state.ts';
import type {
  EngineExit,
  EngineItem,
  EngineLaunch,
  EngineStep,
} from '../../../runner/engines/engine.ts';

export const ENGINE_SESSION = '11111111-1111-4111-8111-111111111111';

export function anEngineLaunch(
  change: Partial<EngineLaunch> = {},
  spec: Partial<LaunchSpecInput> = {},
): EngineLaunch {
  return {
    launchId: launchId.parse('lau_test'),
    launch: launchSpec.parse({
      engineId: 'claude',
      directory: '/home/dev/repo',
      objective: 'Work',
      ...spec,
    }),
    directory: '/home/dev/repo',
    engineSessionId: ENGINE_SESSION,
    resume: false,
    executable: '/usr/bin/claude',
    version: null,
    payer: 'unknown',
    credential: null,
    ...change,
  };
}

export const FIRST = turnId.parse('trn_first');
export const FIRST_UUID = turnUuid(FIRST);

/** A conversation with the parser: lines in, items kept. Time moves by a second with each call. */
export function aConversation(launch: EngineLaunch = anEngineLaunch()) {
  const opened = claude.open(launch);
  const kept: EngineItem[] = [...opened.items];
  let state: ClaudeState = opened.state;
  let at = 0;
  const take = (step: EngineStep<ClaudeState>) => {
    state = step.state;
    kept.push(...step.items);
    return step.items;
  };
  const self = {
    get state() {
      return state;
    },
    items: kept,
    events: () => kept.flatMap((item) => (item.kind === 'event' ? [item.event] : [])),
    of: <T extends EngineEvent['type']>(type: T) =>
      self.events().filter((event) => event.type === type) as EventOf<T>[],
    written: () =>
      kept.flatMap((item) =>
        item.kind === 'write' ? [JSON.parse(item.line) as Record<string, unknown>] : [],
      ),
    raw: (line: string) => take(claude.parse(state, line, (at += 1000))),
    line: (line: Record<string, unknown>) => self.raw(JSON.stringify(line)),
    instruct: (text: string, turn = FIRST) =>
      take(claude.encodeInstruction(state, { turnId: turn, text }, (at += 1000))),
    answer: (request: ApprovalRequest, given: Parameters<typeof approvalAnswer.parse>[0]) =>
      take(claude.encodeAnswer(state, request, approvalAnswer.parse(given), (at += 1000))),
    interrupt: () => take(claude.encodeInterrupt(state, (at += 1000))),
    exit: (exit: Partial<EngineExit> = {}) =>
      take(
        claude.exit(
          state,
          { exitCode: null, signal: 'SIGKILL', expected: false, stderrTail: [], ...exit },
          (at += 1000),
        ),
      ),
    /** Hands over the first instruction and lets the engine begin it. */
    begin: () => {
      self.instruct('go');
      self.line({ type: 'command_lifecycle', command_uuid: FIRST_UUID, state: 'started' });
      return self;
    },
  };
  return self;
}

let made = 0;
const usage = (output: number) => ({
  input_tokens: 100,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 20,
  output_tokens: output,
});

export const assistant = (content: unknown[], change: Record<string, unknown> = {}) => ({
  type: 'assistant',
  uuid: `u${++made}`,
  parent_tool_use_id: null,
  message: { id: `msg_${made}`, model: 'claude-opus-5-5', content, usage: usage(1) },
  ...change,
});
export const toolUse = (id: string, name: string, input: unknown) =>
  assistant([{ type: 'tool_use', id, name, input }]);
export const toolResult = (id: string, content: unknown, detail: unknown, failed = false) => ({
  type: 'user',
  uuid: `u${++made}`,
  parent_tool_use_id: null,
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }],
  },
  tool_use_result: detail,
});
export const figures = (times: number, costUSD = 0.00156 * times) => ({
  'claude-opus-5-5': {
    inputTokens: 100 * times,
    outputTokens: 50 * times,
    cacheReadInputTokens: 300 * times,
    cacheCreationInputTokens: 20 * times,
    costUSD,
  },
});
export const result = (modelUsage: unknown, change: Record<string, unknown> = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  uuid: `r${++made}`,
  terminal_reason: 'completed',
  result: 'done',
  modelUsage,
  ...change,
});
export const permission = (
  id: string,
  toolName: string,
  input: unknown,
  suggestions: unknown[] = [],
) => ({
  type: 'control_request',
  request_id: id,
  request: {
    subtype: 'can_use_tool',
    tool_name: toolName,
    input,
    permission_suggestions: suggestions,
    tool_use_id: `tool-of-${id}`,
  },
});
