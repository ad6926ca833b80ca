import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import type { AskedPermission } from '../../../protocol/pane-question.ts';
import type { ToolRule } from '../../../protocol/policy-defaults.ts';
import type { ToolTouches } from '../../../protocol/tool-rules.ts';
import { decideQuestion } from '../../../workers/gate/decide-question.ts';

const rule = (effect: ToolRule['effect'], on: ToolRule['on'], pattern: string): ToolRule => ({
  effect,
  on,
  pattern,
});
const NPM = rule('allow', 'command', 'npm *');
const PUSH = { kind: 'push', command: 'git push', target: 'origin x', uncertain: false } as const;

type Said = {
  covered?: boolean;
  rules?: readonly ToolRule[];
  permission?: Partial<AskedPermission>;
  acts?: [typeof PUSH];
};
function decide(touches: Partial<ToolTouches> | null, said: Said = {}) {
  const permission = {
    engine: 'claude',
    asks: 'Bash',
    input: '{}',
    omitted: 0,
    directory: '/code',
    ...said.permission,
  };
  const policy = { ...DEFAULT_POLICY, tools: [...DEFAULT_POLICY.tools, ...(said.rules ?? [])] };
  const whole = touches && { commands: [], paths: [], ...touches };
  const question = { permission, acts: said.acts ?? [], touches: whole };
  return decideQuestion(question, policy, said.covered ?? true);
}

describe('what an agent asks', () => {
  it.each<[string, Partial<ToolTouches>]>([
    ['reads a file of credentials', { paths: ['/code/.env'] }],
    ['names one in a command', { commands: ['cat .env'] }],
    ['names one far behind', { commands: [`echo ${'a '.repeat(9_000)}; cat .env`] }],
  ])('is denied where it %s, whoever agreed to what', (_what, touches) => {
    const allow = rule('allow', 'tool', '*');
    expect(decide(touches, { rules: [allow] })).toEqual({
      effect: 'deny',
      rule: 'policy',
      reason: 'merge policy: **/.env',
    });
  });

  it('is denied where nobody can tell what it touches', () => {
    expect(decide(null)).toMatchObject({ effect: 'deny', rule: 'policy' });
  });

  it('is asked about where no rule is about it, or one asks', () => {
    const asked = { effect: 'ask', rule: 'agent', reason: 'claude asks to use Bash' };
    expect(decide({ commands: ['make'] })).toEqual(asked);
    const rules = [NPM, rule('ask', 'command', 'npm publish*')];
    expect(decide({ commands: ['npm publish'] }, { rules })).toEqual(asked);
  });

  it('is allowed by a rule where the consent of the instance covers it, and else asked about', () => {
    const touches = { commands: ['npm test'] };
    expect(decide(touches, { rules: [NPM] })).toEqual({
      effect: 'allow',
      rule: 'policy',
      reason: 'merge policy allows it (npm *), and so does the consent to run',
    });
    expect(decide(touches, { rules: [NPM], covered: false }).effect).toBe('ask');
  });

  it.each<[string, Said]>([
    ['was cut', { permission: { omitted: 1 } }],
    ['was redacted', { permission: { input: '{"command":"npm [redacted:TOKEN]"}' } }],
    ['would be an act', { acts: [PUSH] }],
  ])('is never allowed by a rule where it %s', (_what, said) => {
    expect(decide({ commands: ['npm x'] }, { ...said, rules: [NPM] }).effect).toBe('ask');
  });
});
