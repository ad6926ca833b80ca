import type { ErrorCode } from '../../protocol/errors.ts';
import type { PaneAgent, PaneState } from '../../protocol/terminal.ts';
import type { LineVerdict } from './look/prompt-line.ts';

/** What was found of a pane just before something is written to it. */
export type PaneLook = {
  state: PaneState;
  /** tmux would hand keys to several panes, or to none. */
  sharedInput: boolean;
  agent: PaneAgent | null;
  /** Of a shell's line; null where no shell is in front. */
  line: LineVerdict | null;
};

export type Writing =
  /** `pasted`: it arrives as one paste, and no character of it as a key. */
  | { kind: 'text'; text: string; enter: boolean; pasted: boolean }
  | { kind: 'keys'; keys: readonly string[] }
  | { kind: 'command' };

/**
 * Keys that say yes to nothing, in no agent’s dialog: they leave it, move in it, or take back what
 * was typed. Letters and numbers are answers there, and so is Shift-Tab.
 */
const SAYS_NOTHING = /^(Escape|C-c|C-u|BSpace|Delete|Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;

/**
 * Decides what keeps something from being written to a pane; null is nothing. Whatever could not be
 * told counts as the worst that it could be. Pure.
 */
export function decideSend(look: PaneLook, writing: Writing): ErrorCode | null {
  if (look.state === 'ended') return 'terminal_gone';
  if (look.state === 'copy_mode') return 'terminal_in_copy_mode';
  if (look.sharedInput) return 'terminal_shared_input';
  if (look.state === 'unknown') return 'terminal_unclear';
  if (writing.kind === 'command' && look.state !== 'shell') return 'terminal_busy';
  // Whether an agent asks something now cannot be told from its looks: it may.
  if (look.agent && couldAnswer(writing)) return 'terminal_dialog';
  if (look.state !== 'shell') return null;
  if (look.line === 'typed') return 'terminal_unsent_text';
  if (look.line === 'unclear' || look.line === null) return 'terminal_unclear';
  // A command goes on a line of its own, our own words included.
  if (writing.kind === 'command' && look.line === 'ours') return 'terminal_unsent_text';
  if (writing.kind === 'text' && /[\n\t]/.test(writing.text)) return 'terminal_multiline';
  return null;
}

function couldAnswer(writing: Writing): boolean {
  if (writing.kind === 'command') return true;
  if (writing.kind === 'text')
    return writing.enter || !writing.pasted || /[\n\r]/.test(writing.text);
  return !writing.keys.every((key) => SAYS_NOTHING.test(key));
}

/** Control characters beside newline and tab; with them a paste could end early and go on as keys. */
const CONTROL = /(?![\n\t])\p{Cc}/u;

/** What is wrong with text by itself, wherever it goes; null is nothing. Pure. */
export function decideText(text: string, maxChars: number): ErrorCode | null {
  if (text.length > maxChars) return 'terminal_too_large';
  return CONTROL.test(text) || !text.isWellFormed() ? 'terminal_text_refused' : null;
}
