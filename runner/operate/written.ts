import type {
  PaneState,
  TerminalCall,
  TerminalParams,
  TerminalTool,
} from '../../protocol/terminal.ts';
import { showCommand, type Argument } from '../acts/types.ts';

/** What a call would have a shell read, and what stands on its line already. */
export type Written = {
  /** Every line that it may come to; the strictest of them counts. */
  lines: string[];
  /** It hands over a line that nobody has seen: one of the shell's history, or completed by it. */
  unseen: boolean;
};

/** How prompts end; what follows is the line. Any of them may be the prompt's end. */
const PROMPT = /[$#%>❯➜»λ] +(?=\S)/gu;
/** Rows above the last that a long line may have been folded over. */
const FOLDED_ROWS = 10;
const SUBMITS = new Set(['Enter', 'M-Enter', 'C-m', 'C-j', 'C-o']);
/** Keys that put words on a line which are not in the call. */
const RECALLS =
  /^(Up|Down|PageUp|PageDown|Tab|BTab|Right|End|C-[pnrsyief]|M-[.<>_pn]|M-C-.|M-Tab)$/;

/** What one tool hands to a shell. `lines` reads it with the screen; null could not be read. */
type Hands<T extends TerminalTool> = {
  lines(params: TerminalParams<T>, screen: string | null): Written;
  /** A whole line, or a program that it starts. */
  submits(params: TerminalParams<T>): boolean;
};

const NOTHING = { lines: (): Written => ({ lines: [], unseen: false }), submits: () => false };
const COMMAND: Hands<'tmux_run_command' | 'terminal_run_command'> = {
  lines: ({ command }) => ({ lines: [command], unseen: false }),
  submits: () => true,
};
const KEYS: Hands<'tmux_send_keys' | 'terminal_send_keys'> = {
  lines: ({ keys }, screen) => {
    const submitted = keys.findLastIndex((key) => SUBMITS.has(key));
    const recalled = keys.findIndex((key) => RECALLS.test(key));
    const text = keys.map(charactersOf).join('');
    return { lines: joined(screen, text), unseen: recalled >= 0 && recalled < submitted };
  },
  submits: ({ keys }) => keys.some((key) => SUBMITS.has(key)),
};

const HANDS: { readonly [T in TerminalTool]: Hands<T> } = {
  tmux_list_sessions: NOTHING,
  tmux_create_session: {
    lines: ({ argv }) => ({
      lines: argv ? [showCommand(argv.map(asArgument))] : [],
      unseen: false,
    }),
    submits: ({ argv }) => argv !== null,
  },
  tmux_capture_pane: NOTHING,
  tmux_run_command: COMMAND,
  tmux_send_keys: KEYS,
  tmux_kill_session: NOTHING,
  terminal_list: NOTHING,
  terminal_capture: NOTHING,
  terminal_run_command: COMMAND,
  terminal_send_text: {
    lines: ({ text }, screen) => ({ lines: joined(screen, text), unseen: false }),
    submits: ({ text, enter }) => enter || /[\r\n]/.test(text),
  },
  terminal_send_keys: KEYS,
  terminal_close: NOTHING,
};

/** What a call would write, read together with the screen. Pure; `screen` null could not be read. */
export const writtenBy = ({ tool, params }: TerminalCall, screen: string | null): Written =>
  handsOf(tool).lines(params, screen);

/**
 * Whether a write may move a ref: letters on the line of a shell do nothing until they are sent.
 * `state` is what was in front; null where the terminal was only made by it. Pure.
 */
export const mayMoveRefs = ({ tool, params }: TerminalCall, state: PaneState | null): boolean =>
  state !== 'shell' || handsOf(tool).submits(params);

/** A call's parameters are of its tool by their schema, which the compiler does not follow here. */
const handsOf = (tool: TerminalTool) => HANDS[tool] as Hands<TerminalTool>;

const asArgument = (text: string): Argument => ({ text, certain: true });

/** A line may be put together over several calls, so what stands there counts with what is added. */
function joined(screen: string | null, text: string): string[] {
  const shown = linesShown(screen ?? '').map((line) => line + text);
  return [...new Set([text, ...shown])].filter((line) => line.trim() !== '');
}

/** What may stand on the shell's line: all that follows a sign with which prompts end. */
export function linesShown(screen: string): string[] {
  const rows = screen.trimEnd().split('\n').slice(-FOLDED_ROWS);
  const prompt = rows.findLastIndex((row) => [...row.matchAll(PROMPT)].length > 0);
  if (prompt < 0) return [];
  const line = rows.slice(prompt).join('');
  return [...line.matchAll(PROMPT)].map(({ index, 0: sign }) => line.slice(index + sign.length));
}

function charactersOf(key: string): string {
  if (key === 'Space') return ' ';
  if (SUBMITS.has(key)) return '\n';
  return key.length === 1 ? key : '';
}
