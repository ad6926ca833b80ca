import type { OwnCheckout } from '../../runner/guard/checkout.ts';
import { join } from 'node:path';
import type { Command, CommandMethod, CommandParams } from '../../protocol/command.ts';
import {
  commandId,
  launchId,
  sessionId,
  turnId,
  type SessionId,
  type TurnId,
} from '../../protocol/ids.ts';
import type { LaunchSpecInput } from '../../protocol/launch.ts';
import type { SpoolPaths } from '../../runner/process/spawn.ts';
import { aLaunch } from './protocol-builders.ts';

/** The files of a process in a directory of a test. */
export const aSpool = (directory: string, name = 'spool'): SpoolPaths => ({
  out: join(directory, `${name}.out`),
  err: join(directory, `${name}.err`),
  input: join(directory, `${name}.in`),
  exit: join(directory, `${name}.exit`),
});

let count = 0;
const next = () => `t${(count += 1)}n${process.pid}`;

export const aSessionId = (): SessionId => sessionId.parse(`ses_${next()}`);
export const aTurnId = (): TurnId => turnId.parse(`trn_${next()}`);

export function aCommand<M extends CommandMethod>(
  method: M,
  session: SessionId | null,
  params: CommandParams<M>,
  over: Partial<Pick<Command, 'id' | 'epoch' | 'deadlineAt'>> = {},
): Command {
  const base = {
    id: commandId.parse(`cmd_${next()}`),
    epoch: 1,
    sessionId: session,
    deadlineAt: Date.now() + 3_600_000,
  };
  return { ...base, ...over, method, params } as Command;
}

/** A `session/start` whose first instruction is `text`, or none when it is null. */
export function aStart(
  session: SessionId,
  text: string | null,
  over: Partial<LaunchSpecInput> = {},
  turn: TurnId = aTurnId(),
): Command {
  return aCommand('session/start', session, {
    launch: aLaunch({ checkout: 'inPlace', approvals: 'accept_edits', ...over }),
    launchId: launchId.parse(`lau_${next()}`),
    engineSessionId: null,
    firstTurn: text === null ? null : { turnId: turn, text },
  });
}

export function anInstruction(session: SessionId, text: string, turn: TurnId = aTurnId()): Command {
  return aCommand('session/instruct', session, { turnId: turn, text });
}

/** A checkout of a session's own, of which nothing is on the disk. */
export const anOwnCheckout = (sessionId: SessionId): OwnCheckout => ({
  mode: 'own',
  sessionId,
  directory: '/c',
  top: '/c',
  branch: 'pilothouse/work',
  baseCommit: 'a',
  keptCommit: 'a',
  included: [],
  fromUncommitted: false,
  source: { top: '/r', commonDirectory: '/r/.git', bare: false },
  view: '/v',
});
