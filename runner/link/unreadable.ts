import { z } from 'zod';
import type { CommandResult } from '../../protocol/command.ts';
import { commandId, type CommandId } from '../../protocol/ids.ts';
import { refusedResult } from './commands.ts';
import { parseJson } from '../json.ts';

const anyCommand = z.object({
  type: z.literal('command'),
  command: z.object({ id: commandId, method: z.string() }),
});

/**
 * The answer to a command that this runner cannot read: of a newer server, or in a form of a
 * newer one. Null when the frame is no command with an id, so that there is nobody to answer.
 */
export function refuseUnreadable(
  text: string,
  reason: string,
): { id: CommandId; method: string; result: CommandResult } | null {
  const parsed = anyCommand.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { id, method } = parsed.data.command;
  return { id, method, result: refusedResult('command_unknown', `${method}: ${reason}`) };
}
