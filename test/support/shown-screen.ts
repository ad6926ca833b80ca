import headless from '@xterm/headless';
import { until } from './until.ts';

/**
 * A window that draws what it is sent, as xterm does in the console: a program that places its
 * words by cursor movements can be read, and what it asks of a terminal is answered.
 */
export class ShownScreen {
  readonly #terminal: InstanceType<typeof headless.Terminal>;

  constructor(size: { columns: number; rows: number }, answer: (keys: string) => void) {
    this.#terminal = new headless.Terminal({
      cols: size.columns,
      rows: size.rows,
      allowProposedApi: true,
    });
    this.#terminal.onData(answer);
  }

  write(data: string | Uint8Array): void {
    this.#terminal.write(data);
  }

  begin(screen: string, size: { columns: number; rows: number }): void {
    this.#terminal.reset();
    this.resize(size);
    this.#terminal.write(screen);
  }

  resize({ columns, rows }: { columns: number; rows: number }): void {
    this.#terminal.resize(columns, rows);
  }

  /** What is visible, row by row. */
  read(): string {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.#terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    ).join('\n');
  }

  /** The same with what is above it. */
  readAll(): string {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    ).join('\n');
  }

  /** Waits until the words are visible, with whatever space is between them. */
  async see(words: string | RegExp): Promise<string> {
    const visible = () => this.read().replace(/\s+/g, ' ');
    await until(
      `the screen to show ${String(words)}`,
      () => (typeof words === 'string' ? visible().includes(words) : words.test(visible())),
      { withinMs: 60_000, tell: () => this.read() },
    );
    return this.read();
  }
}
