import type { EngineEvent, TextDelta } from '../../protocol/engine-event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Commands } from '../link/commands.ts';
import type { Outbox } from '../link/outbox.ts';
import type { Store } from '../link/store.ts';
import type { Log } from '../log.ts';
import type { SpoolPaths } from '../process/spawn.ts';
import type { TerminateTimings } from '../process/terminate.ts';
import type { TerminalRun } from '../takeover/terminal-run.ts';
import type { ImageStore } from '../images/image-store.ts';
import type { LaunchPorts } from './launcher.ts';
import type { OutputStore } from './output-store.ts';
import type { SessionConfig } from './session-state.ts';
import type { SessionStore } from './session-store.ts';

/** What a session tells the link; nothing of it waits for the network. */
export type SessionLink = {
  notify(sessionId: SessionId, lastSeq: number): void;
  pushDelta(delta: TextDelta): void;
  settleDeltas(sessionId: SessionId, event: EngineEvent): void;
};

/** A terminal's way to whoever watches. */
export type TerminalShown = {
  /** Another lease is in force: `epoch` says another number than before. */
  leaseMoved(): void;
  close(): void;
};

/** What every session of a runner shares. */
export type SessionDeps = {
  store: Store;
  outbox: Outbox;
  sessions: SessionStore;
  commands: Pick<Commands, 'record'>;
  link: SessionLink;
  outputs: OutputStore;
  images: Pick<ImageStore, 'take' | 'prune'>;
  /** Shows a terminal to whoever watches; keys count only under the lease's present epoch. */
  linkTerminal(sessionId: SessionId, run: TerminalRun, epoch: () => number): TerminalShown;
  ports: LaunchPorts;
  /** Where the process number `spawn` of a session writes. */
  spoolPaths(sessionId: SessionId, spawn: number): SpoolPaths;
  /** The environment that engines are given, before each engine's own choice. */
  env: NodeJS.ProcessEnv;
  timings: Omit<SessionConfig, 'capabilities'>;
  terminateTimings?: TerminateTimings;
  log: Log;
  now(): number;
  makeUuid(): string;
};
