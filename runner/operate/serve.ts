import type { Command, CommandResult } from '../../protocol/command.ts';
import { TERMINAL_RISKS, type TerminalAnswer } from '../../protocol/terminal.ts';
import { targetIn } from '../../protocol/terminal-command.ts';
import { createRedactor } from '../guard/redact.ts';
import type { Secret } from '../guard/secrets.ts';
import { findPane, lookAhead, type TerminalDoor } from './look.ts';
import type { DriveMeter } from '../drives/drive-meter.ts';

export type TerminalCommand = Extract<
  Command,
  { method: 'terminal/look' | 'terminal/read' | 'terminal/call' }
>;

export type OperateRooms = {
  door: TerminalDoor;
  /** What no answer may hold. */
  secrets(): readonly Secret[];
  /** Puts on record that from here on something may have been written. */
  handed(command: TerminalCommand): void;
  /** Follows what is written into coding agents. */
  meter: Pick<DriveMeter, 'begin' | 'written' | 'cancel'>;
};

/** Serves what the gate asks of terminals. What leaves the machine has no secret that it knows. */
export async function serveTerminal(
  command: TerminalCommand,
  rooms: OperateRooms,
): Promise<CommandResult> {
  const { door, secrets } = rooms;
  const { redact } = redactorOf(secrets());
  switch (command.method) {
    case 'terminal/look':
      return { ok: true, value: redact(await lookAhead(command.params, door)) };
    case 'terminal/call':
      return redact(await write(command, rooms));
    case 'terminal/read':
      return redact(resultOf(await door(command.params.call, command.params.scope)));
    default:
      return command satisfies never;
  }
}

async function write(
  command: Extract<TerminalCommand, { method: 'terminal/call' }>,
  { door, handed, meter }: OperateRooms,
): Promise<CommandResult> {
  const { call, scope, drive } = command.params;
  const target = TERMINAL_RISKS[call.tool] === 'kill' ? null : targetIn(call);
  const pane = drive && target !== null ? await findPane(target, scope, door) : null;
  if (drive && pane) await meter.begin(command.id, drive, pane);
  try {
    handed(command);
    const result = resultOf(await door(call, scope, drive));
    if (result.ok) meter.written(command.id);
    else meter.cancel(command.id);
    return result;
  } catch (error) {
    meter.cancel(command.id);
    throw error;
  }
}

const resultOf = (answer: TerminalAnswer): CommandResult =>
  answer.ok
    ? { ok: true, value: answer.value }
    : { ok: false, code: answer.code, message: answer.message };

function redactorOf(secrets: readonly Secret[]) {
  const redactor = createRedactor(secrets);
  return { redact: <T>(value: T): T => redactor.event(value) };
}
