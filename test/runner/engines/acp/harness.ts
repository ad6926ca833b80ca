import { approvalAnswer } from '../../../../protocol/approval.ts';
import type { EngineEvent, EventOf } from '../../../../protocol/engine-event.ts';
import type { AcpState } from '../../../../runner/engines/acp/state.ts';
import type {
  Engine,
  EngineExit,
  EngineItem,
  EngineStep,
} from '../../../../runner/engines/engine.ts';
import { opencode } from '../../../../runner/engines/opencode/preset.ts';
import { anEngineLaunch, FIRST } from '../harness.ts';

type Setting = {
  engine?: Engine<AcpState>;
  launch?: Parameters<typeof anEngineLaunch>[0];
  before?: AcpState;
};
type Line = { id?: string; method?: string; params?: Record<string, unknown> };

/** One process of an agent towards the parser. Time moves by a second with each line. */
export function aTalk({ engine = opencode, launch = {}, before }: Setting = {}) {
  const opened = engine.open(anEngineLaunch(launch), before);
  const kept: EngineItem[] = [...opened.items];
  let { state } = opened;
  let at = 0;
  const take = (step: EngineStep<AcpState>) => {
    // A state is stored as JSON between any two lines.
    state = JSON.parse(JSON.stringify(step.state));
    kept.push(...step.items);
    return self;
  };
  const self = {
    items: kept,
    state: () => state,
    of: <T extends EngineEvent['type']>(type: T) =>
      kept
        .flatMap((item) => (item.kind === 'event' ? [item.event] : []))
        .filter((event) => event.type === type) as EventOf<T>[],
    written: () =>
      kept.flatMap((item) => (item.kind === 'write' ? [JSON.parse(item.line) as Line] : [])),
    line: (message: Record<string, unknown>) =>
      take(engine.parse(state, JSON.stringify({ jsonrpc: '2.0', ...message }), (at += 1000))),
    answers: (id: string, result: unknown) => self.line({ id, result }),
    fails: (id: string, error: Record<string, unknown>) => self.line({ id, error }),
    update: (sessionUpdate: string, more: Record<string, unknown> = {}) =>
      self.line({ method: 'session/update', params: { update: { sessionUpdate, ...more } } }),
    call: (toolCallId: string, more: Record<string, unknown> = {}) =>
      self.update('tool_call', { toolCallId, ...more }),
    say: (text: string) => self.update('agent_message_chunk', { content: { type: 'text', text } }),
    costs: (amount: number, currency = 'USD') =>
      self.update('usage_update', { cost: { amount, currency } }),
    asks: (id: number, toolCall: Record<string, unknown>, ...kinds: string[]) =>
      self.line({
        id,
        method: 'session/request_permission',
        params: {
          toolCall,
          options: kinds.map((kind) => ({ optionId: `${kind}-id`, name: `Do ${kind}`, kind })),
        },
      }),
    decide: (given: Parameters<typeof approvalAnswer.parse>[0], index = 0) => {
      const { request } = self.of('approval/requested')[index] ?? {};
      if (!request) throw new Error('nothing was asked');
      return take(engine.encodeAnswer(state, request, approvalAnswer.parse(given), (at += 1000)));
    },
    instruct: (text = 'go') =>
      take(engine.encodeInstruction(state, { turnId: FIRST, text }, (at += 1000))),
    interrupt: () => take(engine.encodeInterrupt(state, (at += 1000))),
    exit: (exit: Partial<EngineExit> = {}) =>
      take(
        engine.exit(
          state,
          { exitCode: 0, signal: null, expected: false, stderrTail: [], ...exit },
          (at += 1000),
        ),
      ),
    ends: (stopReason = 'end_turn', usage?: Record<string, unknown>) =>
      self.answers(`turn:${FIRST}`, { stopReason, usage }),
    ended: () => self.of('turn/ended')[0],
  };
  return self;
}

/** An agent that is ready and at work on its first instruction. */
export const atWork = (setting: Setting = {}) =>
  aTalk(setting)
    .answers('initialize', { agentCapabilities: { loadSession: true } })
    .answers('session', { sessionId: 'ses-of-the-agent' })
    .instruct()
    .answers(`taken:${FIRST}`, {});
