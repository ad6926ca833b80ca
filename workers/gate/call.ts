import { PilothouseError } from '../../protocol/errors.ts';
import {
  GATE_REPEAT_MS,
  type GateActor,
  type GateAnswer,
  gateCallId,
} from '../../protocol/gate.ts';
import type { InstanceId } from '../../protocol/ids.ts';
import { terminalCall, type TerminalCall } from '../../protocol/terminal.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { readInstance } from '../operators/read.ts';
import { carryOut } from './carry-out.ts';
import { decide, type Room } from './decide.ts';
import { appendDecision, type DecisionRow, readAnswer, readDecision } from './record.ts';
import { repeatCall } from './repeat.ts';

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
  const before = known ?? (await decide(room, 0, false));
  const decision = before.effect === 'ask' ? await goOn(room, before) : before;
  return decision.effect === 'allow' ? carryOut(room, decision) : answerOf(decision);
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
