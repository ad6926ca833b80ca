import { z } from 'zod';
import type { ApprovalAnswer } from '../../protocol/approval.ts';
import type { ChainEnds } from '../../protocol/chain-head.ts';
import type {
  Command,
  CommandMethod,
  CommandParams,
  CommandResult,
} from '../../protocol/command.ts';
import type { SequencedEvent, TextDelta } from '../../protocol/engine-event.ts';
import type { EntriesPage } from '../../protocol/http.ts';
import {
  type AccountId,
  actorId,
  type ActorId,
  type CommandId,
  type ImageId,
  type InstanceId,
  type MessageId,
  type RunnerId,
  type SessionId,
  type TurnId,
} from '../../protocol/ids.ts';
import type { ForkedInto } from '../../protocol/fork.ts';
import type { ImageRef, ImageType } from '../../protocol/image.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { MachineFacts, Presence } from '../../protocol/machine.ts';
import type { RequestedAction } from '../../protocol/session.ts';
import type { TakeoverForm, TerminalSize } from '../../protocol/takeover.ts';
import type { ChatView } from '../../protocol/operator-chat.ts';
import type { DigestChoice, DigestView } from '../../protocol/digest.ts';
import type { PushChoices, PushMessage } from '../../protocol/push.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type {
  BudgetKey,
  BudgetStanding,
  BudgetVersion,
  CountedSpend,
  SaveBudgetRequest,
  TurnGrant,
} from '../../protocol/shared-budget.ts';
import type { Story } from '../../protocol/story.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import type { MadeWebhook, SetWebhookRequest, WebhookView } from '../../protocol/webhook.ts';
import type { Outcome } from './outcome.ts';

/** A session with the turns that are being handed over, whatever its record says of them by now. */
export type ToldSession = {
  runnerId: RunnerId;
  view: SessionView;
  underway: readonly TurnId[];
  /** Calls of its brain of which the budgets may not know what came of them. */
  calls?: Pick<Settlement, 'ended'> & { lost: readonly TurnId[] };
};

export type CreateSession = {
  runnerId: RunnerId;
  actorId: ActorId;
  launch: LaunchSpec;
  turnId: TurnId;
  /** What its first instruction comes with, as it is stored. */
  images?: readonly ImageRef[];
};

export type InstructSession = {
  turnId: TurnId;
  text: string;
  actorId: ActorId;
  /** What it comes with, as it is stored. */
  images?: readonly ImageRef[];
  /** Into the turn under way. */
  steer?: boolean;
  /** Hash of the key that proves to drive a session taken over; null from everybody else. */
  keyHash: string | null;
};
/** A part of an image as it was sent, `part` counted from zero. */
export type ImagePart = {
  imageId: ImageId;
  type: ImageType;
  bytes: number;
  part: number;
  data: ArrayBuffer;
  nowMs: number;
};
/** What may be asked of a session's images. */
export type ImageCalls = {
  addPart(input: ImagePart): Promise<Outcome<ImageRef | null>>;
  use(imageIds: readonly ImageId[]): Promise<Outcome<ImageRef[]>>;
  read(imageId: ImageId): Promise<Outcome<{ image: ImageRef; data: Uint8Array }>>;
};
export type TakeOverSession = {
  form: TakeoverForm;
  size: TerminalSize;
  force: boolean;
  /** Hash of the key that will prove to hold the lease. */
  keyHash: string;
  actorId: ActorId;
  channel: string;
};
export type ReleaseSession = {
  keyHash: string | null;
  force: boolean;
  actorId: ActorId;
  channel: string;
};
/** The epoch under which a key drives, null where it does not; how whoever drives does, and what. */
export type Driver = {
  epoch: number | null;
  form: TakeoverForm | null;
  launch: LaunchSpec | null;
};
export type OverrideBreach = { actId: string; reason: string; actorId: ActorId; channel: string };
/**
 * `story`: what the session did so far, for a conversation that is begun anew. `after`: its last
 * turn then, so that the same wish heard again later changes nothing.
 */
export type SessionRequest =
  | { action: RequestedAction; actorId: ActorId; story?: Story; after?: TurnId }
  /** Puts on record that a session was forked from it. */
  | { action: 'fork'; actorId: ActorId; into: ForkedInto };
export type AnswerApproval = {
  requestId: string;
  answer: ApprovalAnswer;
  actorId: ActorId;
  channel: string;
};

