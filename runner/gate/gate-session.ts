import { randomUUID } from 'node:crypto';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import { messageOf } from '../failure.ts';
import type { RepositoryLimits } from '../limits.ts';
import type { Log } from '../log.ts';
import { limitPolicy, type PushCommand } from './policy.ts';
import type { Quarantine } from './quarantine.ts';
import { decidePush, refuseAll, type PushOutcome } from './receive.ts';

/** One push of a session, and what became of it ref by ref. */
export type GatePush = { pushId: string; outcomes: readonly PushOutcome[] };

/** Who knows the sessions: says what each may do, and puts on record what it did. */
export type PushKeeper = {
  /** Null: the session is not known, and so may do nothing. */
  policyOf(sessionId: SessionId): MergePolicy | null;
  pushed(sessionId: SessionId, push: GatePush): void;
};

/** A session as the gate's server sees it. */
export type GateSession = {
  quarantine: Quarantine;
  decide(commands: readonly PushCommand[]): Promise<readonly PushOutcome[]>;
};

export type GateRoom = {
  sessionId: SessionId;
  quarantine: Quarantine;
  /** The machine's own limits for its repository, read now. Throws when they cannot be read. */
  limits(): RepositoryLimits | null;
  pushes(): PushKeeper | null;
  log: Log;
};

/** The gate of one session: each push is judged by the policy of now, and put on record. */
export function openGateSession(room: GateRoom): GateSession {
  const { sessionId, quarantine, log } = room;
  return {
    quarantine,
    decide: async (commands) => {
      const outcomes = await decide(room, commands);
      for (const outcome of outcomes)
        log('info', 'a session pushed', { session: sessionId, ...outcome });
      try {
        room.pushes()?.pushed(sessionId, { pushId: randomUUID(), outcomes });
      } catch (error) {
        // It happened: the session is told the truth, and the log has what the record lacks.
        const reason = messageOf(error);
        log('error', 'a push could not be put on record', { session: sessionId, reason });
      }
      return outcomes;
    },
  };
}

/** Fails closed: what the policy is and what the machine allows must both be known. */
async function decide(
  { sessionId, quarantine, limits, pushes }: GateRoom,
  commands: readonly PushCommand[],
): Promise<PushOutcome[]> {
  try {
    const policy = pushes()?.policyOf(sessionId);
    if (!policy) throw new PilothouseError('policy_unreadable');
    return await decidePush(commands, quarantine, limitPolicy(policy, limits()));
  } catch (error) {
    return refuseAll(commands, messageOf(error));
  }
}
