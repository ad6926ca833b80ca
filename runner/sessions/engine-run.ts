import { closeSync, openSync } from 'node:fs';
import type { Engine, SpawnPlan } from '../engines/engine.ts';
import { type Asked, decideAsked } from '../engines/prompts.ts';
import { Descendants, standOf, type Stand } from '../process/descendants.ts';
import { EngineInput } from '../process/engine-input.ts';
import { isRunning, type ProcessIdentity, type ProcessRow } from '../process/process-table.ts';
import { spawnEngine, type EngineProcess, type SpoolPaths } from '../process/spawn.ts';
import { linesOf, Spool, type SpoolChunk } from '../process/spool.ts';
import { capStderr, readStderrTail } from '../process/stderr.ts';
import { readTail } from '../process/tail.ts';
import { waitsForInput } from '../process/waiting.ts';
import {
  signalEngine,
  terminateLeftovers,
  terminateTree,
  type TerminateTimings,
} from '../process/terminate.ts';
import { readExitStatus } from '../process/exit-status.ts';
import type { ExitFacts } from './session-io.ts';
import type { ProcessRecord } from './session-store.ts';

export type RunHandlers = {
  lines(chunk: SpoolChunk): void;
  /** The process and all it started are gone, and its output has been read to the end. */
  exited(exit: ExitFacts, survivors: readonly ProcessIdentity[]): void;
  /** Everything that was given to `write` is in the process's pipe. */
  written(): void;
};

type RunPaths = Pick<ProcessRecord, 'out' | 'err' | 'oneShot' | 'fifo' | 'sealed'>;

/** Last words that may hold a prompt, in bytes. */
const PROMPT_TAIL_BYTES = 4_096;

/** How often a process that is not our child is looked at. */
const ADOPTED_POLL_MS = 100;

/**
 * One process of an engine, from its start to the last line that it wrote: our own child, or one
 * that an earlier runner left behind.
 */
export class EngineRun {
  readonly #paths: RunPaths;
  readonly #family: Descendants;
  readonly #spool: Spool;
  readonly #process: EngineProcess | null;
  /** Null where nothing can be written: one-shot, or nobody reads it. */
  readonly #input: EngineInput | null;
  readonly #handlers: RunHandlers;
  #draining = false;
  #lastAsked: Asked | null = null;
  #terminating: Promise<unknown> | null = null;

  private constructor(
    paths: RunPaths,
    family: Descendants,
    offset: number,
    process: EngineProcess | null,
    handlers: RunHandlers,
  ) {
    this.#paths = paths;
    this.#family = family;
    this.#spool = new Spool(paths.out, offset);
    this.#process = process;
    this.#input = paths.fifo ? EngineInput.open(paths.fifo.input) : null;
    this.#handlers = handlers;
  }

  /** Starts an engine. Throws `SpawnError` when there is nothing to start. */
  static async spawn(
    plan: SpawnPlan,
    paths: SpoolPaths,
    marker: string,
    nested: readonly (string | RegExp)[],
    handlers: RunHandlers,
  ): Promise<EngineRun> {
    const process = await spawnEngine(plan, paths, marker, nested);
    const { out, err, input, exit } = paths;
    const kept = { input, exit };
    const own: RunPaths = {
      out,
      err,
      ...(plan.input === undefined ? { fifo: kept } : { oneShot: kept }),
      ...(plan.sealed && { sealed: true }),
    };
    const family = new Descendants(process.identity, marker, [], standOfPaths(own));
    return new EngineRun(own, family, 0, process, handlers);
  }

  /** Takes over what an earlier runner started, reading on at `offset` bytes of its spool. */
  static adopt(
    record: ProcessRecord,
    marker: string,
    offset: number,
    handlers: RunHandlers,
  ): EngineRun {
    const stand = standOfPaths(record);
    const family = new Descendants(record.identity, marker, record.descendants, stand);
    // Nothing was written when the runner died before the start was complete.
    closeSync(openSync(record.out, 'a', 0o600));
    const { identity: _identity, descendants: _descendants, ...paths } = record;
    return new EngineRun(paths, family, offset, null, handlers);
  }

  /** Begins to read. Not part of the construction: the session must be able to answer by then. */
  follow(): void {
    this.#spool.watch(() => this.drain());
    void this.#awaitExit();
    this.drain();
  }

