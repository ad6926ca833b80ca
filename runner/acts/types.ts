import type { ActKind } from '../../protocol/act.ts';
import { quoteText } from '../../protocol/shell-word.ts';

/** One field of a command after expansion. What a variable holds may be out of sight. */
export type Argument = { text: string; certain: boolean };

/**
 * What the exit status of the whole command line would prove about one command in it: success of
 * `a && push` proves the push, failure of `push; ls` proves nothing.
 */
export type Proof = { done: boolean; notDone: boolean };
export const NO_PROOF: Proof = { done: false, notDone: false };

/** What one rule says about one command. */
export type Finding = {
  kind: ActKind;
  target: string | null;
  uncertain?: boolean;
  push?: NamedRefs;
};

/** The refs that a push of git names on a remote; none where it leaves that to the configuration. */
type NamedRefs = { remote: string | null; refs: readonly string[] };

/** A rule reads the arguments of one program; the empty list says: nothing consequential. */
export type Rule = (args: readonly Argument[], surroundings: Surroundings) => readonly Finding[];

/** What is around a command that decides what it does. */
export type Surroundings = {
  /** It runs outside of the directory that the line began in. */
  outside: boolean;
  /** What it reads on its standard input, where the line itself says so. */
  input: Argument | null;
  /** The file that its standard input is. */
  reads: Argument | null;
};

export type ClassifiedAct = {
  kind: ActKind;
  /** The one simple command, with the wrappers around it taken off. */
  command: string;
  target: string | null;
  uncertain: boolean;
  provesDone: boolean;
  provesNotDone: boolean;
  /** Of a push of git alone. */
  push?: NamedRefs;
  /** The file that it was read from, which may be another one by the time it runs. */
  file?: string;
  /** Why the line could not be read to its end: this stands for whatever comes after. */
  unread?: string;
};

export const NOTHING: readonly Finding[] = [];

export const certain = (text: string): Argument => ({ text, certain: true });

/** Writes fields as a shell would read them back. */
export function showCommand(fields: readonly Argument[]): string {
  return fields
    .map(({ text }) =>
      text !== '' && /^[\w@%+=:,./~^*?${}()-]+$/.test(text) ? text : quoteText(text),
    )
    .join(' ');
}
