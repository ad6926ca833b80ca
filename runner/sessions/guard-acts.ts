import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { ActId, SessionId, TurnId } from '../../protocol/ids.ts';
import { actIdOf } from '../engines/ids.ts';
import type { GuardRefusal, GuardSeen } from '../gate/guard-desk.ts';

/**
 * What is told of what the guard of an open session refused: a word on the act that the stream
 * claims (`claimId`), else an act of its own that was not done. Pure.
 */
export function tellRefused(
  sessionId: SessionId,
  pushId: string,
  { refused, more = 0 }: Pick<GuardSeen, 'refused' | 'more'>,
  turnId: TurnId | null,
  claimId?: ActId,
): EngineEvent[] {
  return [...refused, ...restOf(refused, more)].flatMap(
    ({ kind, command, target, reason, move }, index): EngineEvent[] => {
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
    },
  );
}

/** What is not named one by one, as one. */
const restOf = ([first]: readonly GuardRefusal[], more: number): GuardRefusal[] =>
  first && more > 0
    ? [
        {
          kind: first.kind,
          command: `${more} more of the same`,
          target: null,
          reason: 'the policy refuses them too',
        },
      ]
    : [];
