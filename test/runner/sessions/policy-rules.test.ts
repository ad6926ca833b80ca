import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../protocol/approval.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import type { ToolRule } from '../../../protocol/policy-defaults.ts';
import { anApprovalRequest } from '../../support/feed-events.ts';
import type { ActRules } from '../../../runner/gate/act-policy.ts';
import { actRulesOf } from '../../support/policy-rules.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { SessionSimulator, turnNumber } from '../../support/session-simulator.ts';

const asking = (command: string, over: Partial<ApprovalRequest> = {}): ApprovalRequest =>
  anApprovalRequest({
    turnId: turnNumber(1),
    toolName: 'Bash',
    input: { text: JSON.stringify({ command }), truncated: null },
    acts: [],
    ...over,
  });

/** What a session under these rules answers by itself; null when a person is asked. */
function answerTo(
  request: ApprovalRequest,
  tools: readonly ToolRule[] = DEFAULT_POLICY.tools,
  acts?: ActRules,
) {
  const policy = { policy: { ...DEFAULT_POLICY, tools: [...tools] }, sources: [] };
  const simulator = new SessionSimulator(1, { ...aLaunch(), policy });
  simulator.run();
  if (acts) simulator.state = { ...simulator.state, acts };
  simulator.event({ type: 'approval/requested', request });
  const answers = simulator.effects.flatMap((effect) =>
    effect.kind === 'answer' ? [effect.answer] : [],
  );
  expect(answers.length).toBeLessThan(2);
  return { answer: answers[0] ?? null, simulator };
}

describe('an approval', () => {
  it('of what the policy denies is denied before a person is asked, and told why', () => {
    const { answer, simulator } = answerTo(asking("bash -c 'cat .env'"));
    expect(answer).toMatchObject({
      decision: 'deny',
      message: expect.stringContaining('The policy of this session denies this (**/.env)'),
    });
    expect(simulator.events.at(-1)).toMatchObject({ code: 'policy_denied' });
  });

  it('of what the policy forbids to do to a remote is denied before a person can allow it', () => {
    const push = asking("bash -lc 'git push origin HEAD:main'", { acts: ['merge'] });
    expect(answerTo(push, [], actRulesOf()).answer).toMatchObject({
      decision: 'deny',
      message: expect.stringContaining('main is protected'),
    });
    expect(answerTo(push, [], actRulesOf({ mode: 'ask' })).answer).toBeNull();
    expect(answerTo(push, [], actRulesOf({ mode: 'merge' })).answer).toBeNull();
    const feature = asking('git push origin HEAD:feature', { acts: ['push'] });
    expect(answerTo(feature, [], actRulesOf()).answer).toBeNull();
  });

  it('of anything else is a person’s', () => {
    expect(answerTo(asking('npm test')).answer).toBeNull();
    expect(answerTo(asking('cat .env', { kind: 'question' })).answer).toBeNull();
  });

  it('of what the policy allows is not asked about, unless it is an act or was cut', () => {
    const rules: ToolRule[] = [{ effect: 'allow', on: 'command', pattern: '*' }];
    expect(answerTo(asking('npm test'), rules).answer).toMatchObject({ decision: 'allow' });
    expect(answerTo(asking('git push', { acts: ['push'] }), rules).answer).toBeNull();
    const cut = { text: 'npm test', truncated: { bytes: 9, sha256: 'x' } } as never;
    expect(answerTo(asking('', { input: cut }), rules).answer).toBeNull();
    // What stands there may be anything that a session wrote where secrets are looked for.
    expect(answerTo(asking('npm test[redacted:TOKEN]'), rules).answer).toBeNull();
  });

  it('is denied with that reason where the policy cannot be applied (A2)', () => {
    const nonsense = [{ effect: 'deny', on: 'file', pattern: null }] as never;
    expect(answerTo(asking('npm test'), nonsense).answer).toMatchObject({
      decision: 'deny',
      message: expect.stringContaining('could not be applied'),
    });
  });
});
