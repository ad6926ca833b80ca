import { randomUUID } from 'node:crypto';
import { approvalId } from '../engines/ids.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { MergePolicy } from '../../protocol/merge-policy.ts';
import type { PullRequestAsk } from '../broker/ask.ts';
import { changePullRequest, type Changer } from '../broker/change.ts';
import type { ChangeAsk, ReadAsk } from '../broker/forge-ask.ts';
import { openPullRequest, type Broker, type PullRequest } from '../broker/open.ts';
import { CALL_PACE, keepPace, WRITE_PACE, type Late } from '../broker/pace.ts';
import { readForge } from '../broker/read.ts';
import type { Reach } from '../broker/reach.ts';
import { failLate, type ForgeSaid } from '../broker/show.ts';
import type { OwnWork } from '../broker/which.ts';
import type { Redactor } from '../guard/redact.ts';
import { messageOf } from '../failure.ts';
import type { RepositoryLimits } from '../limits.ts';
import type { Log } from '../log.ts';
import type { GuardSeen } from './guard-desk.ts';
import { findNoRoom, isSamePush, sayWaiting, type HeldPush, type HeldWords } from './held.ts';
import { limitPolicy, type PushCommand, type PushPolicy } from './policy.ts';
import type { Quarantine } from './quarantine.ts';
import { decidePush, refuseAll, type PushOutcome } from './receive.ts';
import { settleHeld } from './settle.ts';

/** One push of a session, and what became of it ref by ref. */
export type GatePush = {
  pushId: string;
  outcomes: readonly PushOutcome[];
  /** What of it is kept for a person's answer. */
  held?: HeldPush & HeldWords;
  /** It was no push: a pull request was asked for. */
  pullRequest?: PullRequest;
  /** It never came to the gate: the guard of an open session saw it before it was done. */
  guard?: GuardSeen;
};

/** Who knows the sessions: says what each may do, and puts on record what it did. */
export type PushKeeper = {
  /** Null: the session is not known, and so may do nothing. */
  policyOf(sessionId: SessionId): MergePolicy | null;
  /** Throws where it cannot be put on record. */
  pushed(sessionId: SessionId, push: GatePush): void;
  /** The pushes of a session that wait for an answer, the oldest first. */
  waiting(sessionId: SessionId): readonly HeldPush[];
  /** Takes the session's secrets, as they are now, out of what it writes elsewhere. */
  redactorOf(sessionId: SessionId): Promise<Redactor>;
};

/** A session as the gate's server sees it. */
export type GateSession = {
  quarantine: Quarantine;
  decide(commands: readonly PushCommand[]): Promise<readonly PushOutcome[]>;
  /** Opens a pull request for a branch that the session pushed, where the policy lets it. */
  ask(
    ask: PullRequestAsk,
    words?: Broker['words'],
    repository?: string | null,
  ): Promise<PullRequest>;
  /** Changes one that the session opened, or comments on it. */
  change(ask: ChangeAsk): Promise<PullRequest>;
  /** Reads what the forge has of the session's own repository; no act. */
  read(ask: ReadAsk): Promise<ForgeSaid>;
};

export type GateRoom = {
  sessionId: SessionId;
  quarantine: Quarantine;
  /** The machine's own limits for its repository, read now. Throws when they cannot be read. */
  limits(): RepositoryLimits | null;
  pushes(): PushKeeper | null;
  /** What the machine has to open pull requests with, read now. */
  forges(): Pick<Broker, 'forges' | 'env'>;
  /** The clock, Unix ms. */
  now(): number;
  log: Log;
};

/** The gate of one session: each push is judged by the policy of now, and put on record. */
export function openGateSession(room: GateRoom): GateSession {
  const { sessionId, quarantine, log } = room;
  const calls = keepPace(room.now, CALL_PACE, 'had the forge called');
  const writes = keepPace(room.now, WRITE_PACE, 'asked for something to be written');
  const record = (pullRequest: PullRequest): PullRequest => {
    const { change, ...asked } = pullRequest;
    log('info', 'a session asked for a pull request', {
      session: sessionId,
      ...asked,
      change: change?.kind ?? 'open',
    });
    try {
      room.pushes()?.pushed(sessionId, { pushId: randomUUID(), outcomes: [], pullRequest });
    } catch (error) {
      const reason = messageOf(error);
      log('error', 'a pull request could not be put on record', { session: sessionId, reason });
    }
    return pullRequest;
  };
  return {
    quarantine,
    ask: async (ask, words = 'agent', repository = null) => {
      const kept = words === 'agent' ? { charge: calls.charge } : {};
      const late = words === 'agent' ? writes.charge() : null;
      return record(await openOrSay(room, ask, { words, repository, ...kept }, late));
    },
    change: async (ask) => record(await changeOrSay(room, ask, calls.charge, writes.charge())),
    read: async (ask) => {
      const late = calls.look();
      if (late !== null) return failLate(late);
      log('info', 'a session read at the forge', { session: sessionId, what: ask.do });
      return readForge(ask, {
        ...reachIn(room),
        charge: calls.charge,
        work: () => readWork(quarantine),
      });
    },
    decide: async (commands) => {
      const judged = await decide(room, commands);
      const push = await hold(room, { pushId: randomUUID(), outcomes: judged });
      // Once this push is over, which it is not yet: what is waited for waits for it.
      quarantine.forgetObjects().catch((error: unknown) => {
        log('warning', 'files of a push could not be cleared away', { reason: messageOf(error) });
      });
      for (const outcome of push.outcomes)
        log('info', 'a session pushed', { session: sessionId, ...outcome });
      try {
        room.pushes()?.pushed(sessionId, push);
        return push.outcomes;
      } catch (error) {
        // It happened: the session is told the truth, and the log has what the record lacks.
        const reason = messageOf(error);
        log('error', 'a push could not be put on record', { session: sessionId, reason });
        return push.held ? judged : push.outcomes;
      }
    },
  };
}

