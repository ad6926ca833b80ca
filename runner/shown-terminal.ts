import type { ErrorCode } from '../protocol/errors.ts';
import type { TerminalSize } from '../protocol/takeover.ts';

/** Who shows a terminal: hears its output in order, and may hold it back. */
export type TerminalViewer = {
  output(data: string | Uint8Array): void;
  /** Whether a person's window answers what programs ask of a terminal. */
  answers(): boolean;
  /** Output was left out, or the size is another: whoever watches needs the screen again. */
  resync(): void;
  /** There is nothing to show any more. */
  ended(code: ErrorCode): void;
};

/** A terminal that can be shown to the cloud: an engine's own, or one of the person's. */
export type ShownTerminal = {
  readonly size: TerminalSize;
  show(viewer: TerminalViewer | null): void;
  /** Reads the screen between two pieces of output: nothing is in both, or in neither. */
  readScreen(then: (screen: string, size: TerminalSize) => void): void;
  /** The viewer has as much as it can take. */
  hold(held: boolean): void;
  /** Hands keys to the program; answers how many bytes were refused. */
  write(keys: Uint8Array): number;
  resize(size: TerminalSize): void;
};
