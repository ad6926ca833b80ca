import type { ErrorCode } from '../../protocol/errors.ts';
import type { PaneAgent, PaneState } from '../../protocol/terminal.ts';
import { meansMore } from './look/agent-box.ts';
import type { LineVerdict } from './look/prompt-line.ts';

/** What was found of a pane just before something is written to it. */
export type PaneLook = {
  state: PaneState;
  /** tmux would hand keys to several panes, or to none. */
  sharedInput: boolean;
  agent: PaneAgent | null;
  /**
   * Whether the agent asks something now. `none` only by its own word, `open` by its own hook;
   * unknown counts as `maybe`.
   */
  dialog: 'none' | 'maybe' | 'open';
  /** Of a shell's line, or of an agent's box while it asks nothing; null where neither is seen. */
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
  if (look.agent && couldAnswer(writing)) return decideInstruction(look, writing);
  if (look.state !== 'shell') return null;
  if (look.line === 'typed') return 'terminal_unsent_text';
  if (look.line === 'unclear' || look.line === null) return 'terminal_unclear';
  // A command goes on a line of its own, our own words included.
  if (writing.kind === 'command' && look.line === 'ours') return 'terminal_unsent_text';
  if (writing.kind === 'text' && /[\n\t]/.test(writing.text)) return 'terminal_multiline';
  return null;
}

/** An instruction to an agent: words in one paste and Enter, where it is known to ask nothing. */
function decideInstruction({ dialog, line }: PaneLook, writing: Writing): ErrorCode | null {
  if (dialog === 'open') return 'terminal_asking';
  const instructs = writing.kind === 'text' && writing.enter && writing.pasted;
  if (dialog !== 'none' || !instructs) return 'terminal_dialog';
  if (line === 'typed') return 'terminal_unsent_text';
  if (line !== 'empty') return 'terminal_unclear';
  return meansMore(writing.text) ? 'terminal_text_refused' : null;
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
