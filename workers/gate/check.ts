import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { HELD } from '../../protocol/drive-witness.ts';
import { GATE_RATE } from '../../protocol/gate.ts';
import type { MergePolicy, PolicySnapshot } from '../../protocol/merge-policy.ts';
import type { TerminalLooked } from '../../protocol/terminal-command.ts';
import { directoryOf, targetIn } from '../../protocol/terminal-command.ts';
import { backendOf, TERMINAL_RISKS, type TerminalCall } from '../../protocol/terminal.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { readOpenBreaches } from '../ledger/read-breaches.ts';
import type { InstanceRead } from '../operators/read.ts';
import { readPolicy } from '../policy/read.ts';
import { type ActsDecision, decidePolicy } from './acts.ts';
import { CONNECTOR_CONSTRAINTS } from './constraints.ts';
import { lookAt, scopeFor } from './execute.ts';
import { decideGate, decideTarget, type GateDecision, type GateInput } from './policy.ts';
import { countCalls } from './record.ts';

/** What was decided of a call, and what was seen of its terminal on the way. */
export type Checked = {
  decision: GateDecision;
  /** The call as it would be carried out: with the bound terminal, where it named none. */
  call: TerminalCall;
  looked: TerminalLooked | null;
  /** The versions of the merge policy that were read; none for a read. */
  sources: PolicySnapshot['sources'];
  /** The merge policy where the terminal stands; null: it was not read, or for a read alone. */
  policy: MergePolicy | null;
  /** It asks a person about what the call would do. */
  policyAsks: boolean;
  /** SHA-256 of what was seen: a person's yes holds for nothing else. */
  seenSha256: string;
};

/**
 * Loads all that decides a call, and decides it. `approvedSeen` is what a person who said yes to it
 * was shown, and null where nobody did. A machine is asked only where nothing that it
 * could answer is already too much. What cannot be read or found is a no, with the reason.
 */
export async function checkCall(
  env: Env,
  read: InstanceRead,
  asked: TerminalCall,
  { callId, approvedSeen }: { callId: string; approvedSeen: string | null },
): Promise<Checked> {
  const { instance, definition } = read;
  const limits = {
    tool: asked.tool,
    ceiling: definition.ceiling,
    narrowing: instance.narrowing,
    bound: instance.boundTarget?.target ?? null,
  };
  const target = decideTarget({ ...limits, target: targetIn(asked) });
  const call = withTarget(asked, target);
  if (instance.state !== 'active')
    return none(call, { effect: 'deny', rule: 'instance', reason: `it is ${instance.state}` });
  const reads = TERMINAL_RISKS[asked.tool] === 'read';
  if (!reads && (await isHeld(env, read)))
    return none(call, { effect: 'deny', rule: 'breach', reason: HELD });
  const input: GateInput = {
    ...limits,
    target: targetIn(asked),
    name: asked.tool === 'tmux_create_session' ? asked.params.name : null,
    located: target === null ? null : bestCase(limits, target),
    consents: instance.consents,
    acts: { effect: 'allow', reason: '' },
    rate: { used: 0, ...GATE_RATE },
    approved: false,
  };
  const hopeful = decideGate({ ...input, approved: true });
  if (hopeful.effect !== 'allow') return none(call, hopeful);
  const looked = await look(env, read, call, hopeful.scope);
  if ('failed' in looked) return none(call, looked.failed);
  const pane = looked.facts?.pane ?? null;
  const located = pane && { target: pane.target, backend: pane.backend, session: pane.session };
  const others = await countCalls(env, { instanceId: instance.id, callId }, Date.now());
  const rate = { used: others, ...GATE_RATE };
  const seenSha256 = await sha256Hex(JSON.stringify(whatCounts(looked.facts)));
  const approved = approvedSeen === seenSha256;
  const decision = decideGate({ ...input, located, acts: looked.acts, rate, approved });
  const { facts, sources, policy, acts } = looked;
  return {
    decision,
    call,
    looked: facts,
    sources,
    policy,
    policyAsks: acts.effect === 'ask',
    seenSha256,
  };
}

