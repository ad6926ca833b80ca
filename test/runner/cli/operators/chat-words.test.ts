import { describe, expect, it } from 'vitest';
import type { GateDecisionRow, GateRequest } from '../../../../protocol/gate.ts';
import { LOCAL_ACTOR } from '../../../../protocol/ids.ts';
import type { ChatEvent } from '../../../../protocol/operator-chat.ts';
import {
  describeDecisions,
  describeEntry,
  describeRequests,
  sayHow,
} from '../../../../runner/cli/operators/chat/words.ts';

const NOW = 1_700_000_000_000;
const request: GateRequest = {
  callId: 'chat.2.0',
  instanceId: 'ins_1',
  actor: { kind: 'agent', id: 'ins_1' },
  tool: 'tmux_run_command',
  risk: 'run',
  target: null,
  params: { command: 'npm test' },
  rule: 'consent',
  reason: 'subscriber is asked before run',
  at: NOW,
  expiresAt: NOW + 600_000,
};
const decision: GateDecisionRow = {
  callId: 'one',
  step: 0,
  at: NOW,
  actor: { kind: 'mcp', id: 'key' },
  definitionVersion: 1,
  tool: 'tmux_send_keys',
  risk: 'send',
  target: null,
  callSha256: 'x',
  callBytes: 1,
  effect: 'deny',
  rule: 'narrowing',
  reason: 'subscriber narrowed backends to tmux',
  acts: [],
  look: null,
  outcome: null,
  code: null,
  explanation: 'denied: subscriber narrowed backends to tmux',
  cost: null,
};

describe('calls that wait', () => {
  it('are told with what they would do and the command that answers', () => {
    const text = describeRequests([request], NOW);
    expect(text).toContain('{"command":"npm test"}');
    expect(text).toContain('pilothouse operators answer ins_1 chat.2.0 once|instance|deny');
    expect(text).toContain('in 10 min');
  });

  it('of an agent in a terminal say what it asks, and that it stands there as well', () => {
    const params = { engine: 'claude', asks: 'Bash', input: '{"command":"npm test"}' };
    const asked = { ...request, tool: 'agent_permission', rule: 'agent', params } as const;
    const text = describeRequests([asked], NOW);
    expect(text).toContain('agent in the terminal  ins_1');
    expect(text).toContain('npm test');
    expect(text).toContain('stands in the terminal alone in 10 min');
    expect(text).toContain('chat.2.0 once|deny');
  });

  it('of the merge policy are answered one by one', () => {
    expect(describeRequests([{ ...request, rule: 'policy' }], NOW)).toContain('once|deny');
  });

  it('are answered one by one where the rule is not known', () => {
    expect(sayHow({ ...request, rule: null })).toBe(
      'pilothouse operators answer ins_1 chat.2.0 once|deny',
    );
  });

  it('are none where none waits', () => {
    expect(describeRequests([], NOW)).toBe('No call of an operator waits for you.');
  });
});

describe('decisions', () => {
  it('are explained, and an allowed one whose end nobody knows says so', () => {
    const allowed = { ...decision, effect: 'allow' as const, rule: null, explanation: 'allowed' };
    const text = describeDecisions([decision, allowed], NOW);
    expect(text).toContain('denied: subscriber narrowed backends to tmux');
    expect(text).toMatch(/allowed\s+not known/);
    expect(describeDecisions([], NOW)).toBe('It has made no call yet.');
  });
});

describe('an entry of a conversation', () => {
  const lines = (event: ChatEvent) => describeEntry({ seq: 1, at: NOW, event });

  it('shows what a call came to, and why it was not done', () => {
    const called = { type: 'called', callId: 'a', rule: null, omitted: 0 } as const;
    expect(lines({ ...called, outcome: 'done', text: 'x', tokens: 3_000 })).toEqual([
      '  done  (about 3000 tokens)',
    ]);
    expect(lines({ ...called, outcome: 'denied', text: 'Denied: no.', tokens: 3 })).toEqual([
      '  denied: Denied: no.',
    ]);
  });

  it('does not repeat what the person said', () => {
    expect(lines({ type: 'said', text: 'go', actorId: LOCAL_ACTOR })).toEqual([]);
  });

  it('never lets a program’s escapes reach the terminal', () => {
    expect(lines({ type: 'halted', reason: 'a\u001b[2Jb' }).join('')).not.toContain('\u001b');
  });
});