/** What a Pilot's brain takes in a step: held before it is asked, then on record or given back. */
export type BrainStep =
  | ({ step: number } & (
      | { do: 'reserve'; model: string; most: CallMost }
      | { do: 'reserveShare' }
      | { do: 'record'; usage: UsageEntry }
      | { do: 'release' }
    ))
  /** Calls that began by this time (Unix ms) and of which nothing is on record are lost. */
  | { do: 'giveUp'; before: number };

/** The header in which a route tells a feed who opens a socket; whatever a client sends is replaced. */
export const VIEWER_HEADER = 'x-pilothouse-viewer';

/** The header in which a route tells a terminal that its machine connects. */
export const MACHINE_HEADER = 'x-pilothouse-machine';

/** Whose socket it is: the credential by its token's hash, and when it ends by itself (Unix ms). */
export const viewerIdentity = z.object({
  credential: z.string().min(1),
  actorId,
  /** Where it looks from: console, cli. */
  channel: z.string().default('console'),
  expiresAt: z.int().nullable(),
});
export type ViewerIdentity = z.infer<typeof viewerIdentity>;

/** What a feed says to a batch of a runner's events. */
export type AppendReply =
  | { kind: 'stored'; upTo: number }
  | { kind: 'gap'; expected: number }
  | { kind: 'refused'; code: 'session_not_found' | 'forbidden' };

/** What may be asked of a session's feed, from a route or from a relay. */
export type FeedCalls = {
  create(input: CreateSession): Promise<Outcome<null>>;
  instruct(input: InstructSession): Promise<Outcome<{ turnId: TurnId }>>;
  request(input: SessionRequest): Promise<Outcome<null>>;
  takeOver(input: TakeOverSession): Promise<Outcome<{ epoch: number }>>;
  release(input: ReleaseSession): Promise<Outcome<null>>;
  readDriver(keyHash: string | null): Promise<Outcome<Driver & { runnerId: RunnerId }>>;
  answer(input: AnswerApproval): Promise<Outcome<null>>;
  brain(input: BrainStep): Promise<Outcome<TurnGrant | null>>;
  overrideBreach(input: OverrideBreach): Promise<Outcome<null>>;
  readView(): Promise<Outcome<ToldSession>>;
  listEntries(after: number, limit: number): Promise<Outcome<EntriesPage>>;
  append(runnerId: RunnerId, events: readonly SequencedEvent[]): Promise<AppendReply>;
  readCursor(runnerId: RunnerId): Promise<number | null>;
  readChainEnds(): Promise<ChainEnds>;
  showDeltas(runnerId: RunnerId, deltas: readonly TextDelta[]): Promise<void>;
  recordResult(id: CommandId, result: CommandResult): Promise<void>;
  showPresence(presence: Presence): Promise<void>;
  endViewers(credential: string): Promise<void>;
  fetch(request: Request): Promise<Response>;
};

export type RelayStatus = {
  presence: Presence;
  lastSeenAt: number | null;
  machine: MachineFacts | null;
  /** When the machine’s access was taken back; null while it may connect. */
  revokedAt: number | null;
};

/** A question to a runner: it is not kept, and what it asks for twice is done once. */
export type RelayQuestion<M extends CommandMethod = CommandMethod> = {
  method: M;
  params: CommandParams<M>;
  sessionId: SessionId | null;
  timeoutMs: number;
  /** Names the command, so that one that was asked before is not carried out again. */
  id?: CommandId | undefined;
  /** Only what is known of it: a command that was not begun is answered `expired`, and never begins. */
  recall?: boolean | undefined;
};

/** What may be asked of a session's live terminal. */
export type TerminalCalls = {
  /** From here on the lease is of this epoch, or nobody's. */
  leaseChanged(epoch: number | null): Promise<void>;
  /** The machine's access was taken back: every socket of it ends. */
  revoked(): Promise<void>;
  fetch(request: Request): Promise<Response>;
};

export type DrivePane = {
  /** Hash of the key that will prove to hold the lease. */
  keyHash: string;
  force: boolean;
  actorId: ActorId;
  channel: string;
};
export type LetGoPane = { keyHash: string | null; force: boolean };

/** What may be asked of a live terminal of a machine's own. */
export type PaneCalls = {
  drive(input: DrivePane): Promise<Outcome<{ epoch: number }>>;
  letGo(input: LetGoPane): Promise<Outcome<null>>;
  /** The machine's access was taken back: every socket of it ends. */
  revoked(): Promise<void>;
  fetch(request: Request): Promise<Response>;
};

