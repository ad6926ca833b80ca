import { doerOf } from '../../protocol/actor.ts';
import { type AccessRow, type ApprovalRow, approvalRow } from '../../protocol/audit.ts';
import { type ActRow, actRow, type BreachRow, breachRow } from '../../protocol/http.ts';
import { type ChainFinding, sessionChain, type SessionChain } from '../../protocol/chain.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { MockRecord } from './record.ts';

const newest = <Row extends { at: number }>(rows: Row[]): Row[] =>
  rows.toSorted((a, b) => b.at - a.at);

/** The acts of all records, the newest first, each with its last outcome. */
export function listMockActs(records: readonly MockRecord[]): ActRow[] {
  const rows = records.flatMap((record) => {
    const { engineId, rehearsal, title, runnerId } = record.summary();
    const broken = new Set(record.view.breaches.map((breach) => breach.actId));
    return record.entries.flatMap(({ event, at, position }) => {
      if (event.type !== 'act/seen') return [];
      const { act } = event;
      const end = record.entries.findLast(
        ({ event: later }) => later.type === 'act/ended' && later.actId === act.actId,
      )?.event;
      const waiting = record.view.pendingApprovals.some(({ toolId }) => toolId === act.toolId);
      return [
        actRow.parse({
          ...act,
          sessionId: record.sessionId,
          sessionTitle: title,
          engineId,
          machine: { runnerId, name: 'lighthouse' },
          ...doerOf(record.view, act.turnId),
          rehearsal,
          outcome: end?.type === 'act/ended' ? end.outcome : null,
          waiting: waiting && end === undefined,
          ...(broken.has(act.actId) && { breach: true }),
          policy: record.view.launch.policy?.sources ?? [],
          link: { number: position, hash: 'c0ffee'.repeat(10) },
          at,
        }),
      ];
    });
  });
  return newest(rows);
}

/** Every breach of all records, the newest first. */
export function listMockBreaches(
  records: readonly MockRecord[],
  operators: readonly BreachRow[],
): BreachRow[] {
  return newest([
    ...operators,
    ...records.flatMap((record) =>
      record.view.breaches.map((breach) =>
        breachRow.parse({
          ...breach,
          sessionId: record.sessionId,
          sessionTitle: record.summary().title,
          engineId: record.view.launch.engineId,
          policy: record.view.launch.policy?.sources ?? [],
        }),
      ),
    ),
  ]);
}

/** What all records asked for, with who answered from where. */
export function listMockApprovals(records: readonly MockRecord[]): ApprovalRow[] {
  return records.flatMap((record) =>
    record.entries.flatMap(({ event, at }) => {
      if (event.type !== 'approval/requested') return [];
      const { request } = event;
      const said = record.entries.findLast(
        ({ event: later }) =>
          later.type === 'approval/decided' && later.requestId === request.requestId,
      );
      const done = record.entries.findLast(
        ({ event: later }) =>
          later.type === 'approval/resolved' && later.requestId === request.requestId,
      );
      return [
        approvalRow.parse({
          ...request,
          sessionId: record.sessionId,
          sessionTitle: record.summary().title,
          requestedAt: at,
          answer:
            said?.event.type === 'approval/decided'
              ? {
                  decision: said.event.answer.decision,
                  actorId: said.event.actorId,
                  channel: said.event.channel,
                  at: said.at,
                }
              : null,
          resolution:
            done?.event.type === 'approval/resolved'
              ? { outcome: done.event.resolution, at: done.at }
              : null,
        }),
      ];
    }),
  );
}

/** A few lines of an access log: one that went well, and one that was refused. */
export const mockAccess = (nowMs: number): AccessRow[] => [
  {
    requestId: 'req-sentinel-2',
    principalKind: 'person',
    principalName: 'sentinel',
    operation: 'sessions.launch',
    target: '/v1/sessions',
    status: 201,
    errorCode: null,
    at: nowMs - 60_000,
  },
  {
    requestId: 'req-sentinel-1',
    principalKind: 'cli',
    principalName: 'laptop',
    operation: 'sessions.stop',
    target: '/v1/sessions/ses_sentinel/stop',
    status: 404,
    errorCode: 'session_not_found',
    at: nowMs - 120_000,
  },
];

/** Every record against its chain; those that were tampered with show it. */
export const mockChains = (
  records: readonly MockRecord[],
  tampered: ReadonlyMap<SessionId, ChainFinding[]>,
): SessionChain[] =>
  records.map((record) => {
    const findings = tampered.get(record.sessionId) ?? [];
    return sessionChain.parse({
      sessionId: record.sessionId,
      sessionTitle: record.summary().title,
      standing: findings.length > 0 ? 'broken' : 'holds',
      rows: record.entries.length,
      earlier: 0,
      since: record.entries[0]?.at ?? null,
      head: { number: record.entries.length, hash: 'c0ffee'.repeat(10) },
      findings,
      faults: findings.length,
    });
  });
