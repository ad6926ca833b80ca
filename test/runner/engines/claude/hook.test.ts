import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../../protocol/merge-policy.ts';
import type { ToolRule } from '../../../../protocol/policy-defaults.ts';
import { claude } from '../../../../runner/engines/claude/preset.ts';
import { actRulesOf } from '../../../support/policy-rules.ts';
import { lookAt } from '../../acts/files.ts';
import { aConversation, anEngineLaunch, toolResult, toolUse } from '../harness.ts';

const under = (tools: readonly ToolRule[]) =>
  aConversation(
    anEngineLaunch(
      {},
      { policy: { policy: { ...DEFAULT_POLICY, tools: [...tools] }, sources: [] } },
    ),
  ).begin();

const asks = (name: string, input: unknown, change: Record<string, unknown> = {}) => ({
  type: 'control_request',
  request_id: 'q',
  request: {
    subtype: 'hook_callback',
    callback_id: 'policy',
    input: {
      hook_event_name: 'PreToolUse',
      tool_name: name,
      tool_input: input,
      tool_use_id: 'call',
      ...change,
    },
  },
});

/** What was answered last: claude's word for it, and the reason. */
function answerOf(conversation: ReturnType<typeof aConversation>) {
  const { response } = conversation.written().at(-1) as {
    response: {
      subtype: string;
      request_id: string;
      response?: { hookSpecificOutput?: Record<string, string> };
    };
  };
  // Any other subtype means to claude that nobody objects.
  expect(response).toMatchObject({ subtype: 'success', request_id: 'q' });
  const { permissionDecision = null, permissionDecisionReason = null } =
    response.response?.hookSpecificOutput ?? {};
  return { decision: permissionDecision, reason: permissionDecisionReason };
}

