import { z } from 'zod';
import type { ConnectorScope } from '../../protocol/ceiling.ts';
import type { CommandParams } from '../../protocol/command.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { type AccountId, commandId, type CommandId, type RunnerId } from '../../protocol/ids.ts';
import type { ToolRule } from '../../protocol/policy-defaults.ts';
import {
  terminalLooked,
  type TerminalLooked,
  type TerminalScope,
} from '../../protocol/terminal-command.ts';
import {
  TERMINAL_RISKS,
  type TerminalCall,
  terminalResults,
  type TerminalTool,
  type TerminalValue,
} from '../../protocol/terminal.ts';
import type { Env } from '../env.ts';
import { isAbsence } from '../lib/absence.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { askRunner } from '../runners/ask.ts';

/** The one way from the cloud to a terminal. Whatever calls it has been decided by the gate. */

export type Machine = { accountId: AccountId; runnerId: RunnerId };

/** Longest that a terminal may take to answer, beside what a command itself may take, in ms. */
const ANSWER_MS = 20_000;

/** What a call would reach and do; nothing is done. Throws as `askRunner` does. */
export function lookAt(
  env: Env,
  machine: Machine,
  params: { call: TerminalCall; scope: TerminalScope; rules: ToolRule[] },
): Promise<TerminalLooked> {
  return askRunner(env, machine, { method: 'terminal/look', params }, terminalLooked);
}

export type Executed<T extends TerminalTool = TerminalTool> =
  | { status: 'done'; value: TerminalValue[T] }
  | { status: 'refused'; code: string; message: string }
  | { status: 'unknown'; message: string };

/**
 * Has the machine carry a decided call out. The same `id` again is answered from the machine's own
 * record: a write happens at most once, and one that a crash cut short is `unknown`.
 */
export async function execute(
  env: Env,
  machine: Machine,
  params: CommandParams<'terminal/call'>,
  id: CommandId,
): Promise<Executed> {
  const { call } = params;
  const reads = TERMINAL_RISKS[call.tool] === 'read';
  const method = reads ? ('terminal/read' as const) : ('terminal/call' as const);
  const timeoutMs = ANSWER_MS + ('timeoutMs' in call.params ? call.params.timeoutMs : 0);
  try {
    const question = { method, params, timeoutMs, id };
    const value = await askRunner(env, machine, question, z.unknown());
    return { status: 'done', value: terminalResults[call.tool].parse(value) };
  } catch (error) {
    return afterFailure(error, reads);
  }
}

/**
 * What the machine remembers of a write that it may have been sent before. Null: it never began, and
 * the machine has put down that it never will.
 */
export async function recall(
  env: Env,
  machine: Machine,
  call: TerminalCall,
  id: CommandId,
): Promise<Executed | null> {
  const params = { call, scope: NOTHING_OPEN };
  const question = { method: 'terminal/call' as const, params, id, recall: true };
  try {
    const value = await askRunner(env, machine, question, z.unknown());
    return { status: 'done', value: terminalResults[call.tool].parse(value) };
  } catch (error) {
    const failed = afterFailure(error, false);
    if (failed.status !== 'refused') return failed;
    if (failed.code === 'expired') return null;
    // A machine that is away may have carried it out before.
    return isAbsence(failed.code) ? { status: 'unknown', message: failed.message } : failed;
  }
}

const NOTHING_OPEN: TerminalScope = { backends: [], prefixes: [], only: null };

function afterFailure(error: unknown, reads: boolean): Executed {
  // An answer that cannot be read may be one to a write that was carried out.
  if (!(error instanceof PilothouseError)) {
    if (error instanceof z.ZodError)
      return { status: 'unknown', message: 'The machine’s answer cannot be read by this version.' };
    throw error;
  }
  const { code, message } = error;
  const lost = code === 'unknown_outcome' || (!reads && code === 'internal');
  return lost ? { status: 'unknown', message } : { status: 'refused', code, message };
}

/** What the machine is to hold a call to, beside its own limits. */
export const scopeFor = (scope: ConnectorScope, bound: string | null): TerminalScope => ({
  backends: scope.backends,
  prefixes: scope.prefixes,
  only: scope.targets === 'single' ? bound : null,
});

/** The id under which a machine remembers a call: made of whose it is and what its caller named it. */
export const commandIdOf = async (instanceId: string, callId: string): Promise<CommandId> =>
  commandId.parse(`cmd_${(await sha256Hex(`${instanceId} ${callId}`)).slice(0, 40)}`);
