import { and, eq } from 'drizzle-orm';
import { DRIVE_ACTS_MAX, driveWatch, type DriveWatch } from '../../protocol/drive-witness.ts';
import { actId } from '../../protocol/ids.ts';
import type { PolicySnapshot } from '../../protocol/merge-policy.ts';
import type { ForeseenAct } from '../../protocol/terminal-command.ts';
import { OPERATOR_SOURCE } from '../../protocol/usage.ts';
import type { Database } from '../db/client.ts';
import { acts } from '../db/schema.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { COMMAND_MAX_CHARS, type LedgerRow } from '../ledger/rows.ts';
import type { Checked } from './check.ts';
import type { DecisionRow } from './record.ts';

type ActInsert = Extract<LedgerRow, { table: 'act' }>['values'];
type ActEndInsert = Extract<LedgerRow, { table: 'actOutcome' }>['values'];
/** Acts of a call and their ends, as rows of the ledger. */
export type ToldActs = { acts: readonly ActInsert[]; ends: readonly ActEndInsert[] };
type Decided = Pick<DecisionRow, 'accountId' | 'actorId' | 'instanceId' | 'callId'>;

/**
 * What a call would do, as rows of the ledger of acts: seen because we order it. They stand under
 * the instance, as sessions' acts do under their session, and under the call as its tool call.
 */
export function actsOf(
  { accountId, actorId, instanceId, callId, at }: Decided & Pick<DecisionRow, 'at'>,
  foreseen: readonly ForeseenAct[],
  policy: PolicySnapshot['sources'],
): Promise<ActInsert[]> {
  return Promise.all(
    foreseen.map(async ({ kind, target, command, uncertain }, position) => ({
      accountId,
      actorId,
      sessionId: instanceId,
      position,
      at,
      actId: actId.parse(
        `act_${(await sha256Hex(`${instanceId} ${callId} ${position}`)).slice(0, 40)}`,
      ),
      turnId: null,
      toolId: callId,
      engineId: OPERATOR_SOURCE,
      rehearsal: false,
      kind,
      target,
      command: command.slice(0, COMMAND_MAX_CHARS),
      commandSha256: await sha256Hex(command),
      witness: 'instructed' as const,
      uncertain,
      claimId: null,
      policy,
    })),
  );
}

/**
 * What the machine holds a write to when it looks at the refs afterwards: its acts under the ids of
 * the ledger, and the policy that it was decided by. Null for a call that writes nothing.
 */
export async function watchOf(
  decision: DecisionRow,
  { looked, policy, policyAsks, sources }: Checked,
): Promise<DriveWatch | null> {
  if (policy === null || decision.risk === 'read' || decision.risk === 'kill') return null;
  const foreseen = (looked?.acts ?? []).slice(0, DRIVE_ACTS_MAX);
  const rows = await actsOf(decision, foreseen, sources);
  return {
    policy: driveWatch.shape.policy.parse(policy),
    sources,
    acts: foreseen.flatMap((act, index) => {
      const id = actId.safeParse(rows[index]?.actId).data;
      return id ? [{ ...act, actId: id }] : [];
    }),
    approved: decision.step > 0 && policyAsks,
  };
}

/** How an act ended; a later end is a further row of a higher position. */
export type ActEnd = Pick<ActEndInsert, 'position' | 'outcome' | 'decidedBy' | 'reason'>;

/** What the policy does not let be. */
export const forbidden = (reason: string): ActEnd => ({
  position: 1,
  outcome: 'not_done',
  decidedBy: 'policy',
  reason,
});

/** The end of each act of a call that is on record. */
export async function endsOf(
  database: Database,
  { accountId, actorId, instanceId, callId }: Decided,
  end: ActEnd,
): Promise<ActEndInsert[]> {
  const rows = await database
    .select({ actId: acts.actId })
    .from(acts)
    .where(and(eq(acts.sessionId, instanceId), eq(acts.toolId, callId)));
  const common = { accountId, actorId, sessionId: instanceId, at: Date.now() };
  return rows.map((row) => ({ ...common, ...row, ...end }));
}
