import type { Command, CommandResult } from '../../protocol/command.ts';
import { TERMINAL_RISKS, type TerminalAnswer } from '../../protocol/terminal.ts';
import { targetIn } from '../../protocol/terminal-command.ts';
import { createRedactor } from '../guard/redact.ts';
import type { Secret } from '../guard/secrets.ts';
import { findPane, type TerminalDoor } from '../terminal-door.ts';
import { lookAhead } from './look.ts';
import { mayMoveRefs } from './written.ts';
import type { DriveMeter } from '../drives/drive-meter.ts';
import { refusedResult } from '../link/commands.ts';
import type { WriteWitness } from '../drives/witness/write-witness.ts';

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
  /** Looks at what is moved by what is written. */
  writes: Pick<WriteWitness, 'begin' | 'written' | 'cancel' | 'isHeld'>;
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
      return redact(await write(command, rooms, command));
    case 'terminal/read':
      return redact(resultOf(await door(command.params.call, command.params.scope)));
    default:
      return command satisfies never;
  }
}

async function write(
  { id, params }: Extract<TerminalCommand, { method: 'terminal/call' }>,
  { door, handed, meter, writes }: OperateRooms,
  command: TerminalCommand,
): Promise<CommandResult> {
  const { call, scope, drive, watch, rules = [] } = params;
  const kills = TERMINAL_RISKS[call.tool] === 'kill';
  const target = kills ? null : targetIn(call);
  const pane = drive && target !== null ? await findPane(target, scope, door) : null;
  if (drive && watch && !kills && mayMoveRefs(call, pane?.state ?? null))
    await writes.begin({ id, drive, watch, call, scope, pane });
  // What was written before may have been looked at only now.
  if (drive && writes.isHeld(drive.instanceId)) {
    writes.cancel(id);
    return refusedResult('instance_halted');
  }
  if (drive && pane) await meter.begin(id, drive, pane);
  const cancel = () => {
    meter.cancel(id);
    writes.cancel(id);
  };
  try {
    handed(command);
    const result = resultOf(await door(call, scope, drive && { drive, rules }));
    if (!result.ok) cancel();
    else {
      meter.written(id);
      writes.written(id, result.value);
    }
    return result;
  } catch (error) {
    cancel();
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
