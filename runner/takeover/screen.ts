import headless from '@xterm/headless';
import { SerializeAddon } from '@xterm/addon-serialize';
import type { TerminalSize } from '../../protocol/takeover.ts';
import { SCREEN_MAX_CHARS } from '../../protocol/terminal-frames.ts';

/** Lines above the screen that a viewer who comes later can scroll back to. */
const SCROLLBACK_LINES = 1_000;

/**
 * What a terminal shows now, in bounded memory: whoever comes late or fell behind gets this
 * instead of everything that led to it. Nothing reads it to learn what the engine did.
 */
export class Screen {
  readonly #terminal: InstanceType<typeof headless.Terminal>;
  readonly #serialize = new SerializeAddon();

  constructor({ columns, rows }: TerminalSize) {
    this.#terminal = new headless.Terminal({
      cols: columns,
      rows,
      scrollback: SCROLLBACK_LINES,
      allowProposedApi: true,
    });
    this.#terminal.loadAddon(this.#serialize);
  }

  get size(): TerminalSize {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  /** Draws output; `drawn` is called once it is on the screen, in order. */
  write(text: string, drawn: () => void): void {
    this.#terminal.write(text, drawn);
  }

  /** What a program asked the terminal is answered here when nobody's window does. */
  onAnswer(listener: (answer: string) => void): void {
    this.#terminal.onData(listener);
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#terminal.resize(columns, rows);
  }

  /** The screen as text that draws it, without its scrollback where that would be too much. */
  read(): string {
    const whole = this.#serialize.serialize();
    if (whole.length <= SCREEN_MAX_CHARS) return whole;
    const visible = this.#serialize.serialize({ scrollback: 0 });
    return visible.length <= SCREEN_MAX_CHARS ? visible : '';
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
