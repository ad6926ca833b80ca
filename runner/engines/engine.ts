import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval.ts';
import type { EngineError, EngineEvent, TextDelta } from '../../protocol/engine-event.ts';
import type { LaunchId, TurnId } from '../../protocol/ids.ts';
import type { ApprovalsMode, LaunchSpec, ProviderFailure } from '../../protocol/launch.ts';
import type { EngineReadiness } from '../../protocol/machine.ts';
import type { AllowedPrompt } from '../../protocol/prompt.ts';
import type { Look as Sight } from '../acts/sight.ts';
import type { ActRules } from '../gate/act-policy.ts';
import type { ImageSlot, TurnImage } from './images.ts';
import type { Look, TerminalBooks } from './terminal-books.ts';

/** What an engine can do, as data: nothing in the product asks an engine for its name. */
export type EngineCapabilities = {
  /**
   * `event`: persistent. One process, many turns, each ended by a line of its output. `exit`:
   * one-shot. A process per turn: alive is working, its exit is the turn's end.
   */
  turnEnd: 'event' | 'exit';
  usage: 'dollars' | 'tokens' | 'none';
  /** It names the model with each turn's figures, whichever it chose. Absent: it does not. */
  namesModel?: boolean;
  acts: 'structured' | 'none';
  approvals: boolean;
  interrupt: boolean;
  resume: boolean;
  /** It has a terminal of its own, which resumes the same conversation and takes keys. */
  keys: boolean;
  /** A person's words can be put into the turn under way. Absent: they wait until it is over. */
  steer?: true;
  /**
   * It names the file of a conversation by the minute (UTC) of its beginning, and overwrites it when
   * the conversation is resumed within that minute. Absent: it may be resumed at once.
   */
  overwritesInMinute?: true;
};

/** A process to start. Secrets are in `env` alone. */
export type SpawnPlan = {
  argv: readonly [string, ...string[]];
  directory: string;
  env: Readonly<Record<string, string>>;
  /**
   * One-shot: the whole standard input, which the process reads from a file of mode 0600; empty
   * where the CLI takes its prompt from `argv`. Absent: a pipe that lines are written to.
   */
  input?: string;
  /** The loopback port of the model gate, for a process that calls its model there and nowhere else. */
  modelGatePort?: number;
  /** `argv` begins with the seal's own: the engine is not the process that is started. */
  sealed?: true;
  /** The guard of an open session stands in its environment. */
  guarded?: true;
};

/** How an engine's calls of its model are led through the model gate. */
export type ModelRoute = {
  protocol: 'anthropic' | 'openai' | 'gemini';
  /** Where the calls would go without the gate. */
  upstream: string;
  /** The variable in which the engine looks for a key. */
  keyVariable: string;
  /** How the provider is told the key, and whatever else it is to be told: secret. */
  headers: Readonly<Record<string, string>>;
  /** Variables that the session has no need of behind the gate. */
  secrets: readonly string[];
  /** The plan of a process that calls `baseUrl` instead. */
  through(plan: SpawnPlan, baseUrl: string): SpawnPlan;
};

/** What an engine needs of the person's home, so that a sealed session can have one of its own. */
export type EngineHome = {
  /** Directories of the engine's own, by absolute path: empty and private in each session. */
  own: readonly string[];
  /**
   * The person's settings in them: shown as they are now, never written. `without` leaves out
   * what would be power over something else, such as connectors with tokens of their own.
   */
  settings: readonly { path: string; without?: (text: string) => string }[];
  /**
   * Files that the session has for its own, begun with what `begin` takes from the person's: answers
   * that a terminal would ask for again. Null begins nothing.
   */
  begun?: readonly { path: string; begin: (text: string) => string | null }[];
  /** Stored logins in them: one and the same file inside and outside, whoever renews it. */
  logins: readonly string[];
  /** It renews no login whose file has a second name, so that the session has a copy of it. */
  loginsApart?: true;
  /** Files and directories beside its executable that it is made of. */
  programs?: readonly string[];
};

/** One instruction. */
export type EngineTurn = {
  turnId: TurnId;
  text: string;
  /** What it comes with, as files; absent is nothing. */
  images?: readonly TurnImage[] | undefined;
};

/** What the readiness check found: names of credentials, never their values. */
export type FoundEngine = Pick<EngineReadiness, 'version' | 'payer' | 'credential'> & {
  executable: string;
};

/** The engine's part is as its readiness check found it, for engines that do not tell it themselves. */
export type EngineLaunch = FoundEngine & {
  launchId: LaunchId;
  launch: LaunchSpec;
  /** Where the engine works: the checkout, or the directory itself. */
  directory: string;
  /**
   * Id of the conversation: chosen by us when new, where the engine lets us. Where it chooses
   * itself, `engine/ready` tells the one to resume by.
   */
  engineSessionId: string;
  resume: boolean;
  /** A copy of the conversation that a new one begins as, by `Engine.fork`. Absent: it begins with nothing. */
  forkOf?: string;
  /**
   * What the engine's own books say of a conversation that is taken up here for the first time, as
   * {@link TerminalBooks} reads them. Absent: this machine knows its figures, or there are none.
   */
  books?: unknown;
  /** The runner's gate is its only remote. */
  gated?: boolean;
  /** It runs in a seal, where it starts no connector (MCP server) that it finds by itself. */
  sealed?: boolean;
  /** What its acts are held to before they happen. Absent: nothing is judged beforehand. */
  acts?: ActRules;
  /** What its process may come to by its own count, in micro-USD, where it keeps to one. Absent: no limit. */
  maxMicroUsd?: number;
};

