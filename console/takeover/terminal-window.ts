import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { fitSize, type TerminalSize } from '../../protocol/takeover.ts';
import { readColours } from './colours.ts';
import { bytesOf } from './keys.ts';
import { muteAnswers, TitleFilter } from './picture.ts';

const FONT_PX = 13;
const FONT_LEAST_PX = 6;
const SCROLLBACK_LINES = 5_000;

/** A drawn terminal, without the connection that fills it. */
export type TerminalWindow = {
  terminal: Terminal;
  /** The size that fills the window; null while it has none. */
  measure: () => TerminalSize | null;
  /** Takes the size of the machine's terminal; a window that only watches shrinks its letters. */
  take: (size: TerminalSize, shrink: boolean) => void;
  /** Shows output; `shown` is called when it is. */
  write: (bytes: Uint8Array<ArrayBuffer>, shown: () => void) => void;
  /** Replaces everything shown. */
  redraw: (data: string) => void;
  dispose: () => void;
};

type WindowEvents = {
  typed: (keys: Uint8Array<ArrayBuffer>) => void;
  /** A letter typed here as it is to be sent. */
  mapped: (text: string) => string;
  /** The person wants out by keyboard: every other key is the engine's. */
  left: () => void;
};

/**
 * Draws a terminal in `host`; `drives` lets keys through, and `own` is one of the person's, of which
 * this window is only a picture.
 */
export function openTerminalWindow(
  host: HTMLElement,
  { drives, own }: { drives: boolean; own: boolean },
  events: WindowEvents,
): TerminalWindow {
  const terminal = new Terminal({
    cursorBlink: false,
    disableStdin: !drives,
    fontFamily: getComputedStyle(host).fontFamily,
    fontSize: FONT_PX,
    minimumContrastRatio: 4.5,
    scrollback: SCROLLBACK_LINES,
    theme: readColours(host),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(host);
  if (own) muteAnswers(terminal);
  let titles = own ? new TitleFilter() : null;
  terminal.onData((text) => events.typed(new TextEncoder().encode(events.mapped(text))));
  terminal.onBinary((binary) => events.typed(bytesOf(binary)));
  terminal.attachCustomKeyEventHandler((event) => {
    const leaves = event.ctrlKey && event.key === ']';
    if (leaves && event.type === 'keydown') events.left();
    if (leaves) event.preventDefault();
    return !leaves;
  });
  const stopRecolouring = whenThemeChanges(() => {
    terminal.options.theme = readColours(host);
  });
  const measure = (): TerminalSize | null => {
    const proposed = fit.proposeDimensions();
    return proposed ? fitSize({ columns: proposed.cols, rows: proposed.rows }) : null;
  };
  return {
    terminal,
    measure,
    take: ({ columns, rows }, shrink) => {
      if (shrink) {
        terminal.options.fontSize = FONT_PX;
        const ratio = (measure()?.columns ?? columns) / columns;
        const fitting = Math.floor(FONT_PX * Math.min(1, ratio));
        terminal.options.fontSize = Math.max(FONT_LEAST_PX, fitting);
      }
      terminal.resize(columns, rows);
    },
    write: (bytes, shown) => terminal.write(titles ? titles.feed(bytes) : bytes, shown),
    redraw: (data) => {
      // What it shows then is whole: a title that was cut off before it is never ended.
      titles &&= new TitleFilter();
      terminal.reset();
      terminal.write(data);
    },
    dispose: () => {
      stopRecolouring();
      terminal.dispose();
    },
  };
}

/** Calls back when the person or the machine chooses another theme; returns how to stop it. */
function whenThemeChanges(react: () => void): () => void {
  const machine = matchMedia('(prefers-color-scheme: dark)');
  machine.addEventListener('change', react);
  const chosen = new MutationObserver(react);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    machine.removeEventListener('change', react);
    chosen.disconnect();
  };
}
