import { terminalRan, terminalSent, type TerminalCall } from '../../protocol/terminal.ts';
import { sha256Hex } from '../lib/crypto.ts';
import type { ActEnd } from './act-rows.ts';
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

/** What a call's end says of its acts: what was typed may do anything, an exit status tells more. Pure. */
export function endBy(became: Executed): ActEnd {
  const told = { decidedBy: null, reason: null };
  if (became.status === 'refused')
    return { position: 1, outcome: 'not_done', decidedBy: null, reason: became.message };
  if (became.status === 'unknown') return { position: 0, outcome: 'unknown', ...told };
  const ran = terminalRan.safeParse(became.value).data;
  const done = ran?.status === 'ended' && ran.exitCode === 0;
  return { position: 1, outcome: done ? 'done' : 'unknown', ...told };
}
