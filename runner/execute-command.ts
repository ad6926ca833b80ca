import type { Command, CommandResult } from '../protocol/command.ts';
import type { EngineReadiness } from '../protocol/machine.ts';
import { runDoctor } from './doctor/doctor.ts';
import { collectSecrets, type Secret } from './guard/secrets.ts';
import { describeWorkspace, listDirectories } from './guard/workspace.ts';
import { readMachineLimits } from './limits.ts';
import { lookAtPresets } from './look-at-presets.ts';
import { refusedResult } from './link/commands.ts';
import { serveTerminal, type TerminalCommand } from './operate/serve.ts';
import type { DriveMeter } from './drives/drive-meter.ts';
import type { TerminalDoor } from './terminal-door.ts';
import type { WriteWitness } from './drives/witness/write-witness.ts';
import type { PaneWatches } from './panes/pane-watches.ts';
import type { QuestionDesk } from './questions/question-desk.ts';
import type { Previews } from './preview/previews.ts';
import type { OutputStore } from './sessions/output-store.ts';
import type { Supervisor } from './sessions/supervisor.ts';

export type CommandRooms = {
  supervisor: Supervisor;
  outputs: OutputStore;
  panes: PaneWatches;
  previews: Previews;
  env: NodeJS.ProcessEnv;
  /** The one way to a terminal, with the limits as they are now. */
  door: TerminalDoor;
  meter: DriveMeter;
  questions: QuestionDesk;
  writes: WriteWitness;
  /** Puts on record that from here on a command may have had its effect. */
  handed(command: Command): void;
  /** Looks at the engines anew and tells the server, so that one installed since can be launched. */
  lookAtEngines(): Promise<readonly EngineReadiness[]>;
};

/** Gives a command to the part that carries it out. Null: the session records the result itself. */
export async function executeCommand(
  command: Command,
  rooms: CommandRooms,
): Promise<CommandResult | null> {
  switch (command.method) {
    case 'session/start':
    case 'session/instruct':
    case 'session/answer':
    case 'session/interrupt':
    case 'session/stop':
    case 'session/restart':
    case 'session/takeover':
    case 'session/release':
    case 'session/resume':
    case 'session/compact':
      return rooms.supervisor.execute(command);
    case 'tool/output':
      if (command.sessionId === null)
        return refusedResult('bad_request', 'the command names no session');
      return { ok: true, value: rooms.outputs.read(command.sessionId, command.params.toolId) };
    case 'check/run':
      if (command.sessionId === null)
        return refusedResult('bad_request', 'the command names no session');
      return {
        ok: true,
        value: await rooms.supervisor.checks.run(command.sessionId, command.params),
      };
    case 'brain/ask':
      if (command.sessionId === null)
        return refusedResult('bad_request', 'the command names no session');
      return {
        ok: true,
        value: await rooms.supervisor.brains.ask(command.sessionId, command.params),
      };
    case 'checkout/list': {
      const { cursor, limit } = command.params;
      return { ok: true, value: await rooms.supervisor.checkouts.list(cursor, limit) };
    }
    case 'checkout/remove':
      return removeCheckout(command, rooms);
    case 'checkout/files':
    case 'checkout/review':
    case 'checkout/patch':
    case 'checkout/land':
    case 'checkout/checkpoints':
    case 'checkout/rewind':
      return actOnChanges(command, rooms);
    case 'preview/list':
    case 'preview/open':
      return showServers(command, rooms);
    case 'doctor/run':
      return { ok: true, value: await runDoctor(rooms.env, rooms.lookAtEngines) };
    case 'engines/look':
      return {
        ok: true,
        value: { engines: await lookAtPresets(rooms.env, command.params.presets) },
      };
    case 'terminal/panes':
      return { ok: true, value: await rooms.panes.list() };
    case 'terminal/watch':
      await rooms.panes.watch(command.params.target, command.params.drive);
      return { ok: true, value: { watched: true } };
    case 'workspace/list': {
      const { path, limit } = command.params;
      return {
        ok: true,
        value: await listDirectories(path, limit, readMachineLimits(rooms.env)),
      };
    }
    case 'workspace/describe':
      return {
        ok: true,
        value: await describeWorkspace(command.params.path, readMachineLimits(rooms.env)),
      };
    case 'workspace/files': {
      const { path, ...wish } = command.params;
      const { files } = rooms.supervisor;
      return {
        ok: true,
        value: await files.inDirectory(path, wish, readMachineLimits(rooms.env)),
      };
    }
    case 'terminal/look':
    case 'terminal/read':
    case 'terminal/call':
      return operate(command, rooms);
    case 'terminal/answer': {
      const { questionId, ...reply } = command.params;
      return { ok: true, value: { stands: rooms.questions.answer(questionId, reply) } };
    }
    default:
      return command satisfies never;
  }
}

function operate(command: TerminalCommand, rooms: CommandRooms) {
  const { env, door, handed, meter, writes } = rooms;
  return serveTerminal(command, {
    door,
    secrets: () => secretsOfTerminals(env),
    handed,
    meter,
    writes,
  });
}

/** What nothing that comes out of a terminal may show. */
export function secretsOfTerminals(env: NodeJS.ProcessEnv): Secret[] {
  const { terminal, secretVariables, secretPatterns } = readMachineLimits(env);
  // Variables that terminals here may be given are secrets whatever they are called.
  const named = [...terminal.variables, ...secretVariables];
  return [...secretPatterns, ...collectSecrets(env, named)];
}

async function showServers(
  command: Extract<Command, { method: 'preview/list' | 'preview/open' }>,
  { previews }: CommandRooms,
): Promise<CommandResult> {
  const { sessionId } = command;
  if (sessionId === null) return refusedResult('bad_request', 'the command names no session');
  return command.method === 'preview/list'
    ? { ok: true, value: previews.list(sessionId) }
    : { ok: true, value: await previews.open(sessionId, command.params.port) };
}

async function removeCheckout(
  { sessionId, params: { discard } }: Extract<Command, { method: 'checkout/remove' }>,
  { supervisor, env }: CommandRooms,
): Promise<CommandResult> {
  if (sessionId === null) return refusedResult('bad_request', 'the command names no session');
  if (discard && !readMachineLimits(env).discard) return refusedResult('discard_not_allowed');
  return { ok: true, value: await supervisor.checkouts.remove(sessionId, discard) };
}

async function actOnChanges(
  command: Extract<
    Command,
    { method: `checkout/${'files' | 'review' | 'patch' | 'land' | 'checkpoints' | 'rewind'}` }
  >,
  { supervisor: { files, reviews, landings, rewinds }, env }: CommandRooms,
): Promise<CommandResult> {
  const { sessionId } = command;
  if (sessionId === null) return refusedResult('bad_request', 'the command names no session');
  switch (command.method) {
    case 'checkout/files':
      return {
        ok: true,
        value: await files.inSession(sessionId, command.params, readMachineLimits(env)),
      };
    case 'checkout/review':
      return { ok: true, value: await reviews.review(sessionId) };
    case 'checkout/patch':
      return { ok: true, value: await reviews.patch(sessionId, command.params) };
    case 'checkout/land':
      return { ok: true, value: await landings.land(sessionId, command.params) };
    case 'checkout/checkpoints':
      return { ok: true, value: await rewinds.list(sessionId) };
    case 'checkout/rewind':
      return { ok: true, value: await rewinds.rewind(sessionId, command.params) };
    default:
      return command satisfies never;
  }
}
