/** The person's terminal: what it reads from, and what it shows. */
export type Streams = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
};

/** The hold on a terminal that shows another one. */
export type OwnTerminal = {
  /** Draws everything anew; the first time, what stood there before goes up into its history. */
  redraw: (screen: string) => void;
  /** Gives the terminal back as it was, except for what the other one left to read. */
  restore: () => void;
};

const CSI = '\u001b[';
const off = (...modes: number[]): string => modes.map((mode) => `${CSI}?${mode}l`).join('');

/**
 * Leaves every mode that a program may have set. Going into the alternate screen before leaving it
 * leaves it from wherever the terminal is. A full reset (RIS) would clear the person's history.
 */
const LEAVE_MODES = [
  // Ends whatever sequence was cut short, and a link.
  '\u001b\\\u001b]8;;\u001b\\',
  `${CSI}?1049h${CSI}?1049l`,
  // The mouse in each of its forms, the focus, marked pastes, held drawing.
  off(1000, 1002, 1003, 1005, 1006, 1015, 1004, 2004, 2026),
  // Keys as they are at first: cursor, keypad, and two ways to tell more of them.
  `${off(1)}\u001b>${CSI}=0u${CSI}>4;0m`,
  // Places are of the whole screen, lines wrap, letters replace, plain and in the usual set.
  `${off(6)}${CSI}r${CSI}?7h${CSI}4l${CSI}0m\u000f\u001b(B`,
  `${CSI}?25h${CSI}0 q`,
].join('');
const TO_BOTTOM = `${CSI}9999;1H`;
const CLEAR = `${CSI}H${CSI}2J`;

/**
 * Takes a terminal to show another one in it: every key comes as it is. While the process is
 * stopped by job control the terminal is the person's; `resumed` is called when it goes on.
 */
export function borrowTerminal({ input, output }: Streams, resumed: () => void): OwnTerminal {
  let shown = false;
  let restored = false;
  // A terminal that was closed takes no more words, and that is no reason to end in another way.
  const unheard = () => undefined;
  output.on('error', unheard);
  input.on('error', unheard);
  input.setRawMode(true);
  const restore = () => {
    if (restored) return;
    restored = true;
    process.off('exit', restore);
    process.off('SIGTSTP', suspend);
    process.off('SIGCONT', resume);
    try {
      input.setRawMode(false);
    } catch {
      // It is gone, and its modes with it.
    }
    input.pause();
    if (shown) output.write(`${LEAVE_MODES}${TO_BOTTOM}\r\n`);
  };
  const suspend = () => {
    input.setRawMode(false);
    if (shown) output.write(`${LEAVE_MODES}${TO_BOTTOM}\r\n`);
    // Whoever handles the one is not stopped by it; nobody handles the other.
    process.kill(process.pid, 'SIGSTOP');
  };
  const resume = () => {
    // Set anew even where it was stopped without being asked: the shell has set its own meanwhile.
    input.setRawMode(false);
    input.setRawMode(true);
    resumed();
  };
  process.once('exit', restore);
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', resume);
  return {
    redraw: (screen) => {
      if (!shown) output.write(TO_BOTTOM + '\n'.repeat(output.rows));
      shown = true;
      output.write(LEAVE_MODES + CLEAR + screen);
    },
    restore,
  };
}