  /** Resolves when what is there has been read, as after a time in which nobody read it. */
  async caughtUp(): Promise<void> {
    while (this.#draining) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Every line that was read before this process read on, for what of them was not stored. */
  earlierLines(): Iterable<string> {
    return linesOf(this.#paths.out, this.#spool.offset);
  }

  get running(): boolean {
    return isRunning(this.#family.root);
  }

  /** Whether the process runs, and something can be handed to it. */
  get reachable(): boolean {
    return this.#input !== null && this.running;
  }

  /** What is on its way to the process, in bytes. */
  get unwrittenBytes(): number {
    return this.#input?.unwrittenBytes ?? 0;
  }

  get pid(): number {
    return this.#family.root.pid;
  }

  record(): ProcessRecord {
    return { identity: this.#family.root, descendants: this.#family.list(), ...this.#paths };
  }

  /** Signals the engine's own process; its tools are its business. */
  signal(name: 'SIGINT'): void {
    signalEngine(this.#family, name);
  }

  write(line: string): void {
    this.#input?.write(line, () => this.#handlers.written());
  }

  stderrTail(): string[] {
    return readStderrTail(this.#paths.err);
  }

  /** Bounds what no reader keeps up with, at work or not. */
  capFiles(): void {
    capStderr(this.#paths.err);
  }

  /** Looks after the process while it works. Returns whether it has new descendants. */
  sweep(table: readonly ProcessRow[]): boolean {
    this.drain();
    return this.#family.sample(table);
  }

  /**
   * What the process waits for outside its protocol, once two looks in a row have seen the same: a
   * program may be about to say more, or to read what lies in the pipe already. Undefined: not known
   * before the next look.
   */
  lookForPrompt({ prompts = [], capabilities }: Pick<Engine, 'prompts' | 'capabilities'>) {
    const { fifo, out, err } = this.#paths;
    const before = this.#lastAsked;
    this.#lastAsked =
      fifo && this.unwrittenBytes === 0
        ? decideAsked({
            out: readTail(out, PROMPT_TAIL_BYTES),
            err: readTail(err, PROMPT_TAIL_BYTES),
            waits: waitsForInput(
              this.#family.list().map(({ pid }) => pid),
              fifo.input,
            ),
            protocol: capabilities.turnEnd === 'event',
            allowed: prompts,
          })
        : null;
    const asked = this.#lastAsked;
    return asked === null || before?.at === asked.at ? asked : undefined;
  }

  /** Ends the process and all it started; `exited` follows. Asking again changes nothing. */
  terminate(timings?: TerminateTimings): void {
    this.#terminating ??= terminateTree(this.#family, timings);
  }

  /** Ends the engine's own process without asking, and reads no more; `terminate` ends the rest. */
  kill(): void {
    this.#spool.stop();
    signalEngine(this.#family, 'SIGKILL');
  }

  /** Reads what is there, leaving the event loop to others between two chunks. */
  drain(): void {
    if (this.#draining) return;
    const chunk = this.#spool.read();
    if (!chunk) return;
    this.#handlers.lines(chunk);
    if (!chunk.full) return this.drain();
    this.#draining = true;
    setImmediate(() => {
      this.#draining = false;
      this.drain();
    });
  }

  async #awaitExit(): Promise<void> {
    const end = this.#process ? await this.#process.exited : await this.#awaitAdopted();
    await this.#terminating;
    const survivors = await terminateLeftovers(this.#family);
    await this.#readToEnd();
    this.#spool.close();
    this.#input?.close();
    const kept = this.#paths.oneShot ?? this.#paths.fifo;
    const left = kept ? readExitStatus(kept.exit) : null;
    this.#handlers.exited({ ...end, ...left, stderrTail: this.stderrTail() }, survivors);
  }

  async #awaitAdopted(): Promise<Omit<ExitFacts, 'stderrTail'>> {
    while (this.running) await new Promise((resolve) => setTimeout(resolve, ADOPTED_POLL_MS));
    return { exitCode: null, signal: null };
  }

  async #readToEnd(): Promise<void> {
    for (let chunk = this.#spool.read(); chunk; chunk = this.#spool.read()) {
      this.#handlers.lines(chunk);
      if (chunk.full) await new Promise((resolve) => setImmediate(resolve));
    }
    const last = this.#spool.flush();
    if (last) this.#handlers.lines(last);
  }
}

function standOfPaths({ oneShot, fifo, sealed }: RunPaths): Stand {
  return standOf({ kept: (oneShot ?? fifo) !== undefined, sealed: sealed === true });
}
