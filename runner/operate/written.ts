import type { PaneState, TerminalCall } from '../../protocol/terminal.ts';
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

/** What a call would write, read together with the screen. Pure; `screen` null could not be read. */
export function writtenBy({ tool, params }: TerminalCall, screen: string | null): Written {
  const nothing = { lines: [], unseen: false };
  switch (tool) {
    case 'tmux_run_command':
    case 'terminal_run_command':
      return { lines: [params.command], unseen: false };
    case 'tmux_create_session':
      return params.argv
        ? { lines: [showCommand(params.argv.map(asArgument))], unseen: false }
        : nothing;
    case 'terminal_send_text':
      return { lines: joined(screen, params.text), unseen: false };
    case 'tmux_send_keys':
    case 'terminal_send_keys': {
      const submitted = params.keys.findLastIndex((key) => SUBMITS.has(key));
      const recalled = params.keys.findIndex((key) => RECALLS.test(key));
      const text = params.keys.map(charactersOf).join('');
      return { lines: joined(screen, text), unseen: recalled >= 0 && recalled < submitted };
    }
    case 'tmux_list_sessions':
    case 'tmux_capture_pane':
    case 'tmux_kill_session':
    case 'terminal_list':
    case 'terminal_capture':
    case 'terminal_close':
      return nothing;
    default:
      return tool satisfies never;
  }
}

/**
 * Whether a write may move a ref: letters on the line of a shell do nothing until they are sent.
 * `state` is what was in front; null where the terminal was only made by it. Pure.
 */
export const mayMoveRefs = (call: TerminalCall, state: PaneState | null): boolean =>
  state !== 'shell' || submits(call);

/** Whether a call hands a shell a line, or starts a program. */
function submits({ tool, params }: TerminalCall): boolean {
  switch (tool) {
    case 'tmux_run_command':
    case 'terminal_run_command':
      return true;
    case 'tmux_create_session':
      return params.argv !== null;
    case 'terminal_send_text':
      return params.enter || /[\r\n]/.test(params.text);
    case 'tmux_send_keys':
    case 'terminal_send_keys':
      return params.keys.some((key) => SUBMITS.has(key));
    case 'tmux_list_sessions':
    case 'tmux_capture_pane':
    case 'tmux_kill_session':
    case 'terminal_list':
    case 'terminal_capture':
    case 'terminal_close':
      return false;
    default:
      return tool satisfies never;
  }
}

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
