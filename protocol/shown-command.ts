import { z } from 'zod';
import type { ApprovalRequest } from './approval.ts';

/**
 * The tool whose input is all that it does. Of another's, such as a server's that runs commands on a
 * machine elsewhere, or an engine's that leaves out where it runs, the words alone would deceive.
 */
const SHELL = 'Bash';
/** Characters of a command that every browser shows whole in an open notification. */
const MOST_CHARS = 80;
/** Printable, in reading order, and no room in it that pushes a part of it out of sight. */
const PLAIN = /^(?!.* {2})[\x20-\x7e]+$/;

/** A call that is its command and nothing else; how long it may take changes nothing of it. */
const onlyCommand = z.strictObject({
  command: z.string(),
  description: z.string().optional(),
  timeout: z.number().optional(),
});

/**
 * The command that a request asks about, where it is all that is asked and can be shown whole; null
 * where somebody has to look at the request itself. It is redacted already, by its machine. Pure.
 */
export function shownCommand({
  kind,
  toolName,
  input,
}: Pick<ApprovalRequest, 'kind' | 'toolName' | 'input'>): string | null {
  if (kind !== 'tool' || toolName !== SHELL || input.truncated) return null;
  const call = onlyCommand.safeParse(parseJson(input.text)).data;
  if (!call || call.command.length > MOST_CHARS || !PLAIN.test(call.command)) return null;
  return call.command;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
