import { doerOf } from '../../protocol/actor.ts';
import { openBreaches } from '../../protocol/breach.ts';
import type { EventOf, FeedEntry } from '../../protocol/engine-event.ts';
import type { AccountId, ActorId, RunnerId, SessionId } from '../../protocol/ids.ts';
import { REHEARSAL_ENGINE_ID, titleOf } from '../../protocol/launch.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { BRAIN_SOURCE, bucketOf } from '../../protocol/usage.ts';
import type {
  acts,
  actOutcomes,
  actWitnesses,
  breaches,
  breachOverrides,
  approvalDecisions,
  approvalRequests,
  sessions,
  usageEntries,
} from '../db/schema.ts';
import { sha256Hex } from '../lib/crypto.ts';

/** Whose record the rows come from. */
export type LedgerSource = {
  accountId: AccountId;
  actorId: ActorId;
  sessionId: SessionId;
  runnerId: RunnerId;
};

/** Characters of a command that the acts ledger repeats; the feed has it whole. */
export const COMMAND_MAX_CHARS = 500;

export type LedgerRow =
  | { table: 'usage'; values: typeof usageEntries.$inferInsert }
  | { table: 'act'; values: typeof acts.$inferInsert }
  | { table: 'actOutcome'; values: typeof actOutcomes.$inferInsert }
  | { table: 'actWitness'; values: typeof actWitnesses.$inferInsert }
  | { table: 'breach'; values: typeof breaches.$inferInsert }
  | { table: 'breachOverride'; values: typeof breachOverrides.$inferInsert }
  | { table: 'approvalRequest'; values: typeof approvalRequests.$inferInsert }
  | { table: 'approvalDecision'; values: typeof approvalDecisions.$inferInsert };

/** The ledger rows that a page of a record stands for, in its order. */
export async function decideAllRows(
  source: LedgerSource,
  view: SessionView,
  entries: readonly FeedEntry[],
): Promise<LedgerRow[]> {
  const rows = await Promise.all(entries.map((entry) => decideRows(source, view, entry)));
  return rows.flat().map(storable);
}

/** Half of a pair of surrogates, as where a text was cut, would not come back out of the database. */
export function storable(row: LedgerRow): LedgerRow {
  const values = Object.entries(row.values).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return { ...row, values: Object.fromEntries(values) };
}

