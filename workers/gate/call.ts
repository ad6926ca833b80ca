import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import {
  GATE_REPEAT_MS,
  type GateActor,
  type GateAnswer,
  gateCallId,
  type GateRule,
} from '../../protocol/gate.ts';
import type { InstanceId } from '../../protocol/ids.ts';
import { terminalCall, type TerminalCall } from '../../protocol/terminal.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { readInstance } from '../operators/read.ts';
import { endsOf, forbidden, watchOf } from './act-rows.ts';
import { type Checked, checkCall } from './check.ts';
import { decide, type Decided, type Room, rowOf } from './decide.ts';
import { driveOf, endBy } from './drive.ts';
import { commandIdOf, execute, type Executed, recall, scopeFor } from './execute.ts';
import {
  appendDecision,
  appendOutcome,
  type DecisionRow,
  isDone,
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

/**
 * The gate: the only way of an operator to a terminal. The decision is on record before anything
 * is done. Throws `instance_not_found`, `bad_request` for a call that is none, and `conflict` for
 * another call under the same id, or one of another caller.
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
  if (known && !isSame(known, room))
    throw new PilothouseError('conflict', { detail: 'another call was made under this id' });
  if (known && Date.now() - known.at > GATE_REPEAT_MS) return TOO_OLD;
  if (known?.effect === 'allow') return repeatCall(room, known);
  const before = known ? { row: known, checked: null } : await decide(room, 0, null);
  const { row, checked } = before.row.effect === 'ask' ? await goOn(room, before.row) : before;
  return row.effect === 'allow' ? carryOut(room, row, checked) : answerOf(row);
}

/** Whether it is the call that was decided: of the same caller too, for names can be guessed. */
const isSame = (known: DecisionRow, { hash, input: { actor } }: Room): boolean =>
  known.callSha256 === hash.callSha256 &&
  known.actor.kind === actor.kind &&
  known.actor.id === actor.id;

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

/** A call that a person is asked about: with their answer it is decided anew, for things change. */
async function goOn(room: Room, before: DecisionRow): Promise<Decided> {
  const { database, input } = room;
  const answer = await readAnswer(database, input);
  if (answer && answer.answer !== 'deny') return decide(room, 1, before.seenSha256);
  const late = before.expiresAt !== null && Date.now() > before.expiresAt;
  if (!answer && !late) return { row: before, checked: null };
  const reason = answer ? 'a person said no' : 'nobody answered in time';
  const row = { ...before, step: 1, at: Date.now(), reason, expiresAt: null };
  return {
    row: await appendDecision(database, { ...row, effect: 'deny' }, null),
    checked: null,
  };
}

function answerOf({ effect, rule, reason, expiresAt }: DecisionRow): GateAnswer {
  const by = { rule: rule ?? ('instance' as const), reason };
  if (effect === 'ask') return { kind: 'waiting', ...by, expiresAt: expiresAt ?? 0 };
  return { kind: 'denied', ...by };
}

/**
 * A call that was allowed before and is made again. What holds now decides whether anything may
 * still be done: of a write that may not be begun any more the machine is asked what it remembers,
 * and nothing is read a second time under the decision of the first.
 */
async function repeatCall(room: Room, known: DecisionRow): Promise<GateAnswer> {
  const { env, database, read, input } = room;
  const reads = known.risk === 'read';
  if (reads && (await isDone(database, input))) return ANSWERED;
  // Who agreed to it once agreed to exactly this call, and to the terminal as it was.
  const approvedSeen = known.step > 0 ? known.seenSha256 : null;
  const checked = await checkCall(env, read, input.call, { callId: input.callId, approvedSeen });
  const { decision } = checked;
  if (decision.effect === 'allow') return carryOut(room, known, checked);
  const remembered = reads ? null : await recallWrite(room, known);
  if (remembered) return remembered;
  const { rule, reason } = decision.effect === 'ask' ? askedSince(decision) : decision;
  const row = { ...rowOf(room, checked, known.step + 1), rule, reason, expiresAt: null };
  const ends = await endsOf(database, known, { ...forbidden(reason), decidedBy: null });
  await appendDecision(database, { ...row, effect: 'deny' }, null, { acts: [], ends });
  return { kind: 'denied', rule, reason };
}

/** What a terminal shows now was not what was asked for then. */
const ANSWERED: GateAnswer = {
  kind: 'denied',
  rule: 'instance',
  reason: 'its answer was given before and is kept nowhere; make it as a new call',
};

const askedSince = ({ rule, reason }: { rule: GateRule; reason: string }) => ({
  rule,
  reason: `${reason} since then; make it as a new call`,
});

/** Makes a call that was decided, and puts what became of it on record. */
async function carryOut(
  room: Room,
  decision: DecisionRow,
  checked: Checked | null,
): Promise<GateAnswer> {
  const { env, read } = room;
  const { accountId, instanceId, callId, runnerId } = decision;
  const spec = narrowConstraintSpec(read.definition.ceiling, read.instance.narrowing);
  const scope = spec.scopes[connectorOf(room.input.call.tool)];
  if (!scope) return { kind: 'denied', rule: 'ceiling', reason: 'the connector was closed since' };
  const within = scopeFor(scope, read.instance.boundTarget?.target ?? null);
  const call = callOf(room, decision);
  const drive = { instanceId, callId };
  const watch = checked && (await watchOf(decision, checked));
  const rules = checked && rulesOf(decision, checked);
  const id = await commandIdOf(instanceId, callId);
  return settle(
    room,
    decision,
    await execute(
      env,
      { accountId, runnerId },
      { call, scope: within, drive, ...(watch && { watch }), ...(rules && { rules }) },
      id,
    ),
  );
}

/** What a coding agent that a call starts is held to: what a rule allows is no consent of the person's. */
const rulesOf = ({ risk }: DecisionRow, { policy }: Checked) =>
  risk === 'run' && policy ? policy.tools.filter(({ effect }) => effect !== 'allow') : null;

/**
 * What the machine remembers of a write that may not be begun any more; null where it never began,
 * and from now on never will.
 */
async function recallWrite(room: Room, decision: DecisionRow): Promise<GateAnswer | null> {
  const { accountId, instanceId, callId, runnerId } = decision;
  const id = await commandIdOf(instanceId, callId);
  const machine = { accountId, runnerId };
  const became = await recall(room.env, machine, callOf(room, decision), id);
  return became === null ? null : settle(room, decision, became);
}

/** The call as it was decided: with the bound terminal, where it named none. */
function callOf({ input: { call } }: Room, { target }: DecisionRow): TerminalCall {
  if (target === null || !('target' in call.params)) return call;
  return { ...call, params: { ...call.params, target } } as TerminalCall;
}

async function settle(room: Room, decision: DecisionRow, became: Executed): Promise<GateAnswer> {
  const { accountId, actorId, instanceId, callId } = decision;
  const code = became.status === 'refused' ? became.code : null;
  const outcome = { accountId, actorId, instanceId, callId, status: became.status, code };
  const drive = await driveOf(decision, callOf(room, decision), became);
  const ends = decision.acts.length > 0 ? await endsOf(room.database, decision, endBy(became)) : [];
  await appendOutcome(room.database, { ...outcome, at: Date.now() }, drive, ends);
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
