import type { GateAnswer, GateRule } from '../../protocol/gate.ts';
import { endsOf, forbidden } from './act-rows.ts';
import { carryOut, recallWrite } from './carry-out.ts';
import { checkCall } from './check.ts';
import { type Room, rowOf } from './decide.ts';
import { appendDecision, type DecisionRow, isDone } from './record.ts';

/**
 * A call that was allowed before and is made again. What holds now decides whether anything may
 * still be done: of a write that may not be begun any more the machine is asked what it remembers,
 * and nothing is read a second time under the decision of the first.
 */
export async function repeatCall(room: Room, known: DecisionRow): Promise<GateAnswer> {
  const { env, database, read, input } = room;
  const reads = known.risk === 'read';
  if (reads && (await isDone(database, input))) return ANSWERED;
  // Who agreed to it once agreed to exactly this call.
  const approved = known.step > 0;
  const checked = await checkCall(env, read, input.call, { callId: input.callId, approved });
  const { decision } = checked;
  if (decision.effect === 'allow') return carryOut(room, known);
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