/** A question that is asked beside a conversation. */
export type AsideQuestion = {
  /** Names the question, as an instruction's id names a turn. */
  turnId: TurnId;
  /** What the engine is, while it answers: in the place of what it is told otherwise. */
  system: string;
  prompt: string;
  /** The form of the answer, as a JSON schema. */
  schema: Readonly<Record<string, unknown>>;
  /** The most that it may cost, in micro-USD, for an engine with a limit of its own; null is none. */
  maxMicroUsd: number | null;
};

/** A process that answers one question and ends. Its whole input is known before it starts. */
export type AsidePlan = SpawnPlan & {
  input: string;
  /** Files that it needs beside it, by name. */
  files?: Readonly<Record<string, string>>;
};

/**
 * How an engine answers a question beside its conversation: in a new one that nobody goes on with,
 * in an empty directory, without a tool that changes anything.
 */
export type Aside = {
  plan(launch: EngineLaunch, env: NodeJS.ProcessEnv, question: AsideQuestion): AsidePlan;
  /** How its output is read, where another form of the engine answers. Absent: as this one's. */
  reader?: Pick<Engine, 'open' | 'encodeInstruction' | 'parse' | 'exit'>;
  /** The answer that a line of its output holds, undefined for none. Absent: its last words are it. */
  answerOf?(line: string): unknown;
};

/**
 * How an engine goes on in a copy of a conversation, under an id of its own: from a file that holds
 * one, which it reads and never writes.
 */
export type EngineFork = {
  /** What the name of such a file ends with, without the dot. */
  extension: string;
  /** The file of a conversation, as the engine knows it; null where there is none. */
  find(look: Look, engineSessionId: string, env: NodeJS.ProcessEnv): Promise<string | null>;
  /** What a conversation was when a turn was over; null where it cannot be told. Pure. */
  cut(text: string, at: { turnId: TurnId; nextTurnId: TurnId | null }): string | null;
};

/** What a line of an engine means. */
export type EngineItem =
  | { kind: 'event'; event: EngineEvent }
  | { kind: 'delta'; delta: Omit<TextDelta, 'sessionId'> }
  /** A line to write back without asking anybody, as the answer to a handshake. */
  | { kind: 'write'; line: string; images?: readonly ImageSlot[] }
  /** A signal to the engine's own process, where that is how it is asked to end its turn. */
  | { kind: 'signal'; signal: 'SIGINT' }
  /**
   * What the turn under way comes to beyond the figures given, in micro-USD at list prices, as far
   * as the engine shows it: replaces the last one. Nothing for the ledger, which gets the engine's
   * own figure; a budget stops on it. Never of a rehearsal.
   */
  | { kind: 'estimate'; microUsd: number; tokens?: number }
  /** Words that were to go into the turn under way and did not: it was over, or would not take them. */
  | { kind: 'unsteered'; turnId: TurnId }
  /** The turn that is about to end was ended by the limit in dollars that the process began with. */
  | { kind: 'capped' }
  /** No other process can take this conversation up: what it remembers ends with this one. */
  | { kind: 'forgets' }
  /** The whole output of a tool call whose `tool/ended` event holds only a part: kept on the machine. */
  | { kind: 'output'; toolId: string; text: string }
  /**
   * The engine cannot do anything in this process (no login, an expired key): the session layer
   * ends the process. It stands before the `turn/ended` that it leads to, so that a launch that
   * never worked can be told as `launch/failed` while its state still allows it.
   */
  | { kind: 'fatal'; error: EngineError };

export type EngineStep<State> = { state: State; items: readonly EngineItem[] };

/** How a process ended, as the operating system tells it. */
export type EngineExit = {
  exitCode: number | null;
  signal: string | null;
  expected: boolean;
  stderrTail: readonly string[];
};

/**
 * An engine: a preset plus a pure parser. `State` is JSON, because it is stored in the same
 * transaction as the events that it led to: a runner that dies between two lines carries on at
 * the next one without repeating or losing a figure.
 *
 * `parse`, `exit` and the encoders have no clock, no I/O and no chance of their own.
 */
