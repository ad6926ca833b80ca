import type { Command, CommandResult } from '../protocol/command.ts';
import { runDoctor } from './doctor/doctor.ts';
import { refusedResult } from './link/commands.ts';
import type { OutputStore } from './sessions/output-store.ts';
import type { Supervisor } from './sessions/supervisor.ts';

export type CommandRooms = { supervisor: Supervisor; outputs: OutputStore; env: NodeJS.ProcessEnv };

/** Gives a command to the part that carries it out. Null: the session records the result itself. */
export async function executeCommand(command: Command, rooms: CommandRooms): Promise<CommandResult | null> {
  switch (command.method) {
    case 'session/start':
    case 'session/instruct':
    case 'session/answer':
    case 'session/interrupt':
    case 'session/stop':
      return rooms.supervisor.execute(command);
    case 'tool/output':
      if (command.sessionId === null) return refusedResult('bad_request', 'the command names no session');
      return { ok: true, value: rooms.outputs.read(command.sessionId, command.params.toolId) };
    case 'doctor/run':
      return { ok: true, value: await runDoctor(rooms.env) };
    case 'workspace/list':
    case 'workspace/describe':
      return refusedResult('unsupported');
    default:
      return command satisfies never;
  }
}
