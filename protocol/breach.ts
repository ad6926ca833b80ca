import { z } from 'zod';
import { actKind } from './act.ts';
import { actId, actorId, turnId } from './ids.ts';
import { showUnseen } from './preset.ts';
import { quoteText, shellWord } from './shell-word.ts';
import { describeMove, refMove } from './witness.ts';

/** Most commands that undo one act. */
const MAX_STEPS = 8;

/** How an act is taken back, for a person to run with their own power. */
export const undoing = z.object({
  /** Where to run the commands; null: anywhere. */
  directory: z.string().nullable(),
  /** Each one line, quoted for a shell. Empty where only the note can help. */
  commands: z.array(z.string()).max(MAX_STEPS),
  /** What the commands do not say, as sentences. */
  note: z.string(),
});
export type Undoing = z.infer<typeof undoing>;

/** An act that the policy of its session forbids, and that happened. */
export const breach = z.object({
  actId,
  turnId: turnId.nullable(),
  kind: actKind,
  /** The refs moved, or the engine's stream says that it was done and nothing speaks against it. */
  seenBy: z.enum(['git', 'stream']),
  /** The command that did it, redacted; what moved, where no command is known. */
  command: z.string(),
  /** Null where no ref was seen to move. */
  move: refMove.nullable(),
  /** What forbids it, as a sentence. */
  rule: z.string(),
  undo: undoing,
});
export type Breach = z.infer<typeof breach>;

/** Longest reason for which a person lets a session go on, in characters. */
export const REASON_MAX_CHARS = 1_000;
export const overrideReason = z.string().trim().min(3).max(REASON_MAX_CHARS);

/** Who said that a session may go on after a breach, and why. */
export const override = z.object({ reason: z.string(), actorId, channel: z.string(), at: z.int() });
export type Override = z.infer<typeof override>;

/** A breach as a session's view holds it. */
export const breachView = breach.extend({
  at: z.int(),
  /** Null while nobody said why the session may go on. */
  override: override.nullable(),
});
export type BreachView = z.infer<typeof breachView>;

/** Breaches that hold a session: nobody said why it may go on. */
export const openBreaches = <T extends { override: Override | null }>(all: readonly T[]): T[] =>
  all.filter((each) => each.override === null);

/** What happened, in words: `merge, main on origin: 12ab34c → 56de78f`. */
export function describeBreach({ kind, move, command }: Pick<Breach, 'kind' | 'move' | 'command'>) {
  const word = kind.replaceAll('_', ' ');
  return `${word}, ${move === null ? command : describeMove(move)}`;
}

/**
 * What is typed to undo it, from anywhere: one command a line, each of which wants the one before
 * done. The name of a directory comes from outside and is one word whatever is in it. One that hides
 * something is shown with it and names no directory, so that nothing is run. Pure.
 */
export function undoLines({ directory, commands }: Undoing): string[] {
  if (directory === null || commands.length === 0) return [...commands];
  const seen = showUnseen(directory);
  const word = seen === directory ? shellWord(directory) : quoteText(seen);
  return [`cd -- ${word}`, ...commands];
}
