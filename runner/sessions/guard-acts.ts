import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { ActId, SessionId, TurnId } from '../../protocol/ids.ts';
import { actIdOf } from '../engines/ids.ts';
import type { GuardSeen } from '../gate/guard-desk.ts';

/**
 * What is told of what the guard of an open session refused: a word on the act that the stream
 * claims (`claimId`), else an act of its own that was not done. Pure.
 */
export function tellRefused(
  sessionId: SessionId,
  pushId: string,
  { refused }: Pick<GuardSeen, 'refused'>,
  turnId: TurnId | null,
  claimId?: ActId,
): EngineEvent[] {
  return refused.flatMap(({ kind, command, target, reason, move }, index): EngineEvent[] => {
    const evidence = `The guard in the session’s environment refused ${command}: ${reason}`;
    if (claimId)
      return [
        {
          type: 'act/witnessed',
          actId: claimId,
          by: 'guard',
          finding: 'judged',
          move: null,
          evidence,
        },
      ];
    const actId = actIdOf(`guard ${sessionId}`, pushId, index);
    const act = { actId, turnId, toolId: null, kind, command, target, uncertain: false };
    return [
      { type: 'act/seen', act: { ...act, witness: 'guard', ...(move && { move }) } },
      { type: 'act/ended', actId, outcome: 'not_done', by: 'policy', reason },
    ];
  });
}