const reachIn = ({ forges, quarantine }: GateRoom): Reach => ({
  ...forges(),
  addresses: () => quarantine.readAddresses(),
});

const readWork = async (quarantine: Quarantine): Promise<OwnWork> => ({
  own: (await quarantine.readBranches()).own,
  opened: await quarantine.readOpened(),
});

/** What the words of a session may be written with. Throws where its secrets cannot be known. */
async function writerIn(room: GateRoom) {
  const { sessionId, quarantine } = room;
  const pushes = room.pushes();
  if (!pushes) throw new PilothouseError('policy_unreadable');
  const redactor = await pushes.redactorOf(sessionId);
  return {
    ...reachIn(room),
    mode: policyIn(room).mode,
    facts: () => quarantine.readBranches(),
    redact: (text: string) => redactor.text(text),
  };
}

/** What cannot be judged is not opened, and says so; `late` is why it may not be now. */
async function openOrSay(
  room: GateRoom,
  ask: PullRequestAsk,
  how: Pick<Broker, 'words' | 'repository' | 'charge'>,
  late: Late | null,
): Promise<PullRequest> {
  const { sessionId, quarantine, log } = room;
  const { head, base } = ask;
  const refuse = (reason: string): PullRequest => ({
    head,
    base,
    outcome: 'not_done',
    by: 'policy',
    reason,
    url: null,
  });
  if (late !== null) return refuse(late.reason);
  const remember: Broker['remember'] = async (pull) => {
    try {
      await quarantine.rememberOpened(pull);
    } catch (error) {
      // It is open all the same: the session only writes nothing there later.
      const reason = messageOf(error);
      log('error', 'a pull request could not be remembered', { session: sessionId, reason });
    }
  };
  try {
    return await openPullRequest(ask, { ...(await writerIn(room)), ...how, remember });
  } catch (error) {
    return refuse(messageOf(error));
  }
}

async function changeOrSay(
  room: GateRoom,
  ask: ChangeAsk,
  charge: Changer['charge'],
  late: Late | null,
): Promise<PullRequest> {
  const refuse = (reason: string): PullRequest => ({
    head: null,
    base: null,
    outcome: 'not_done',
    by: 'policy',
    reason,
    url: null,
    change: { kind: ask.do, number: null },
  });
  if (late !== null) return refuse(late.reason);
  try {
    const work = () => readWork(room.quarantine);
    return await changePullRequest(ask, { ...(await writerIn(room)), work, charge });
  } catch (error) {
    return refuse(messageOf(error));
  }
}

/** Keeps what the policy leaves to a person, and says so where each ref of it is answered. */
async function hold(
  { sessionId, quarantine, pushes }: GateRoom,
  { pushId, outcomes }: GatePush,
): Promise<GatePush> {
  const refs = outcomes.flatMap(({ asks, ref, before, after, kind, reason }, index) =>
    asks ? [{ ref, before, after, kind, index, reason: reason ?? '' }] : [],
  );
  if (refs.length === 0) return { pushId, outcomes };
  const told = (say: (reason: string) => string) =>
    outcomes.map((outcome) =>
      outcome.asks ? { ...outcome, reason: say(outcome.reason ?? '') } : outcome,
    );
  try {
    const waiting = pushes()?.waiting(sessionId) ?? [];
    const same = waiting.find((each) => isSamePush(each.refs, refs));
    const requestId = same?.requestId ?? approvalId(sessionId, `push ${pushId}`);
    const said = told((reason) => sayWaiting(reason, requestId));
    if (same) return { pushId, outcomes: said };
    const words = await quarantine.keep(requestId, refs, (bytes) =>
      findNoRoom(refs, waiting, bytes),
    );
    return { pushId, outcomes: said, held: { requestId, pushId, refs, ...words } };
  } catch (error) {
    return { pushId, outcomes: told((reason) => `${reason}: ${messageOf(error)}`) };
  }
}

/** Passes on what a person allowed of a session's pushes. */
export const settleIn = (room: GateRoom, held: HeldPush): Promise<PushOutcome[]> =>
  room.quarantine.use(() => settleHeld(held, room.quarantine, () => policyIn(room)));

async function decide(room: GateRoom, commands: readonly PushCommand[]): Promise<PushOutcome[]> {
  try {
    return await decidePush(commands, room.quarantine, policyIn(room));
  } catch (error) {
    return refuseAll(commands, messageOf(error));
  }
}

/** Fails closed: what the policy is and what the machine allows must both be known. */
function policyIn({ sessionId, limits, pushes }: GateRoom): Omit<PushPolicy, 'defaultBranch'> {
  const policy = pushes()?.policyOf(sessionId);
  if (!policy) throw new PilothouseError('policy_unreadable');
  return limitPolicy(policy, limits());
}
