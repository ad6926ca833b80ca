import { PilothouseError } from '../../protocol/errors.ts';
import type { GateSaid } from '../../protocol/gate.ts';
import type { ActorId, InstanceId } from '../../protocol/ids.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Saver } from '../operators/append.ts';
import type { InstanceRead } from '../operators/read.ts';
import { changeInstance } from '../operators/instances.ts';
import { deliverAnswer } from './question.ts';
import { appendAnswer, readAnswer, readDecision } from './record.ts';

/**
 * Puts a person's answer to a waiting call on record; the first word stands, and said again it
 * changes nothing. `instance` makes it the instance's own consent. Throws `call_not_waiting`, and
 * `bad_request` for what no consent could settle, and `question_over` for what an agent in a terminal
 * asked and does not wait for any more.
 */
export async function answerCall(
  env: Env,
  saver: Saver,
  { instanceId, callId, answer }: { instanceId: InstanceId; callId: string; answer: GateSaid },
  nowMs: number,
): Promise<GateSaid> {
  const database = openDatabase(env.DB);
  const call = { instanceId, callId };
  const decision = await readDecision(database, call);
  const before = await readAnswer(database, call);
  if (before && before.accountId === saver.accountId) return before.answer;
  const open = decision?.effect === 'ask' && decision.accountId === saver.accountId;
  if (!open || nowMs > (decision.expiresAt ?? 0))
    throw new PilothouseError('call_not_waiting', { callId });
  if (answer === 'instance') {
    if (decision.rule !== 'consent') throw new PilothouseError('bad_request', { detail: EACH });
    const consents = { [decision.risk]: 'always' as const };
    await changeInstance(env, saver, instanceId, { change: 'consent', consents }, nowMs);
  }
  const channel = saver.kind === 'person' ? 'console' : 'cli';
  const { accountId, actorId } = saver;
  const row = { accountId, actorId, ...call, answer, channel, at: nowMs };
  const stands = await appendAnswer(database, row);
  if (decision.rule === 'agent') await deliverAnswer(env, decision, stands);
  return stands;
}

const EACH =
  'answer: only what your consent decides can be allowed for good, so answer `once` or `deny`';

/** The caller itself takes a waiting call back: nobody need answer it any more. */
export async function withdrawCall(
  env: Env,
  { accountId, instance }: InstanceRead,
  callId: string,
  actorId: ActorId,
): Promise<void> {
  const call = { instanceId: instance.id, callId };
  const at = Date.now();
  const row = { accountId, actorId, ...call, answer: 'deny' as const, channel: 'chat', at };
  await appendAnswer(openDatabase(env.DB), row);
}
