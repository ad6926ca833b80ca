import type { ApprovalAnswer, ApprovalResolution } from '../../protocol/approval.ts';
import type { FeedEntry } from '../../protocol/engine-event.ts';

export type ApprovalState = 'pending' | ApprovalResolution;

export type ApprovalRecord = {
  requestId: string;
  state: ApprovalState;
  expiresAt: number | null;
  /** The answer that stands; null while there is none. */
  answer: ApprovalAnswer | null;
};

export type AnswerDecision =
  /** Write the decision and tell the engine. */
  | { kind: 'decide' }
  /** The same answer again and nobody is telling the engine any more: tell it again. */
  | { kind: 'resend' }
  /** The same answer again, already on its way or arrived. */
  | { kind: 'standing' }
  | { kind: 'refused'; code: 'request_not_found' | 'approval_expired' | 'approval_answered' };

/**
 * Decides what an answer to an approval does. A request that the engine no longer waits for is
 * expired whatever its end was, and is never confused with one that never existed.
 */
export function decideAnswer(
  record: ApprovalRecord | null,
  answer: ApprovalAnswer,
  underway: boolean,
  nowMs: number,
): AnswerDecision {
  if (!record) return { kind: 'refused', code: 'request_not_found' };
  const same = record.answer !== null && sameAnswer(record.answer, answer);
  switch (record.state) {
    case 'expired':
    case 'withdrawn':
      return { kind: 'refused', code: 'approval_expired' };
    case 'allowed':
    case 'denied':
      if (same) return { kind: 'standing' };
      return { kind: 'refused', code: record.answer ? 'approval_answered' : 'approval_expired' };
    case 'pending':
      if (same && underway) return { kind: 'standing' };
      if (record.answer && !same) return { kind: 'refused', code: 'approval_answered' };
      if (record.expiresAt !== null && nowMs >= record.expiresAt)
        return { kind: 'refused', code: 'approval_expired' };
      return { kind: same ? 'resend' : 'decide' };
    default:
      return record.state satisfies never;
  }
}

/** Whether two answers say the same, whatever the order of their keys. */
export function sameAnswer(left: ApprovalAnswer, right: ApprovalAnswer): boolean {
  return canonical(left) === canonical(right);
}

function canonical(answer: ApprovalAnswer): string {
  const answers = Object.entries(answer.answers ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    answer.decision,
    answer.message,
    answer.answers === null,
    answers,
    answer.suggestion,
  ]);
}

type ApprovalRow = {
  request_id: string;
  state: string;
  expires_at: number | null;
  answer: string | null;
};

/** A feed's memory of every approval it saw, so that a late answer is told from a wrong one. */
export class ApprovalStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** One approval as it stands; null for one that this feed never saw. */
  read(requestId: string): ApprovalRecord | null {
    const row = this.#sql
      .exec<ApprovalRow>('SELECT * FROM approvals WHERE request_id = ?', requestId)
      .toArray()[0];
    if (!row) return null;
    return {
      requestId: row.request_id,
      state: row.state as ApprovalState,
      expiresAt: row.expires_at,
      answer: row.answer === null ? null : (JSON.parse(row.answer) as ApprovalAnswer),
    };
  }

  /** Follows what the entries say of approvals. */
  follow(entries: readonly FeedEntry[]): void {
    for (const { event } of entries) {
      if (event.type === 'approval/requested') {
        this.#sql.exec(
          `INSERT INTO approvals (request_id, state, expires_at) VALUES (?, 'pending', ?) ON CONFLICT DO NOTHING`,
          event.request.requestId,
          event.request.expiresAt,
        );
      } else if (event.type === 'approval/decided') {
        this.#sql.exec(
          'UPDATE approvals SET answer = ? WHERE request_id = ?',
          JSON.stringify(event.answer),
          event.requestId,
        );
      } else if (event.type === 'approval/resolved') {
        this.#sql.exec(
          `UPDATE approvals SET state = ? WHERE request_id = ? AND state = 'pending'`,
          event.resolution,
          event.requestId,
        );
      }
    }
  }

  /** An answer that certainly never reached the engine makes room for another one. */
  clearAnswer(requestId: string): void {
    this.#sql.exec(
      `UPDATE approvals SET answer = NULL WHERE request_id = ? AND state = 'pending'`,
      requestId,
    );
  }

  /** What the session no longer waits for without having been told an end was withdrawn. */
  withdrawAllBut(pending: readonly string[]): void {
    this.#sql.exec(
      `UPDATE approvals SET state = 'withdrawn'
       WHERE state = 'pending' AND request_id NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify(pending),
    );
  }
}