/** What may be asked of a runner's relay, from a route or from a feed. */
export type RelayCalls = {
  enqueue(command: Command): Promise<void>;
  withdraw(turnId: TurnId): Promise<boolean>;
  ask(question: RelayQuestion): Promise<Outcome<unknown>>;
  readStatus(): Promise<RelayStatus>;
  watch(sessionId: SessionId): Promise<Presence>;
  unwatch(sessionId: SessionId): Promise<void>;
  admit(): Promise<void>;
  revoke(): Promise<void>;
  /** Throws, to be asked again, where a terminal was not told. */
  endShown(): Promise<void>;
  fetch(request: Request): Promise<Response>;
};

/** What a driver of a Pilot run is started with. */
export type PilotParams = { accountId: AccountId; sessionId: SessionId; generation: number };

/** What may be asked of whoever looks after the drivers. */
export type SweeperCalls = {
  /** A run has begun: look after it until it is over. */
  watch(): Promise<void>;
  /** A machine is there: a process that has looked after nothing yet does so now. */
  wake(): Promise<void>;
};

/** What may be asked of the conversation with an instance's agent. */
export type ChatCalls = {
  say(
    text: string,
    actorId: ActorId,
    messageId: MessageId | null,
  ): Promise<Outcome<{ seq: number }>>;
  stop(actorId: ActorId): Promise<Outcome<null>>;
  /** A call of it may have been answered. */
  answered(): Promise<void>;
  /** Its machine is there: what was under way goes on. */
  wake(): Promise<void>;
  readView(after: number, limit: number): Promise<Outcome<ChatView>>;
};

/** What may be asked of whoever goes between GitHub and sessions. */
export type CourierCalls = {
  /** A repository is connected: go round until none is. */
  watch(): Promise<void>;
};

/** What may be asked of whoever tells an account's browsers and its webhook. */
export type BellCalls = {
  ring(messages: readonly PushMessage[]): Promise<void>;
  readWebhook(): Promise<WebhookView | null>;
  setWebhook(request: SetWebhookRequest, origin: string): Promise<Outcome<MadeWebhook>>;
  changeWebhook(choices: PushChoices): Promise<Outcome<WebhookView>>;
  testWebhook(): Promise<Outcome<WebhookView>>;
  removeWebhook(): Promise<Outcome<null>>;
  readDigestChoice(): Promise<DigestChoice | null>;
  chooseDigest(choice: DigestChoice | null): Promise<void>;
  readDigest(): Promise<DigestView>;
};

/** Where work is done: a directory of a machine, or null for none of the person's. */
export type Place = { runnerId: RunnerId; directory: string | null };

/** A turn that is about to be handed over, and what its session has come to so far. */
export type GrantRequest = {
  turnId: TurnId;
  sessionId: SessionId;
  place: Place;
  spend: CountedSpend;
};

/** Whose sums a budget counts: a session's, or those of an operator's agent. */
export type Spender = SessionId | InstanceId;

/** The most that a call of a model can come to; dollars are null for a model without a known price. */
export type CallMost = { microUsd: number | null; tokens: number };

/** A model that is about to be asked beside the turns, and what whoever asks has come to so far. */
export type CallRequest = {
  /** Names what holds, as a turn's id does. */
  callId: TurnId;
  spender: Spender;
  place: Place;
  spend: CountedSpend;
  /** Null: a question to an engine, whose end the machine tells. It has a share, as a turn has. */
  most: CallMost | null;
  /** What came of earlier calls, as far as whoever asks has it on record. */
  over?: { ended: readonly TurnId[]; lost: readonly TurnId[] };
};

/** What a session has come to since it began, and which of its turns hold nothing any more. */
export type Settlement = {
  sessionId: Spender;
  place: Place;
  spend: CountedSpend;
  /** They did something, or may have. */
  ended: readonly TurnId[];
  /** No engine has had them, and none will without being asked again. */
  released: readonly TurnId[];
  /** Calls that may have been served, of which no figure came: they count as the most they can be. */
  lost?: readonly TurnId[];
};

export type BudgetSave = {
  request: SaveBudgetRequest;
  actorId: ActorId;
  savedBy: 'person' | 'cli';
};

/** What may be asked of whoever keeps an account's budgets. */
export type BookCalls = {
  reserve(request: GrantRequest): Promise<Outcome<TurnGrant | null>>;
  reserveCall(request: CallRequest): Promise<Outcome<TurnGrant | null>>;
  settle(settlement: Settlement): Promise<string[]>;
  charge(settlement: Settlement): Promise<void>;
  list(): Promise<BudgetStanding[]>;
  history(key: BudgetKey): Promise<BudgetVersion[]>;
  save(save: BudgetSave): Promise<Outcome<BudgetVersion>>;
};
