import { GATE_ANSWER_MS, type GateActor } from '../../protocol/gate.ts';
import type { InstanceId } from '../../protocol/ids.ts';
import { targetIn } from '../../protocol/terminal-command.ts';
import { TERMINAL_RISKS, type TerminalCall } from '../../protocol/terminal.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { describeFault, log } from '../lib/logger.ts';
import { bellOf } from '../lib/stubs.ts';
import type { InstanceRead } from '../operators/read.ts';
import { actsOf, forbidden } from './act-rows.ts';
import { kindsOf } from './acts.ts';
import { type Checked, checkCall } from './check.ts';
import { appendDecision, type DecisionRow } from './record.ts';

/** One call, and all that is needed to decide and to make it. */
export type Room = {
  env: Env;
  database: Database;
  read: InstanceRead;
  input: { instanceId: InstanceId; call: TerminalCall; actor: GateActor; callId: string };
  hash: { callSha256: string; callBytes: number };
};

/** A decision on record, and what it was made of; null where that is another's, or an older one. */
export type Decided = { row: DecisionRow; checked: Checked | null };

/**
 * Decides, and puts it on record. A call that a person has answered for is not asked about again: what
 * their yes does not cover any more is denied.
 */
export async function decide(
  room: Room,
  step: number,
  approvedSeen: string | null,
): Promise<Decided> {
  const { env, database, read, input } = room;
  const checked = await checkCall(env, read, input.call, { callId: input.callId, approvedSeen });
  const row = changedSince(rowOf(room, checked, step));
  const { accountId, actorId, instanceId, callId, expiresAt } = row;
  const waiting =
    expiresAt === null
      ? null
      : { accountId, actorId, instanceId, callId, call: checked.call, expiresAt };
  const stands = await appendDecision(database, row, waiting, await toldOf(row, checked));
  if (stands.effect === 'ask') await ring(env, stands);
  return { row: stands, checked };
}

/** Who cannot be told hinders no decision: what waits stands in the console. */
export async function ring(
  env: Env,
  { accountId, instanceId, callId }: DecisionRow,
): Promise<void> {
  const tag = `${instanceId} ${callId}`;
  await bellOf(env, accountId)
    .ring([{ kind: 'operator', sessionId: null, instanceId, tag }])
    .catch((fault: unknown) =>
      log('warn', 'gate.ring', { instanceId, fault: describeFault(fault) }),
    );
}

/** What is told of what a call would do: nothing while a person is asked, or where another rule says no. */
async function toldOf(row: DecisionRow, { looked, sources }: Checked) {
  const forbids = row.effect === 'deny' && row.rule === 'policy';
  if (row.effect !== 'allow' && !forbids) return { acts: [], ends: [] };
  const { accountId, actorId, instanceId: sessionId, at } = row;
  const acts = await actsOf(row, looked?.acts ?? [], sources);
  const end = { accountId, actorId, sessionId, at, ...forbidden(row.reason) };
  return { acts, ends: forbids ? acts.map(({ actId }) => ({ ...end, actId })) : [] };
}

export function rowOf({ read, input, hash }: Room, checked: Checked, step: number): DecisionRow {
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
    seenSha256: checked.seenSha256,
  };
}

/** The first decision may ask; a later one is of a call that somebody has answered for. */
export function changedSince(row: DecisionRow): DecisionRow {
  if (row.step === 0 || row.effect !== 'ask') return row;
  const reason = `${row.reason}, and the terminal is not as it was when a person agreed; make it as a new call`;
  return { ...row, effect: 'deny', reason, expiresAt: null };
}