/** The ledger rows that one entry of a record stands for: none for most. */
export async function decideRows(
  source: LedgerSource,
  view: SessionView,
  entry: FeedEntry,
): Promise<LedgerRow[]> {
  const { accountId, actorId, sessionId } = source;
  const common = { accountId, actorId, sessionId, position: entry.position, at: entry.at };
  const { event } = entry;
  switch (event.type) {
    case 'usage/recorded':
      return usageRows(common, view.launch, entry, event);
    case 'brain/answered': {
      // No turn of the engine, and no engine: whoever sums by engine sees it apart.
      const used = { turnId: null, entries: [event.usage] };
      return usageRows(common, { ...view.launch, engineId: BRAIN_SOURCE }, entry, used);
    }
    case 'act/seen': {
      const { act } = event;
      const values = {
        ...common,
        // Who gave the instruction, where rows of earlier versions have whose the session is.
        actorId: doerOf({ turns: view.turns, actorId }, act.turnId).actorId,
        actId: act.actId,
        turnId: act.turnId,
        toolId: act.toolId,
        engineId: view.launch.engineId,
        rehearsal: view.launch.engineId === REHEARSAL_ENGINE_ID,
        kind: act.kind,
        target: act.target,
        command: act.command.slice(0, COMMAND_MAX_CHARS),
        commandSha256: await sha256Hex(act.command),
        witness: act.witness,
        uncertain: act.uncertain,
        claimId: act.claimId ?? null,
        policy: view.launch.policy?.sources ?? [],
      };
      return [{ table: 'act', values }];
    }
    case 'act/ended':
      return [
        {
          table: 'actOutcome',
          values: {
            ...common,
            actId: event.actId,
            outcome: event.outcome,
            decidedBy: event.by ?? null,
            reason: event.reason ?? null,
          },
        },
      ];
    case 'act/witnessed': {
      const { actId, by, finding, move, evidence } = event;
      const moved = move ?? { place: null, ref: null, before: null, after: null };
      const values = { ...common, actId, witness: by, finding, ...moved, evidence };
      return [{ table: 'actWitness', values }];
    }
    case 'breach/found': {
      const { command, ...found } = event.breach;
      const values = {
        ...common,
        ...found,
        engineId: view.launch.engineId,
        command: command.slice(0, COMMAND_MAX_CHARS),
        policy: view.launch.policy?.sources ?? [],
      };
      return [{ table: 'breach', values }];
    }
    case 'breach/overridden': {
      const { actId, reason, channel, actorId: by } = event;
      return [
        { table: 'breachOverride', values: { ...common, actorId: by, actId, reason, channel } },
      ];
    }
    case 'approval/requested': {
      const { request } = event;
      const values = {
        ...common,
        requestId: request.requestId,
        turnId: request.turnId,
        toolId: request.toolId,
        kind: request.kind,
        toolName: request.toolName,
        acts: request.acts,
        inputSha256: request.input.truncated?.sha256 ?? (await sha256Hex(request.input.text)),
        expiresAt: request.expiresAt,
      };
      return [{ table: 'approvalRequest', values }];
    }
    case 'approval/decided': {
      const values = {
        ...common,
        actorId: event.actorId,
        requestId: event.requestId,
        origin: 'person' as const,
        decision: event.answer.decision,
        answerSha256: await sha256Hex(JSON.stringify(event.answer)),
        channel: event.channel,
      };
      return [{ table: 'approvalDecision', values }];
    }
    case 'approval/resolved': {
      const values = {
        ...common,
        requestId: event.requestId,
        origin: 'engine' as const,
        decision: event.resolution,
      };
      return [{ table: 'approvalDecision', values }];
    }
    default:
      return [];
  }
}

function usageRows(
  common: {
    accountId: AccountId;
    actorId: ActorId;
    sessionId: SessionId;
    position: number;
    at: number;
  },
  { engineId, directory }: Pick<SessionView['launch'], 'engineId' | 'directory'>,
  entry: FeedEntry,
  event: Pick<EventOf<'usage/recorded'>, 'turnId' | 'entries'>,
): LedgerRow[] {
  const seen = new Map<string, number>();
  return event.entries.map((usage) => {
    const ordinal = seen.get(usage.model) ?? 0;
    seen.set(usage.model, ordinal + 1);
    const values = {
      ...common,
      ...usage,
      turnId: event.turnId ?? '',
      // A figure that the cloud itself writes has no seq; its position is as unique.
      sourceSeq: entry.seq ?? -entry.position,
      ordinal,
      engineId,
      directory,
      bucket: bucketOf(usage),
    };
    return { table: 'usage', values };
  });
}

/** The row of a session in the list of sessions. */
export function sessionRow(
  source: LedgerSource,
  view: SessionView,
  position: number,
): typeof sessions.$inferSelect {
  return {
    sessionId: source.sessionId,
    accountId: source.accountId,
    actorId: source.actorId,
    runnerId: source.runnerId,
    title: titleOf(view.launch.objective),
    engineId: view.launch.engineId,
    rehearsal: view.launch.engineId === REHEARSAL_ENGINE_ID,
    directory: view.launch.directory,
    grade: view.checkout?.grade?.grade ?? null,
    state: view.state,
    reason: view.reason,
    dismissedAt: view.dismissed?.at ?? null,
    dismissedBy: view.dismissed?.actorId ?? null,
    pendingApprovals: view.pendingApprovals.length,
    approvalExpiredAt: view.approvalExpiredAt ?? null,
    spend: view.spend,
    acts: view.acts,
    breaches: openBreaches(view.breaches ?? []).length,
    position,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  };
}