/** Whether it did what the policy forbids, and nobody has answered for it. */
async function isHeld(env: Env, { accountId, instance }: InstanceRead): Promise<boolean> {
  const open = await readOpenBreaches(openDatabase(env.DB), accountId, [instance.id]);
  return open.size > 0;
}

const none = (call: TerminalCall, decision: GateDecision): Checked => ({
  decision,
  call,
  looked: null,
  sources: [],
  policy: null,
  policyAsks: false,
  seenSha256: '',
});

/** Of what was seen, that to which a person says yes; a screen of a program changes all the time. */
function whatCounts(looked: TerminalLooked | null) {
  if (!looked?.pane) return looked;
  const { pane, acts, ruled, linesSha256 } = looked;
  const { target, directory, state, agent } = pane;
  const line = state === 'shell' ? linesSha256 : null;
  return { target, directory, state, agent: agent?.pid ?? null, acts, ruled, line };
}

function withTarget(call: TerminalCall, target: string | null): TerminalCall {
  if (target === null || !('target' in call.params)) return call;
  return { ...call, params: { ...call.params, target } } as TerminalCall;
}

/** The terminal as every name rule would have it: what is refused of it is refused of any. */
function bestCase(
  { tool, ceiling, narrowing }: Pick<GateInput, 'tool' | 'ceiling' | 'narrowing'>,
  target: string,
): NonNullable<GateInput['located']> {
  const scope = narrowConstraintSpec(ceiling, narrowing).scopes[connectorOf(tool)];
  const longest = (scope?.prefixes ?? []).toSorted((one, other) => other.length - one.length)[0];
  return { target, backend: backendOf(target), session: longest ?? null };
}

type Seen =
  | (Pick<Checked, 'sources' | 'policy'> & { facts: TerminalLooked | null; acts: ActsDecision })
  | { failed: Extract<GateDecision, { effect: 'deny' | 'ask' }> };

async function look(
  env: Env,
  { accountId, instance }: InstanceRead,
  call: TerminalCall,
  scope: Extract<GateDecision, { effect: 'allow' }>['scope'],
): Promise<Seen> {
  const free: ActsDecision = { effect: 'allow', reason: '' };
  const reads = TERMINAL_RISKS[call.tool] === 'read';
  if (CONNECTOR_CONSTRAINTS[connectorOf(call.tool)].tools[call.tool]?.aim === 'list')
    return { facts: null, acts: free, sources: [], policy: null };
  const { runnerId } = instance;
  const machine = { accountId, runnerId };
  const within = scopeFor(scope, instance.boundTarget?.target ?? null);
  const database = openDatabase(env.DB);
  try {
    // The account's rules first: where the terminal stands, and so the nearer ones, is not known yet.
    const wide = reads ? null : (await readPolicy(database, accountId, {})).policy;
    const facts = await lookAt(env, machine, { call, scope: within, rules: wide?.tools ?? [] });
    if (reads) return { facts, acts: free, sources: [], policy: null };
    const directory = facts.pane?.directory ?? directoryOf(call);
    const place = directory === null ? {} : { runnerId, directory };
    const { policy, layers } = await readPolicy(database, accountId, place);
    const further = policy.tools.some(
      (rule) => !wide?.tools.some((each) => JSON.stringify(each) === JSON.stringify(rule)),
    );
    const again = further
      ? await lookAt(env, machine, { call, scope: within, rules: policy.tools })
      : facts;
    const sources = layers.map(({ scope: of, version }) => ({ scope: of, version }));
    return { facts: again, acts: decidePolicy(again, policy), sources, policy };
  } catch (error) {
    if (!(error instanceof PilothouseError)) throw error;
    const rule = error.code === 'policy_unreadable' ? 'policy' : 'binding';
    return { failed: { effect: 'deny', rule, reason: error.message } };
  }
}
