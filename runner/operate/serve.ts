import type { Command, CommandResult } from '../../protocol/command.ts';
import type { TerminalAnswer } from '../../protocol/terminal.ts';
import { createRedactor } from '../guard/redact.ts';
import { collectSecrets } from '../guard/secrets.ts';
import { lookAhead, type TerminalDoor } from './look.ts';

export type TerminalCommand = Extract<
  Command,
  { method: 'terminal/look' | 'terminal/read' | 'terminal/call' }
>;

export type OperateRooms = {
  door: TerminalDoor;
  env: NodeJS.ProcessEnv;
  /** Variables that sessions here may be given: their values are secrets whatever they are called. */
  variables(): readonly string[];
  /** Puts on record that from here on something may have been written. */
  handed(command: TerminalCommand): void;
};

/** Serves what the gate asks of terminals. What leaves the machine has no secret that it knows. */
export async function serveTerminal(
  command: TerminalCommand,
  { door, env, variables, handed }: OperateRooms,
): Promise<CommandResult> {
  const { redact } = redactorOf(env, variables);
  switch (command.method) {
    case 'terminal/look':
      return { ok: true, value: redact(await lookAhead(command.params, door)) };
    case 'terminal/call':
      handed(command);
      return redact(resultOf(await door(command.params.call, command.params.scope)));
    case 'terminal/read':
      return redact(resultOf(await door(command.params.call, command.params.scope)));
    default:
      return command satisfies never;
  }
}

const resultOf = (answer: TerminalAnswer): CommandResult =>
  answer.ok
    ? { ok: true, value: answer.value }
    : { ok: false, code: answer.code, message: answer.message };

function redactorOf(env: NodeJS.ProcessEnv, variables: () => readonly string[]) {
  const redactor = createRedactor(collectSecrets(env, variables()));
  return { redact: <T>(value: T): T => redactor.event(value) };
}