describe('before every call', () => {
  it('claude is asked to ask, whatever the tool is, and to wait while a runner starts again', () => {
    const [opening] = aConversation().written();
    expect(opening).toMatchObject({
      request: {
        subtype: 'initialize',
        hooks: { PreToolUse: [{ matcher: null, hookCallbackIds: ['policy'], timeout: 3600 }] },
      },
    });
  });

  it.each([
    ['Bash', { command: "bash -c 'cat .env'" }],
    ['Bash', { command: 'python3 -c "print(open(\'.env\').read())"' }],
    ['Bash', { command: 'cat .e*' }],
    ['mcp__files__read', { path: '/checkout/.env' }],
  ])('%s %j is denied by the policy, with the reason', (name, input) => {
    const conversation = under(DEFAULT_POLICY.tools);
    conversation.line(asks(name, input));
    expect(answerOf(conversation)).toEqual({
      decision: 'deny',
      reason: expect.stringContaining('The policy of this session denies this (**/.env)'),
    });
    expect(conversation.of('notice/raised')).toMatchObject([
      { level: 'info', code: 'policy_denied', message: expect.stringContaining(name) },
    ]);
  });

  it('what the policy says nothing of is left to claude’s own rules', () => {
    const conversation = under(DEFAULT_POLICY.tools);
    conversation.line(asks('Bash', { command: 'npm test' }));
    expect(answerOf(conversation)).toEqual({ decision: null, reason: null });
    expect(conversation.of('notice/raised')).toEqual([]);
  });

  it('what the policy asks about goes to a person, in bypass too', () => {
    const conversation = under([{ effect: 'ask', on: 'command', pattern: 'terraform *' }]);
    conversation.line(asks('Bash', { command: 'terraform apply' }));
    expect(answerOf(conversation)).toEqual({
      decision: 'ask',
      reason: expect.stringContaining('asks a person about this (terraform *)'),
    });
  });

  it('what the policy allows is not allowed over the rules of the project and the person', () => {
    const conversation = under([{ effect: 'allow', on: 'command', pattern: '*' }]);
    conversation.line(asks('Bash', { command: 'npm test' }));
    expect(answerOf(conversation).decision).toBeNull();
  });

  it('a question that cannot be read is denied, and told', () => {
    const conversation = under(DEFAULT_POLICY.tools);
    conversation.line(asks('Bash', {}, { tool_name: 7 }));
    expect(answerOf(conversation).decision).toBe('deny');
    expect(conversation.of('notice/raised')).toMatchObject([{ code: 'policy_unanswerable' }]);
  });

  it('what a script of the checkout would do is denied before it runs, and told as its act', () => {
    const conversation = under([]);
    const state = { ...conversation.state, actRules: actRulesOf() };
    const look = lookAt({ 'ship.sh': 'git push origin HEAD:main' });
    const call = { command: 'sh ship.sh' };
    const { items } = claude.parse(state, JSON.stringify(asks('Bash', call)), 1, look);
    expect(JSON.stringify(items)).toMatch(/"permissionDecision.{1,6}deny.*main is protected/);
    const blind = claude.parse(state, JSON.stringify(asks('Bash', call)), 1);
    expect(JSON.stringify(blind.items)).not.toContain('deny');
    const told = claude.parse(state, JSON.stringify(toolUse('call', 'Bash', call)), 1, look);
    expect(told.items).toContainEqual({
      kind: 'event',
      event: expect.objectContaining({
        type: 'act/seen',
        act: expect.objectContaining({ command: 'git push origin HEAD:main', uncertain: true }),
      }),
    });
  });

  it('a policy that cannot be applied denies', () => {
    const conversation = aConversation().begin();
    const rules = [{ effect: 'deny', on: 'file', pattern: null }] as never;
    const { items } = claude.parse(
      { ...conversation.state, rules },
      JSON.stringify(asks('Bash', { command: 'npm test' })),
      1,
    );
    expect(JSON.stringify(items)).toContain('could not be applied');
    expect(JSON.stringify(items)).toContain('deny');
  });

  it('a session that an older runner began is held to the default', () => {
    const { rules: _none, ...older } = under([]).state;
    const line = JSON.stringify(asks('Bash', { command: 'cat .env' }));
    expect(JSON.stringify(claude.parse(older, line, 1).items)).toContain('denies this');
  });
});

describe('what a call would do to a remote', () => {
  const held = (policy: Parameters<typeof actRulesOf>[0] = {}, over = {}) =>
    aConversation(anEngineLaunch({ acts: actRulesOf(policy, over) })).begin();
  const answerTo = (conversation: ReturnType<typeof held>, command: string) => {
    conversation.line(asks('Bash', { command }));
    return answerOf(conversation);
  };

  it('is denied before it happens where the policy forbids it, and claude is told why', () => {
    const conversation = held();
    expect(answerTo(conversation, 'git push origin HEAD:main')).toEqual({
      decision: 'deny',
      reason:
        'The policy of this session denies this: main is protected; push a branch of your own and open a pull request.',
    });
    expect(conversation.of('notice/raised')).toMatchObject([{ code: 'policy_denied' }]);
  });

  it('is a person’s where the policy asks, and claude’s own business where it allows', () => {
    expect(answerTo(held({ mode: 'ask' }), 'gh pr merge 4')).toEqual({
      decision: 'ask',
      reason: 'The policy of this session asks a person about this: merges are asked about.',
    });
    expect(answerTo(held({ mode: 'merge' }), 'gh pr merge 4').decision).toBeNull();
    expect(answerTo(held(), 'git push origin HEAD:feature').decision).toBeNull();
  });

  it('is not judged beforehand in a session that an older runner began', () => {
    const conversation = aConversation().begin();
    expect(answerTo(conversation, 'git push origin HEAD:main').decision).toBeNull();
  });
});

describe('a call that was denied', () => {
  it('did nothing: it is told as denied, and is no failure of the tool', () => {
    const conversation = under(DEFAULT_POLICY.tools);
    const input = { command: "bash -c 'cat .env && git push origin main'" };
    conversation.line(toolUse('call', 'Bash', input));
    conversation.line(asks('Bash', input));
    conversation.line(toolResult('call', 'PreToolUse:Bash hook error: no', 'Error: no', true));
    expect(conversation.of('tool/ended')).toMatchObject([{ outcome: 'denied' }]);
    const outcomes = conversation.of('act/ended').map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['not_done']));
  });
});

describe('an engine that takes no hooks', () => {
  const reply = (subtype: string) => ({
    type: 'control_response',
    response: { subtype, request_id: 'initialize-lau_test', response: {}, error: 'unsupported' },
  });

  it('is not worked with: nothing would ask about its calls', () => {
    const conversation = aConversation();
    conversation.instruct('go');
    conversation.line(reply('error'));
    expect(conversation.items.at(-1)).toMatchObject({
      kind: 'fatal',
      error: { code: 'engine_too_old', message: expect.stringContaining('claude update') },
    });
    expect(conversation.line({ type: 'command_lifecycle', state: 'started' })).toEqual([]);
    expect(conversation.of('engine/ready')).toEqual([]);
    expect(conversation.of('turn/started')).toEqual([]);
  });

  it('is not told of one that does', () => {
    const conversation = aConversation();
    conversation.line(reply('success'));
    expect(conversation.of('notice/raised')).toEqual([]);
  });
});
