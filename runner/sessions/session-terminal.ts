import type { Engine } from '../engines/engine.ts';
import type { ProcessIdentity, ProcessRow } from '../process/process-table.ts';
import { survivorsNotice } from './engine-start.ts';
import type { SessionDeps } from './session-deps.ts';
import type { TerminalEnd } from './session-io.ts';
import type { SessionPass } from './session-pass.ts';
import type { SessionRow } from './session-store.ts';
import { readBooks, settleTerminal } from './settle-terminal.ts';
import { startTerminal, type DrivenTerminal } from './terminal-start.ts';

/** What a terminal needs of its session. */
type Ground = {
  row(): SessionRow;
  /** Stores what `work` makes of the session, whole. */
  pass(work: (pass: SessionPass) => void): void;
  /** Lets the session wait for `work`. */
  track(work: Promise<void>): void;
};

/** The engine's own terminal, while a person drives the session in it. At most one is open. */
export class SessionTerminal {
  readonly #deps: SessionDeps;
  readonly #engine: Engine;
  readonly #ground: Ground;
  #open: DrivenTerminal | null = null;

  constructor(deps: SessionDeps, engine: Engine, ground: Ground) {
    this.#deps = deps;
    this.#engine = engine;
    this.#ground = ground;
  }

  /** Opens it, and tells the session that it is open or why it is not. */
  async open(): Promise<void> {
    const started = await startTerminal(
      this.#deps,
      this.#engine,
      this.#ground.row(),
      () => this.#ground.row().state.epoch,
      (exit, survivors) =>
        this.#ground.track(this.#closed({ exitCode: exit.exitCode, failure: null }, survivors)),
    );
    if (started.kind === 'failed')
      return this.#closed({ exitCode: null, failure: started.message });
    this.#open = started.terminal;
    const { process, route, books } = started;
    this.#ground.pass((pass) => {
      const settled = settleTerminal(this.#engine, this.#ground.row(), books);
      pass.input({ kind: 'routed', route });
      pass.input({ kind: 'terminalOpened', process, books, settled });
      if (settled) pass.carried = settled.state;
    });
  }

  /** Ends its process; what it leaves is settled when it is gone. */
  close(): void {
    this.#open?.run.close(this.#deps.terminateTimings);
  }

  leaseMoved(): void {
    this.#open?.link.leaseMoved();
  }

  sweep(table: readonly ProcessRow[]): void {
    this.#open?.run.sweep(table);
  }

  async #closed(end: TerminalEnd, survivors: readonly ProcessIdentity[] = []): Promise<void> {
    this.#open?.link.close();
    this.#open = null;
    const books = await readBooks(this.#deps, this.#engine, this.#ground.row());
    this.#ground.pass((pass) => {
      if (survivors.length > 0) pass.events.push(survivorsNotice(survivors));
      const settled = settleTerminal(this.#engine, this.#ground.row(), books);
      pass.input({ kind: 'terminalClosed', end, settled });
      if (settled) pass.carried = settled.state;
    });
  }
}
