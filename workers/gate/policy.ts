import {
  connectorOf,
  narrowConstraintSpec,
  type Ceiling,
  type ConnectorScope,
  type Consent,
  type Consents,
  type Narrowing,
} from '../../protocol/ceiling.ts';
import type { GateRule } from '../../protocol/gate.ts';
import type { TerminalBackend, TerminalTool } from '../../protocol/terminal.ts';
import { CONNECTOR_CONSTRAINTS, type ToolConstraint } from './constraints.ts';

/** A terminal as the machine has just shown it. */
export type Located = { target: string; backend: TerminalBackend; session: string | null };

export type GateInput = {
  tool: TerminalTool;
  /** The terminal that the call names; null where it names none. */
  target: string | null;
  /** The session that is to be made; null for every other tool. */
  name: string | null;
  /** The terminal that is aimed at, or null: it is not there, or the machine cannot tell. */
  located: Located | null;
  ceiling: Ceiling;
  narrowing: Narrowing;
  /** The terminal that the instance is bound to. */
  bound: string | null;
  consents: Consents;
  /** What the merge policy says of the acts that the command would be. */
  acts: { effect: 'allow' | 'ask' | 'deny'; reason: string };
  /** Calls of this instance in the window. */
  rate: { used: number; most: number; windowMs: number };
  /** A person has agreed to exactly this call. */
  approved: boolean;
};

export type GateDecision =
  /** `target` is filled in where a bound operator named none; `scope` goes to the machine along. */
  | { effect: 'allow'; target: string | null; scope: ConnectorScope }
  | { effect: 'ask' | 'deny'; rule: GateRule; reason: string };

/** The terminal that a call is aimed at, before anybody has looked for it. Null: none is known. */
export function decideTarget({
  target,
  bound,
  ceiling,
  narrowing,
  tool,
}: Pick<GateInput, 'target' | 'bound' | 'ceiling' | 'narrowing' | 'tool'>): string | null {
  const scope = narrowConstraintSpec(ceiling, narrowing).scopes[connectorOf(tool)];
  return target ?? (scope?.targets === 'single' ? bound : null);
}

/**
 * Decides one call of an operator. Whatever cannot be read or found is refused, and a person is asked
 * about nothing that is refused whatever they say. Pure.
 */
export function decideGate(input: GateInput): GateDecision {
  const { tool, ceiling, narrowing } = input;
  const name = connectorOf(tool);
  const constraint = CONNECTOR_CONSTRAINTS[name].tools[tool];
  if (!constraint) return deny('tools', `no connector has a tool ${tool}`);
  const scope = narrowConstraintSpec(ceiling, narrowing).scopes[name];
  if (!scope) return deny('ceiling', `the operator’s definition leaves ${name} closed`);
  return (
    denyByTools(input) ??
    denyByLimits(input, constraint) ??
    denyByBinding(input, constraint, scope) ??
    denyByConsent(input, constraint) ??
    denyByActs(input) ??
    denyByRate(input) ??
    askByActs(input) ??
    askByConsent(input, constraint) ?? { effect: 'allow', target: decideTarget(input), scope }
  );
}

function denyByTools({ tool, ceiling, narrowing }: GateInput): GateDecision | null {
  if (!ceiling.tools.includes(tool)) return deny('tools', `the operator has no tool ${tool}`);
  return narrowing.tools?.includes(tool) === false
    ? deny('tools', `subscriber took the tool ${tool} away`)
    : null;
}

/** Every limit apart, so that it can be told whose it was. */
function denyByLimits(input: GateInput, { aim }: ToolConstraint): GateDecision | null {
  // The answer is cut to what the limits leave.
  if (aim === 'list') return null;
  const name = connectorOf(input.tool);
  const made = { backend: 'tmux', session: input.name } as const;
  const aimed = aim === 'new' ? made : input.located;
  if (!aimed) return null;
  const limits = [
    ['ceiling', 'the connector limits', { backends: CONNECTOR_CONSTRAINTS[name].backends }],
    ['ceiling', 'creator limited', input.ceiling.surfaceOptions[name]],
    ['narrowing', 'subscriber narrowed', input.narrowing.surfaceOptions?.[name]],
  ] as const;
  for (const [rule, who, limit] of limits) {
    const { backends, prefix = null }: Limit = limit ?? {};
    if (backends && !backends.includes(aimed.backend))
      return deny(rule, `${who} backends to ${backends.join(', ') || 'none'}`);
    if (prefix !== null && !aimed.session?.startsWith(prefix))
      return deny(rule, `${who} names to those that begin with ${prefix}`);
  }
  return null;
}

type Limit = {
  backends?: readonly TerminalBackend[] | undefined;
  prefix?: string | null | undefined;
};

function denyByBinding(
  input: GateInput,
  { aim }: ToolConstraint,
  { targets }: ConnectorScope,
): GateDecision | null {
  const { bound, target, located } = input;
  if (targets === 'single') {
    if (bound === null)
      return deny('binding', 'the operator works in one terminal, and none is bound to it');
    if (aim === 'new')
      return deny('binding', 'the operator works in the terminal bound to it, and makes no other');
    if (target !== null && target !== bound)
      return deny('binding', 'the call names another terminal than the one bound');
  }
  if (aim !== 'target') return null;
  const aimed = decideTarget(input);
  if (aimed === null) return deny('binding', 'the call names no terminal');
  return located?.target === aimed
    ? null
    : deny('binding', 'the terminal cannot be found, so no limit can be held against it');
}

/** What is not there was never agreed to. */
const consentTo = ({ consents }: GateInput, { risk }: ToolConstraint): Consent =>
  (consents as Partial<Consents>)[risk] ?? 'never';

const denyByConsent = (input: GateInput, constraint: ToolConstraint): GateDecision | null =>
  ['ask', 'always'].includes(consentTo(input, constraint))
    ? null
    : deny('consent', `subscriber has not agreed to ${constraint.risk}`);

const denyByActs = ({ acts }: GateInput): GateDecision | null =>
  acts.effect === 'deny' ? deny('policy', acts.reason) : null;

/** Before consent, whose yes for good would be one to what the policy asks about each time. */
const askByActs = ({ acts, approved }: GateInput): GateDecision | null =>
  acts.effect === 'allow' || approved ? null : ask('policy', acts.reason);

const askByConsent = (input: GateInput, constraint: ToolConstraint): GateDecision | null =>
  consentTo(input, constraint) === 'always' || input.approved
    ? null
    : ask('consent', `subscriber is asked before ${constraint.risk}`);

const denyByRate = ({ rate: { used, most, windowMs } }: GateInput): GateDecision | null =>
  used < most
    ? null
    : deny('rate', `${used} calls in ${Math.round(windowMs / 1_000)} s are as many as it may make`);

const deny = (rule: GateRule, reason: string): GateDecision => ({ effect: 'deny', rule, reason });
const ask = (rule: GateRule, reason: string): GateDecision => ({ effect: 'ask', rule, reason });
