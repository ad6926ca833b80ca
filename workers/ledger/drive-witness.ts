import type { DriveWitness, WitnessedAct } from '../../protocol/drive-witness.ts';
import type { AccountId, ActorId, RunnerId } from '../../protocol/ids.ts';
import { OPERATOR_SOURCE } from '../../protocol/usage.ts';
import type { Database } from '../db/client.ts';
import { driveLooks } from '../db/schema.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { readAllowedCall } from './allowed-call.ts';
import { insertRow } from './append.ts';
import { COMMAND_MAX_CHARS, type LedgerRow, storable } from './rows.ts';

/** After what a call itself told of how its acts ended: a ref that moved proves more. */
const SEEN_LATER = 2;

/**
 * Puts on record what moved while a write to a terminal had its effect: acts and breaches under the
 * operator's instance, and what is nobody's beside the call. The first word stands. False: the gate
 * never allowed such a call on this machine, so that it is left out.
 */
export async function appendDriveWitness(
  database: Database,
  from: { accountId: AccountId; runnerId: RunnerId },
  report: DriveWitness,
): Promise<boolean> {
  const call = await readAllowedCall(database, from, report.drive);
  if (!call) return false;
  const { accountId, runnerId } = from;
  const { drive, at, directory, end, places, others, more } = report;
  const owner = { accountId, actorId: call.actorId };
  const rows = await rowsOf(owner, report);
  await database.batch([
    database
      .insert(driveLooks)
      .values({ ...owner, ...drive, runnerId, at, directory, look: { end, places, others, more } })
      .onConflictDoNothing(),
    ...rows.map((row) => insertRow(database, storable(row))),
  ]);
  return true;
}

type Owner = { accountId: AccountId; actorId: ActorId };

async function rowsOf(owner: Owner, report: DriveWitness): Promise<LedgerRow[]> {
  const { drive, at, sources } = report;
  const common = { ...owner, sessionId: drive.instanceId, position: SEEN_LATER, at };
  const acts = await Promise.all(report.acts.map((act) => rowsOfAct(common, report, act)));
  const breaches = report.breaches.map((breach): LedgerRow => {
    const command = breach.command.slice(0, COMMAND_MAX_CHARS);
    const of = { turnId: null, engineId: OPERATOR_SOURCE, policy: sources };
    return { table: 'breach', values: { ...common, ...breach, ...of, command } };
  });
  return [...acts.flat(), ...breaches];
}

async function rowsOfAct(
  common: Owner & { sessionId: DriveWitness['drive']['instanceId']; position: number; at: number },
  { drive, sources }: DriveWitness,
  { actId, by, finding, move, evidence, found }: WitnessedAct,
): Promise<LedgerRow[]> {
  const moved = move ?? { place: null, ref: null, before: null, after: null };
  const witness: LedgerRow = {
    table: 'actWitness',
    values: { ...common, actId, witness: by, finding, ...moved, evidence },
  };
  const told = { decidedBy: null, reason: null };
  const done: LedgerRow = {
    table: 'actOutcome',
    values: { ...common, actId, outcome: 'done', ...told },
  };
  const act: LedgerRow[] = found
    ? [
        {
          table: 'act',
          values: {
            ...common,
            ...found,
            actId,
            turnId: null,
            toolId: drive.callId,
            engineId: OPERATOR_SOURCE,
            rehearsal: false,
            command: found.command.slice(0, COMMAND_MAX_CHARS),
            commandSha256: await sha256Hex(found.command),
            witness: by,
            uncertain: false,
            claimId: null,
            policy: sources,
          },
        },
      ]
    : [];
  return [...act, witness, ...(finding === 'unmoved' ? [] : [done])];
}
