import { connectorOf, narrowConstraintSpec } from '../../protocol/ceiling.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import type { TerminalCall } from '../../protocol/terminal.ts';
import { endBy, endsOf } from './act-rows.ts';
import type { Room } from './decide.ts';
import { driveOf } from './drive.ts';
import { commandIdOf, execute, type Executed, recall, scopeFor } from './execute.ts';
import { appendOutcome, type DecisionRow } from './record.ts';

/** Makes a call that was decided, and puts what became of it on record. */
export async function carryOut(room: Room, decision: DecisionRow): Promise<GateAnswer> {
  const { env, read } = room;
  const { accountId, instanceId, callId, runnerId } = decision;
  const spec = narrowConstraintSpec(read.definition.ceiling, read.instance.narrowing);
  const scope = spec.scopes[connectorOf(decision.tool)];
  if (!scope) return { kind: 'denied', rule: 'ceiling', reason: 'the connector was closed since' };
  const within = scopeFor(scope, read.instance.boundTarget?.target ?? null);
  const call = callOf(room, decision);
  const id = await commandIdOf(instanceId, callId);
  return settle(
    room,
    decision,
    await execute(env, { accountId, runnerId }, { call, scope: within }, id),
  );
}

/**
 * What the machine remembers of a write that may not be begun any more; null where it never began,
 * and from now on never will.
 */
export async function recallWrite(room: Room, decision: DecisionRow): Promise<GateAnswer | null> {
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
