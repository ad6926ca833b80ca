import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { systemCodeOf } from '../failure.ts';

export type ExitStatus = { exitCode: number | null; signal: string | null };

/**
 * Signals that end a process, by number. Not all: a status above 128 may be a program's own, as
 * of one that exits with an HTTP status.
 */
const LETHAL = new Map(
  (['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGKILL', 'SIGSEGV', 'SIGTERM'] as const).map(
    (name) => [constants.signals[name], name],
  ),
);

/** Reads the status that a one-shot process left; null when it left none, as after a power cut. */
export function readExitStatus(path: string): ExitStatus | null {
  try {
    return parseExitStatus(readFileSync(path, 'utf8'));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A shell's `$?`: 128 and the signal's number where one ended the command (POSIX, 2.8.2). */
export function parseExitStatus(text: string): ExitStatus | null {
  return /^\d{1,3}\n$/.test(text) ? exitStatusOf(Number(text)) : null;
}

/** What a status means that was handed on by a shell, or by another process that waited. */
export function exitStatusOf(status: number): ExitStatus {
  const signal = LETHAL.get(status - 128) ?? null;
  return signal ? { exitCode: null, signal } : { exitCode: status, signal: null };
}
