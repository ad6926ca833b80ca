import { terminalRan, terminalSent, type TerminalCall } from '../../protocol/terminal.ts';
import { sha256Hex } from '../lib/crypto.ts';
import type { Executed } from './execute.ts';
import type { DecisionRow, DriveRow } from './record.ts';

/** The write that a call was; null for one that wrote nothing. */
export async function driveOf(
  { accountId, actorId, instanceId, callId, operatorId, runnerId, ...decided }: DecisionRow,
  call: TerminalCall,
  became: Executed,
): Promise<DriveRow | null> {
  const { tool, target, risk, aiCli } = decided;
  if (became.status === 'refused' || (risk !== 'send' && risk !== 'run')) return null;
  const text = textOf(call);
  const value = became.status === 'done' ? became.value : null;
  const sent = terminalSent.safeParse(value).data;
  const ran = terminalRan.safeParse(value).data;
  return {
    accountId,
    actorId,
    instanceId,
    callId,
    operatorId,
    runnerId,
    tool,
    target,
    at: Date.now(),
    bytes: sent?.bytes ?? new TextEncoder().encode(text).byteLength,
    sha256: sent?.sha256 ?? (await sha256Hex(text)),
    receipt: sent?.receipt ?? ran?.receipt ?? (value === null ? 'unknown' : 'delivered'),
    metering: 'unmetered',
    microUsd: null,
    aiCli,
  };
}

function textOf({ params }: TerminalCall): string {
  if ('command' in params) return params.command;
  if ('text' in params) return params.text;
  if ('keys' in params) return params.keys.join(' ');
  return 'argv' in params ? (params.argv ?? []).join(' ') : '';
}
