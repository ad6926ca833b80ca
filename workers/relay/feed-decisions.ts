import { type ApprovalAnswer } from '../../protocol/approval.ts';
import { openBreaches } from '../../protocol/breach.ts';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { ErrorCode, ErrorContext } from '../../protocol/errors.ts';
import {
  type ActorId,
  type CommandId,
  type LaunchId,
  requestId,
  type SessionId,
  type TurnId,
} from '../../protocol/ids.ts';
import { areSameImages } from '../../protocol/image.ts';
import { type PolicySnapshot, tightenSnapshot } from '../../protocol/merge-policy.ts';
import { can, phaseOf, type SessionState } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { Story } from '../../protocol/story.ts';
import type { TurnGrant } from '../../protocol/shared-budget.ts';
import type { CreateSession, InstructSession, SessionRequest } from '../lib/calls.ts';
import {
  baseOfCommand as base,
  listUndelivered,
  makeAnswer,
  makeCompact,
  makeInstruct,
  makeInterrupt,
  makeRestart,
  makeStart,
  makeStop,
  turnOf,
} from './make-command.ts';
import type { RecordState } from './session-record.ts';

/** What a decision writes, in one transaction: entries of the record and commands for the runner. */
export type FeedChange = {
  events: readonly FeedEvent[];
  commands: readonly Command[];
  /** The epoch from here on; commands of an older one are forgotten. */
  epoch?: number;
  /** What was asked before under an older epoch still counts, in the order in which it was asked. */
  keepsEarlier?: true;
  /** A command that has its result. */
  settled?: CommandId;
  /** An approval whose answer certainly did not arrive, and may be given anew. */
  reopened?: string;
};

export type FeedDecision =
  | { kind: 'change'; change: FeedChange }
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: ErrorCode; context?: ErrorContext };

/** What was granted to turns that are handed over again. */
export type Grants = ReadonlyMap<TurnId, TurnGrant>;

/** Ids and time for what a decision makes. */
export type Maker = {
  sessionId: SessionId;
  nowMs: number;
  commandId(): CommandId;
  launchId(): LaunchId;
};

const change = (value: FeedChange): FeedDecision => ({ kind: 'change', change: value });
const refused = (code: ErrorCode): FeedDecision => ({ kind: 'refused', code });

/** The first entries of a session, and the command that starts it. */
export function decideCreate(
  input: CreateSession & { grant?: TurnGrant | null },
  make: Maker,
): FeedChange {
  const { launch, actorId, turnId } = input;
  const images = input.images?.length ? { images: [...input.images] } : {};
  const firstTurn = {
    turnId,
    text: launch.objective,
    ...images,
    ...(input.grant && { grant: input.grant }),
  };
  const start = {
    launch,
    launchId: make.launchId(),
    engineSessionId: launch.conversation,
    firstTurn,
  };
  return {
    events: [
      { type: 'session/created', launch, actorId },
      { type: 'turn/accepted', turnId, text: launch.objective, actorId, ...images },
    ],
    commands: [makeStart(base(make, 1), start)],
  };
}

/**
 * Decides on an instruction. The same id and text is the same instruction; sent again after it
 * came back undelivered, it is tried again, and on record as accepted anew: until more is heard of
 * it, it is no longer undelivered, and nobody tries it once more.
 */
export function decideInstruct(
  state: RecordState,
  input: Omit<InstructSession, 'keyHash'> & {
    drives?: boolean;
    steers?: boolean | null;
    grant?: TurnGrant | null;
  },
  underway: readonly Command[],
  make: Maker,
): FeedDecision {
  const { turnId, text, actorId, steer, grant } = input;
  const images = input.images?.length ? { images: [...input.images] } : {};
  const known = state.view.turns.find((turn) => turn.turnId === turnId);
  if (known && (known.text !== text || !areSameImages(known.images, images.images)))
    return refused('turn_conflict');
  const waiting = underway.some((command) => turnOf(command) === turnId);
  if (known && (waiting || known.delivery !== 'undelivered' || known.state !== 'accepted'))
    return { kind: 'unchanged' };
  const permission = can('instruct', state.view.state);
  if (!permission.allowed) return refused(permission.code);
  if (state.view.takeover && !(input.drives && state.view.takeover.form === 'text'))
    return refused('taken_over');
  if (steer && input.steers === false) return refused('steer_unsupported');
  return change({
    events: [{ type: 'turn/accepted', turnId, text, actorId, ...images }],
    commands: [
      makeInstruct(base(make, state.facts.epoch), {
        turnId,
        text,
        ...images,
        ...(grant && { grant }),
        ...(steer && { steer }),
      }),
    ],
  });
}

/** Whether an action is worth nothing once a machine comes back, which may be much later. */
export const needsMachine = (action: SessionRequest['action'], state: SessionState): boolean =>
  (action === 'interrupt' || action === 'retry' || action === 'compact') &&
  can(action, state).allowed;

/**
 * Decides on what is asked by name, by the one table that the buttons ask too. `policy` is what
 * the session's scopes say by now, for a retry.
 */
