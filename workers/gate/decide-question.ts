import picomatch from 'picomatch/posix';
import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import type { GateRule, GateTool } from '../../protocol/gate.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import { AGENT_PERMISSION, type PaneQuestion } from '../../protocol/pane-question.ts';
import { decideTouched, PATH_GLOB, type ToolVerdict } from '../../protocol/tool-rules.ts';
import type { InstanceRead } from '../operators/read.ts';
import { decidePolicy } from './acts.ts';

export type QuestionDecision = { effect: 'allow' | 'ask' | 'deny'; rule: GateRule; reason: string };

/**
 * Whether an instance could run the same by itself with nobody asked, where the agent that asks is:
 * it is `held` where it did what the policy forbids and nobody has answered for it. Pure.
 */
export function coversQuestion(
  { instance, definition }: Pick<InstanceRead, 'instance' | 'definition'>,
  tool: GateTool,
  target: string | null,
  held: boolean,
): boolean {
  if (tool === AGENT_PERMISSION || held || instance.state !== 'active') return false;
  const { tools, scopes } = narrowConstraintSpec(definition.ceiling, instance.narrowing);
  const scope = scopes[connectorOf(tool)];
  if (!scope || !tools.includes(tool) || instance.consents.run !== 'always') return false;
  return scope.targets === 'any' || (target !== null && instance.boundTarget?.target === target);
}

/**
 * Decides what an agent in a terminal asks, before a person does: what the policy denies is denied,
 * by the same rules of tools as in a session. What a rule allows is allowed only where the
 * instance's own consent covers it (`coversQuestion`): a rule of the policy is none. All else is asked. Pure.
 */
export function decideQuestion(
  { permission, acts, touches }: Pick<PaneQuestion, 'permission' | 'acts' | 'touches'>,
  policy: MergePolicy,
  covered: boolean,
): QuestionDecision {
  const { engine, asks, input, omitted } = permission;
  if (touches === null)
    return deny('it could not be held against the rules of tools: too long, or not readable');
  const verdict = judge(policy.tools, { name: asks, ...touches });
  if (typeof verdict === 'string') return deny(verdict);
  const ruled = verdict && { effect: verdict.effect, pattern: verdict.rule.pattern };
  const said = decidePolicy({ acts, ruled }, policy);
  if (said.effect === 'deny') return deny(said.reason);
  // What was cut or redacted is not known whole, and no act is allowed by a rule of tools.
  const whole = omitted === 0 && !input.includes('[redacted:');
  const free = ruled?.effect === 'allow' && said.effect === 'allow' && acts.length === 0;
  if (!free || !whole || !covered)
    return { effect: 'ask', rule: 'agent', reason: `${engine} asks to use ${asks}` };
  const reason = `merge policy allows it (${ruled.pattern}), and so does the consent to run`;
  return { effect: 'allow', rule: 'policy', reason };
}

/** A rule that cannot be applied denies, and says so. */
function judge(
  rules: MergePolicy['tools'],
  touched: Parameters<typeof decideTouched>[1],
): ToolVerdict | string {
  try {
    return decideTouched(rules, touched, (path, glob) => picomatch.isMatch(path, glob, PATH_GLOB));
  } catch {
    return 'a rule of tools could not be applied, so nothing is allowed';
  }
}

const deny = (reason: string): QuestionDecision => ({ effect: 'deny', rule: 'policy', reason });
