import { PilothouseError } from '../../../protocol/errors.ts';
import type { TerminalSize } from '../../../protocol/takeover.ts';
import type { TerminalPane } from '../../../protocol/terminal.ts';
import type { ShownTerminal, TerminalViewer } from '../../shown-terminal.ts';
import type { Connector } from '../connector.ts';

/** How often a terminal that does not tell of its output is looked at, in ms. */
const EVERY_MS = 1_000;

/**
 * A terminal that cannot be watched as it is written: looked at once a second, as text without
 * colours, and redrawn where it changed. What came and went between two looks is not seen.
 */
export class PolledPane implements ShownTerminal {
  readonly #connector: Connector;
  #pane: TerminalPane;
  #viewer: TerminalViewer | null = null;
  #text = '';
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;

  constructor(connector: Connector, pane: TerminalPane, everyMs = EVERY_MS) {
    this.#connector = connector;
    this.#pane = pane;
    this.#timer = setInterval(() => void this.#lookAgain(), everyMs);
    this.#timer.unref();
  }

  get size(): TerminalSize {
    return this.#pane.size;
  }

  get session(): string | null {
    return this.#pane.session;
  }

  show(viewer: TerminalViewer | null): void {
    this.#viewer = viewer;
  }

  readScreen(then: (screen: string, size: TerminalSize) => void): void {
    void this.#lookAgain().then(() => then(drawn(this.#text), this.size));
  }

  /** The next look shows everything anyway. */
  hold(): void {
    return;
  }

  /** Takes no keys: whether they arrived could not be shown. */
  write(keys: Uint8Array): number {
    return keys.byteLength;
  }

  resize(): void {
    return;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#viewer = null;
  }

  /** One look at a time: a terminal that is slow to answer is not asked again meanwhile. */
  #lookAgain(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { target, size } = this.#pane;
    try {
      this.#pane = await this.#connector.find(target);
      const { text } = await this.#connector.capture({ target, history: 0, search: null });
      const resized =
        size.columns !== this.#pane.size.columns || size.rows !== this.#pane.size.rows;
      if (text !== this.#text) this.#viewer?.output(`\x1b[H\x1b[2J${drawn(text)}`);
      this.#text = text;
      if (resized) this.#viewer?.resync();
    } catch (error) {
      // What did not answer once, whatever the reason, may answer at the next look.
      if (error instanceof PilothouseError && error.code === 'terminal_gone')
        this.#viewer?.ended(error.code);
    }
  }
}

const drawn = (text: string): string => text.replaceAll('\n', '\r\n');