export function decideRequest(
  state: RecordState,
  input: SessionRequest & { policy?: PolicySnapshot },
  make: Maker,
  grants: Grants = new Map(),
): FeedDecision {
  const { actorId, policy } = input;
  if (input.action === 'fork') return decideForked(state, input);
  const { action } = input;
  const meant = input.after === undefined ? 'due' : standOf(state.view, input.after);
  if (meant === 'done') return { kind: 'unchanged' };
  if (meant === 'moved on') return refused('session_busy');
  const permission = can(action, state.view.state);
  if (!permission.allowed) return refused(permission.code);
  const requested: FeedEvent = { type: 'action/requested', action, actorId };
  const { epoch } = state.facts;
  switch (action) {
    case 'interrupt':
      return change({ events: [requested], commands: [makeInterrupt(base(make, epoch))] });
    case 'stop':
      return change({ events: [requested], commands: [makeStop(base(make, epoch))] });
    case 'restart':
      // Asked for again before it came it is the same one.
      return state.view.restartAskedAt
        ? { kind: 'unchanged' }
        : change({ events: [requested], commands: [makeRestart(base(make, epoch))] });
    case 'retry':
      if (openBreaches(state.view.breaches ?? []).length > 0) return refused('breach_open');
      return change(decideRetry(state, { ...input, now: policy ?? null, grants }, make));
    case 'compact':
      if (!input.story?.length) return refused('nothing_to_go_on_from');
      return change({
        events: [requested],
        commands: [makeCompact(base(make, epoch), { story: input.story })],
      });
    case 'dismiss':
    case 'restore':
      // Said twice it is said once: the record keeps who did it first.
      return (action === 'dismiss') === Boolean(state.view.dismissed)
        ? { kind: 'unchanged' }
        : change({ events: [requested], commands: [] });
    default:
      return action satisfies never;
  }
}

/** Where a conversation stands that is to be begun anew after this turn. */
function standOf(
  { turns, compactedAt, compactedAfter }: SessionView,
  after: TurnId,
): 'due' | 'done' | 'moved on' {
  if (turns.at(-1)?.turnId !== after) return 'moved on';
  return compactedAt && compactedAfter === after ? 'done' : 'due';
}

/** It goes on as it was, whatever it is doing; told of the same fork again it is told once. */
function decideForked(
  { view }: RecordState,
  { into, actorId }: Extract<SessionRequest, { action: 'fork' }>,
): FeedDecision {
  if (view.forks?.some(({ sessionId }) => sessionId === into.sessionId))
    return { kind: 'unchanged' };
  return change({ events: [{ type: 'session/forked', ...into, actorId }], commands: [] });
}

/**
 * A new launch of the same conversation, under a new epoch, beginning with what was never delivered.
 * It may no more than before, and less where its policy is stricter by now.
 */
function decideRetry(
  { facts, view }: RecordState,
  asked: { actorId: ActorId; story?: Story; now: PolicySnapshot | null; grants: Grants },
  make: Maker,
): FeedChange {
  const epoch = facts.epoch + 1;
  const [firstTurn, ...later] = listUndelivered(view).map((turn) => {
    const grant = asked.grants.get(turn.turnId);
    return grant ? { ...turn, grant } : turn;
  });
  const policy = asked.now && tightenSnapshot(view.launch.policy, asked.now);
  const start = {
    launch: policy ? { ...view.launch, policy } : view.launch,
    launchId: make.launchId(),
    engineSessionId: view.engine?.engineSessionId ?? view.launch.conversation,
    firstTurn: firstTurn ?? null,
    ...(asked.story?.length && { story: asked.story }),
  };
  const { actorId } = asked;
  return {
    events: [{ type: 'action/requested', action: 'retry', actorId, ...(policy && { policy }) }],
    epoch,
    commands: [
      makeStart(base(make, epoch), start),
      ...later.map((instruction) => makeInstruct(base(make, epoch), instruction)),
    ],
  };
}

/** The entries and the command of an answer that was found to be wanted. */
export function decideAnswering(
  state: RecordState,
  input: {
    requestId: string;
    answer: ApprovalAnswer;
    actorId: InstructSession['actorId'];
    channel: string;
  },
  repeat: boolean,
  make: Maker,
): FeedChange {
  const { answer, actorId, channel } = input;
  const id = requestId.parse(input.requestId);
  return {
    events: repeat ? [] : [{ type: 'approval/decided', requestId: id, answer, actorId, channel }],
    commands: [makeAnswer(base(make, state.facts.epoch), { requestId: id, answer })],
  };
}

/** Results after which the command certainly had no effect. */
function isWithoutEffect(result: CommandResult): boolean {
  return !result.ok && result.code !== 'unknown_outcome' && result.code !== 'internal';
}

/** What the result of a command writes: nothing if it succeeded, for the events tell the rest. */
export function decideResult(command: Command, result: CommandResult): FeedChange {
  if (result.ok) return { events: [], commands: [], settled: command.id };
  const answered = command.method === 'session/answer' ? command.params.requestId : null;
  const failed: FeedEvent = {
    type: 'command/failed',
    commandId: command.id,
    method: command.method,
    turnId: turnOf(command),
    ...(answered ? { requestId: answered } : {}),
    code: result.code,
    message: result.message,
  };
  return {
    events: [failed],
    commands: [],
    settled: command.id,
    ...(answered && isWithoutEffect(result) ? { reopened: answered } : {}),
  };
}

const LOST =
  'The machine does not know this session any more, so it could not be stopped there. Look for what it left running; Retry goes on with the conversation.';

const REVOKED =
  'Its machine’s access was taken back, which ends its engine there. What it did after that is not known here; its checkout stays on the machine. Pair the machine again and Retry to go on.';

/**
 * A session that its machine does not know, or whose machine may not come any more, would be shown
 * at work for ever. A stop finds out, because it comes after the start; a launch that failed was over before.
 */
export function decideLost(
  command: Command,
  result: CommandResult,
  state: SessionState,
): FeedEvent[] {
  const phase = phaseOf(state);
  const open = phase === 'launching' || phase === 'active';
  if (!open || result.ok || command.method !== 'session/stop') return [];
  const reason = { session_not_found: LOST, runner_revoked: REVOKED }[result.code];
  return reason === undefined ? [] : [{ type: 'session/ended', end: 'lost', reason }];
}
