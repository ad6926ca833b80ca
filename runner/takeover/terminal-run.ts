import { fitSize, type TerminalSize } from '../../protocol/takeover.ts';
import type { SpawnPlan } from '../engines/engine.ts';
import { Descendants, standOf } from '../process/descendants.ts';
import type { ProcessIdentity, ProcessRow } from '../process/process-table.ts';
import { terminateLeftovers, terminateTree, type TerminateTimings } from '../process/terminate.ts';
import type { ShownTerminal, TerminalViewer } from '../shown-terminal.ts';
import { openPty, type Pty, type PtyExit } from './pty.ts';
import { Screen } from './screen.ts';

/** Output that is drawn nowhere yet, above which the program has to wait: characters. */
const UNDRAWN_MAX_CHARS = 512 * 1024;

/**
 * The engine's own terminal while a person drives: one process, its screen, and who watches. The
 * screen is always drawn, so that the program goes on when nobody looks.
 */
export class TerminalRun implements ShownTerminal {
  readonly #pty: Pty;
  readonly #screen: Screen;
  readonly #family: Descendants;
  #viewer: TerminalViewer | null = null;
  #undrawn = 0;
  #held = false;
  #paused = false;
  #closing: Promise<unknown> | null = null;

  private constructor(pty: Pty, screen: Screen, family: Descendants) {
    this.#pty = pty;
    this.#screen = screen;
    this.#family = family;
    pty.onOutput((text) => this.#draw(text));
    screen.onAnswer((answer) => {
      if (!this.#viewer?.answers()) pty.write(Buffer.from(answer));
    });
  }

  /** Opens a terminal. `exited` is called once the program and all that it started are gone. */
  static async open(
    plan: SpawnPlan,
    size: TerminalSize,
    { marker, nested }: { marker: string; nested: readonly (string | RegExp)[] },
    exited: (exit: PtyExit, survivors: readonly ProcessIdentity[]) => void,
  ): Promise<TerminalRun> {
    const fit = fitSize(size);
    const pty = await openPty(plan, fit, marker, nested);
    const stand = standOf({ kept: false, sealed: plan.sealed === true });
    const family = new Descendants(pty.identity, marker, [], stand);
    const run = new TerminalRun(pty, new Screen(fit), family);
    void run.#awaitExit(exited);
    return run;
  }

  get pid(): number {
    return this.#pty.identity.pid;
  }

  get size(): TerminalSize {
    return this.#screen.size;
  }

  show(viewer: TerminalViewer | null): void {
    this.#viewer = viewer;
    if (!viewer) this.hold(false);
  }

  /** Hands keys to the program; answers how many bytes were refused. */
  write(keys: Uint8Array): number {
    return this.#pty.write(keys);
  }

  resize(size: TerminalSize): void {
    const fit = fitSize(size);
    if (this.#closing) return;
    this.#pty.resize(fit);
    this.#screen.resize(fit);
  }

  /** Reads the screen between two pieces of output: nothing is in both, or in neither. */
  readScreen(then: (screen: string, size: TerminalSize) => void): void {
    this.#screen.write('', () => then(this.#screen.read(), this.#screen.size));
  }

  /** The viewer has as much as it can take. */
  hold(held: boolean): void {
    this.#held = held;
    this.#flow();
  }

  sweep(table: readonly ProcessRow[]): void {
    this.#family.sample(table);
  }

  /** Ends the program and all it started, as closing its window does first. */
  close(timings?: TerminateTimings): void {
    this.hold(false);
    this.#closing ??= terminateTree(this.#family, timings, () => this.#pty.hangUp());
  }

  #draw(text: string): void {
    this.#undrawn += text.length;
    this.#flow();
    this.#screen.write(text, () => {
      this.#undrawn -= text.length;
      this.#viewer?.output(text);
      this.#flow();
    });
  }

  #flow(): void {
    const paused = this.#held || this.#undrawn > UNDRAWN_MAX_CHARS;
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) this.#pty.pause();
    else this.#pty.resume();
  }

  async #awaitExit(
    exited: (exit: PtyExit, survivors: readonly ProcessIdentity[]) => void,
  ): Promise<void> {
    const exit = await this.#pty.exited;
    this.#closing ??= Promise.resolve();
    await this.#closing;
    const survivors = await terminateLeftovers(this.#family);
    // What it said last is drawn before its end is told.
    await new Promise<void>((resolve) => this.#screen.write('', resolve));
    this.#screen.dispose();
    exited(exit, survivors);
  }
}