export type Engine<State = unknown> = {
  id: string;
  label: string;
  /**
   * What tells this form of the engine from another one with the same id; null for the plain one.
   * A person chooses the engine and how much it asks: that decides the form.
   */
  form: string | null;
  /** The approvals modes that this form works in. */
  modes: readonly ApprovalsMode[];
  /** Names under which its programs run, where they are others than its id. */
  programs?: readonly string[];
  capabilities: EngineCapabilities;
  /** Environment names that would tell the engine it runs inside another one. */
  nestedVariables: readonly (string | RegExp)[];
  /** Environment names whose values are secrets of this engine: redacted wherever they appear. */
  secretVariables: readonly string[];
  /** Files of the engine's own, by absolute path, in which credentials may be stored: redacted too. */
  secretFiles(env: NodeJS.ProcessEnv): readonly string[];
  /**
   * The model that it takes when a launch names none, where its own configuration says so: what a
   * limit in dollars needs to know before there is a turn. Absent or null: not known.
   */
  ownModel?(env: NodeJS.ProcessEnv): string | null;
  /** Approvals modes in which its program does not work as the user that a session outside a seal is. Absent: none. */
  sealedOnly?(env: NodeJS.ProcessEnv): readonly ApprovalsMode[];
  /** Names of the models that it can be asked for, among those with a price. Absent: any. */
  modelNames?: RegExp;
  /** Prompts on its standard input that a person may answer. Absent: none. */
  prompts?: readonly AllowedPrompt[];
  /**
   * How it is told of the session's policy. `beside`: its plan or its handshake says it, apart from
   * what a person says. `before`: it stands before the first instruction. Absent: it is not told.
   */
  tellsPolicy?: 'beside' | 'before';
  /**
   * How its calls are led through the model gate, with the credential of this name; or why they
   * cannot be, as a sentence. Absent: its address cannot be set at all.
   */
  modelRoute?(env: NodeJS.ProcessEnv, credential: string): ModelRoute | { problem: string };
  /**
   * Addresses of its model's API and of what renews its login, for a session that reaches nothing
   * else. Absent: none.
   */
  modelAddresses?(env: NodeJS.ProcessEnv): readonly string[];
  /** What it needs of the person's home. Absent: nothing, as far as anybody said. */
  home?(env: NodeJS.ProcessEnv): EngineHome;
  /** Variables that it was approved to have, whatever their names look like. */
  keptVariables?: readonly string[];
  /** The process for a conversation, or, one-shot, for the one turn that is given. */
  plan(launch: EngineLaunch, env: NodeJS.ProcessEnv, turn?: EngineTurn): SpawnPlan;
  /**
   * The engine's own terminal on a conversation that it knows. There exactly where
   * `capabilities.keys` says so.
   */
  interactivePlan?(launch: EngineLaunch, env: NodeJS.ProcessEnv): SpawnPlan;
  /** How it answers a question beside its conversation. Absent: it cannot. */
  aside?: Aside;
  /** How it begins a conversation as the copy of another one. Absent: it cannot. */
  fork?: EngineFork;
  /** Where the engine writes down what its terminal cost. Absent: nobody can know. */
  terminalBooks?: TerminalBooks<State>;
  /**
   * The parser's state for a new process. `before` is what the last process of the same
   * conversation left, as after `exit`: figures that the engine counts per conversation go on
   * from there. Absent when there was none, or this machine does not know it.
   */
  open(launch: EngineLaunch, before?: State): EngineStep<State>;
  /**
   * Makes a stored state whole again, from which secrets were taken: as far as something of it is
   * still to be written. `turn` is the instruction that the engine has; `lines` are all that the
   * process has written up to this state. Absent: nothing that is kept is ever written.
   */
  recall?(state: State, turn: EngineTurn | null, lines: () => Iterable<string>): State;
  /** `look` shows the files that a command of the line would run. Absent: none is looked at. */
  parse(state: State, line: string, at: number, look?: Sight): EngineStep<State>;
  /**
   * What the end of the process means for what was under way. One-shot: ends the turn, and
   * nothing before does.
   */
  exit(state: State, exit: EngineExit, at: number): EngineStep<State>;
  /**
   * Hands an instruction over: the lines to write, or, one-shot, no line, because the process was
   * started with it; the parser learns which turn it reads.
   */
  encodeInstruction(state: State, turn: EngineTurn, at: number): EngineStep<State>;
  /** Puts an instruction into the turn under way. There exactly where `capabilities.steer` says so. */
  encodeSteer?(state: State, turn: EngineTurn, at: number): EngineStep<State>;
  encodeAnswer(
    state: State,
    request: ApprovalRequest,
    answer: ApprovalAnswer,
    at: number,
  ): EngineStep<State>;
  encodeInterrupt(state: State, at: number): EngineStep<State>;
};

/** The readiness check of one engine: looks at the machine, starts nothing that stays. */
export type EngineProbe = (env: NodeJS.ProcessEnv) => Promise<Readiness>;

/** How the machine stands with an engine; where its executable lies is nobody else's business. */
export type Readiness = EngineReadiness & {
  executable: string | null;
  /** What is in the way; there wherever the engine is not ready. */
  failure?: NotReady;
};

/** Why an engine cannot be launched as the machine stands. `preflight_slow`: it did not answer in time. */
export type NotReady = Extract<
  ProviderFailure,
  | 'engine_missing'
  | 'engine_too_old'
  | 'engine_crashed'
  | 'preflight_slow'
  | 'settings_unusable'
  | 'auth_missing'
  | 'unknown'
>;
