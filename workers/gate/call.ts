import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import {
  GATE_ANSWER_MS,
  GATE_REPEAT_MS,
  type GateActor,
  type GateAnswer,
  gateCallId,
} from '../../protocol/gate.ts';
import type { InstanceId } from '../../protocol/ids.ts';
import { TERMINAL_RISKS, terminalCall, type TerminalCall } from '../../protocol/terminal.ts';
import { targetIn } from '../../protocol/terminal-command.ts';
import { type Database, openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { type InstanceRead, readInstance } from '../operators/read.ts';
import { kindsOf } from './acts.ts';
import { type Checked, checkCall } from './check.ts';
import { driveOf } from './drive.ts';
import { commandIdOf, execute, type Executed, scopeFor } from './execute.ts';
import {
  appendDecision,
  appendOutcome,
  type DecisionRow,
  readAnswer,
  readDecision,
} from './record.ts';

export type GateCall = {
  instanceId: InstanceId;
  /** Whatever the caller sent: it is parsed here. */
  call: unknown;
  actor: GateActor;
  /** The caller's own name of it: the same again is the same call, and its effect happens once. */
  callId: string;
};

type Room = {
  env: Env;
  database: Database;
  read: InstanceRead;
  input: GateCall & { call: TerminalCall };
  hash: { callSha256: string; callBytes: number };
};

/**
 * The gate: the only way of an operator to a terminal. The decision is on record before anything
 * is done. Throws `instance_not_found`, `bad_request` for a call that is none, and `conflict` for
 * another call under the same id.
 */
export async function callTool(env: Env, asked: GateCall): Promise<GateAnswer> {
  const input = { ...asked, ...parseAsked(asked) };
  const { instanceId } = input;
  const read = await readInstance(env, instanceId);
  if (!read) throw new PilothouseError('instance_not_found', { instanceId });
  const json = JSON.stringify(input.call);
  const callBytes = new TextEncoder().encode(json).byteLength;
  const hash = { callSha256: await sha256Hex(json), callBytes };
  const database = openDatabase(env.DB);
  const room: Room = { env, database, read, input, hash };
  const known = await readDecision(database, input);
  if (known && known.callSha256 !== hash.callSha256)
    throw new PilothouseError('conflict', { detail: 'another call was made under this id' });
  if (known && Date.now() - known.at > GATE_REPEAT_MS) return TOO_OLD;
  const before = known ?? (await decide(room, 0, false));
  const decision = before.effect === 'ask' ? await goOn(room, before) : before;
  return decision.effect === 'allow' ? carryOut(room, decision) : answerOf(decision);
}

/** What the machine did of it may be forgotten there, so that it could happen a second time. */
const TOO_OLD: GateAnswer = {
  kind: 'denied',
  rule: 'instance',
  reason: 'it was decided more than a day ago; make it as a new call',
};

function parseAsked({ call, callId }: GateCall): { call: TerminalCall; callId: string } {
  const parsed = terminalCall.safeParse(call);
  const named = gateCallId.safeParse(callId);
  const issue = (parsed.error ?? named.error)?.issues[0];
  if (parsed.success && named.success) return { call: parsed.data, callId: named.data };
  const detail = issue && `${issue.path.join('.') || 'callId'}: ${issue.message}`;
  throw new PilothouseError('bad_request', { detail });
}

/** Decides, and puts it on record. */
async function decide(room: Room, step: 0 | 1, approved: boolean): Promise<DecisionRow> {
  const { env, database, read, input } = room;
  const checked = await checkCall(env, read, input.call, { callId: input.callId, approved });
  const row = rowOf(room, checked, step);
  const { accountId, actorId, instanceId, callId, expiresAt } = row;
  const waiting =
    expiresAt === null
      ? null
      : { accountId, actorId, instanceId, callId, call: checked.call, expiresAt };
  return appendDecision(database, row, waiting);
}

function rowOf({ read, input, hash }: Room, checked: Checked, step: 0 | 1): DecisionRow {
  const { decision, call, looked } = checked;
  const nowMs = Date.now();
  const decided =
    decision.effect === 'allow'
      ? { rule: null, reason: '' }
      : { rule: decision.rule, reason: decision.reason };
  return {
    accountId: read.accountId,
    actorId: read.instance.ownerId,
    instanceId: input.instanceId,
    callId: input.callId,
    step,
    operatorId: read.definition.id,
    runnerId: read.instance.runnerId,
    tool: call.tool,
    target: targetIn(call),
    at: nowMs,
    actor: input.actor,
    definitionVersion: read.definition.version,
    risk: TERMINAL_RISKS[call.tool],
    ...hash,
    effect: decision.effect,
    ...decided,
    acts: kindsOf(looked?.acts ?? []),
    aiCli: looked?.pane?.agent?.engine ?? null,
    expiresAt: decision.effect === 'ask' ? nowMs + GATE_ANSWER_MS : null,
  };
}

/** A call that a person is asked about: with their answer it is decided anew, for things change. */
async function goOn(room: Room, before: DecisionRow): Promise<DecisionRow> {
  const { database, input } = room;
  const answer = await readAnswer(database, input);
  if (answer && answer.answer !== 'deny') return decide(room, 1, true);
  const late = before.expiresAt !== null && Date.now() > before.expiresAt;
  if (!answer && !late) return before;
  const reason = answer ? 'a person said no' : 'nobody answered in time';
  const row = { ...before, step: 1, at: Date.now(), reason, expiresAt: null };
  return appendDecision(database, { ...row, effect: 'deny' }, null);
}

function answerOf({ effect, rule, reason, expiresAt }: DecisionRow): GateAnswer {
  const by = { rule: rule ?? ('instance' as const), reason };
  if (effect === 'ask') return { kind: 'waiting', ...by, expiresAt: expiresAt ?? 0 };
  return { kind: 'denied', ...by };
}

async function carryOut(room: Room, decision: DecisionRow): Promise<GateAnswer> {
  const { env, database, read, input } = room;
  const { accountId, actorId, instanceId, callId, runnerId, target } = decision;
  const spec = narrowConstraintSpec(read.definition.ceiling, read.instance.narrowing);
  const scope = spec.scopes[connectorOf(decision.tool)];
  if (!scope) return { kind: 'denied', rule: 'ceiling', reason: 'the connector was closed since' };
  const params =
    target !== null && 'target' in input.call.params
      ? { ...input.call.params, target }
      : input.call.params;
  const call = { ...input.call, params } as TerminalCall;
  const within = scopeFor(scope, read.instance.boundTarget?.target ?? null);
  const id = await commandIdOf(instanceId, callId);
  const became = await execute(env, { accountId, runnerId }, { call, scope: within }, id);
  const code = became.status === 'refused' ? became.code : null;
  const outcome = { accountId, actorId, instanceId, callId, status: became.status, code };
  const drive = await driveOf(decision, call, became);
  await appendOutcome(database, { ...outcome, at: Date.now() }, drive);
  return answerFrom(became);
}

function answerFrom(became: Executed): GateAnswer {
  switch (became.status) {
    case 'done':
      return { kind: 'done', value: became.value };
    case 'refused':
      return { kind: 'refused', code: became.code, message: became.message };
    case 'unknown':
      return { kind: 'unknown', message: became.message };
    default:
      return became satisfies never;
  }
}
