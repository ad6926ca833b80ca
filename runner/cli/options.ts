import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  ANSWER_MAX_MS,
  ANSWER_MIN_MS,
  NO_OUTPUT_MAX_MS,
  NO_OUTPUT_MIN_MS,
} from '../../protocol/launch.ts';

/** Gives a command the options of everything that talks to a running instance. */
export function withConnection(command: Command): Command {
  return command
    .option('--data <directory>', 'data directory of the running instance')
    .option('--json', 'print JSON, errors included');
}

/** Gives a command the directory that it is about: `--directory`, or `--dir` for short. */
export function withDirectory(command: Command, description: string, fallback?: string): Command {
  const short = new Option('--dir <directory>').hideHelp();
  short.attributeName = () => 'directory';
  return command
    .option('--directory <directory>', `${description}; also --dir`, fallback)
    .addOption(short);
}

/** An amount of US dollars as typed (`5`, `2.50`, `$5`), in micro-USD. */
export function parseDollars(text: string): number {
  const match = /^\$?(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text.trim());
  const microUsd = match
    ? Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'))
    : 0;
  if (microUsd <= 0)
    throw new InvalidArgumentError('A budget is an amount of US dollars above zero, such as 2.50.');
  return microUsd;
}

/** Minutes as typed (`15`, `0.5`), in milliseconds. Throws what commander shows as wrong usage. */
export function parseMinutes(text: string): number {
  const ms = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 60_000) : 0;
  if (ms < NO_OUTPUT_MIN_MS || ms > NO_OUTPUT_MAX_MS)
    throw new InvalidArgumentError(
      'Give minutes, such as 30 or 0.5; at most 1440, which is a day.',
    );
  return ms;
}

/** Hours that an approval may wait, as typed (`24`, `0.5`), in milliseconds. Throws what commander shows as wrong usage. */
export function parseAnswerHours(text: string): number {
  const ms = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 3_600_000) : 0;
  if (ms < ANSWER_MIN_MS || ms > ANSWER_MAX_MS)
    throw new InvalidArgumentError(
      'Give hours, such as 24 or 0.5; at most 720, which is thirty days.',
    );
  return ms;
}

/** A count from 1 up, in digits alone. Throws what commander shows as wrong usage. */
export function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new InvalidArgumentError('Give a whole number from 1 up.');
  return count;
}

/**
 * A point in time as typed: a date (`2026-11-01`, midnight where you are), a full ISO time, or
 * how long ago (`24h`, `7d`). In Unix ms.
 */
export function parseTime(text: string, nowMs: number): number {
  const ago = /^(\d{1,4})([hd])$/.exec(text);
  if (ago) return nowMs - Number(ago[1]) * (ago[2] === 'h' ? 3_600_000 : 86_400_000);
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Give a date such as 2026-11-01, or how long ago: 24h, 7d.');
  return at;
}

/**
 * A reason, which goes on record as a person's: not blank, and no flag that took its place because
 * the reason before it was forgotten.
 */
export function parseReason(text: string): string {
  if (text.trim() !== '' && !/^-{1,2}[A-Za-z]/.test(text)) return text;
  throw new InvalidArgumentError('Give a reason in words, in quotes.');
}
