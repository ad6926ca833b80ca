import { readFileSync } from 'node:fs';
import type { ApprovalsMode } from '../../protocol/launch.ts';
import { shellWord } from '../../protocol/shell-word.ts';
import { withoutComments } from '../json-comments.ts';

/** What an engine's own settings mean for a launch, before anything is started. */
export type SettingsFinding = {
  problem: string;
  remedy: string;
  /** The modes in which the engine would not begin. Empty: it begins, and something is not as it looks. */
  stops: readonly ApprovalsMode[];
};

/** A file of settings as it is now: read, never run and never written. Null for none, or one that may not be read. */
export function readSettings(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** What a JSON file holds, comments and trailing commas allowed, or where it stops being one. */
export function parseSettings(text: string): { value: unknown } | { broken: string } {
  try {
    return { value: JSON.parse(withoutComments(text)) };
  } catch (error) {
    return { broken: error instanceof Error ? error.message : String(error) };
  }
}

/** The command that opens a file of settings, between backticks. */
export const editing = (path: string): string => `\`\${EDITOR:-vi} ${shellWord(path)}\``;

/** Every mode: the engine does not begin at all. */
export const IN_EVERY_MODE: readonly ApprovalsMode[] = ['ask', 'accept_edits', 'plan', 'bypass'];
