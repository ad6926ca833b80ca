import { describe, expect, it } from 'vitest';
import type { Command, CommandResult } from '../../../protocol/command.ts';
import { commandId, requestId, sessionId } from '../../../protocol/ids.ts';
import { settledResult } from '../../../workers/relay/answering.ts';
import type { ApprovalStore } from '../../../workers/relay/approvals.ts';
import { makeAnswer } from '../../../workers/relay/make-command.ts';

const ALLOW = { decision: 'allow', message: null, answers: null, suggestion: null } as const;
const DENY = { ...ALLOW, decision: 'deny' } as const;
const LATE: CommandResult = { ok: false, code: 'approval_expired', message: 'Too late' };
const COMMAND: Command = makeAnswer(
  { id: commandId.parse('cmd_1'), sessionId: sessionId.parse('ses_1'), epoch: 1, nowMs: 1 },
  { requestId: requestId.parse('apr_1'), answer: ALLOW },
);

const REQUEST = requestId.parse('apr_1');
type Known = Omit<NonNullable<ReturnType<ApprovalStore['read']>>, 'requestId'> | null;
const settle = (known: Known, result = LATE) =>
  settledResult(COMMAND, result, { read: () => known && { requestId: REQUEST, ...known } }, 1_000);

describe('an answer that the machine refuses', () => {
  it('stands when the engine has confirmed the same one', () => {
    expect(settle({ state: 'allowed', answer: ALLOW, expiresAt: null })).toMatchObject({
      ok: true,
    });
  });

  it('has failed when the engine has none, or another', () => {
    expect(settle({ state: 'pending', answer: ALLOW, expiresAt: null })).toBe(LATE);
    expect(settle({ state: 'denied', answer: DENY, expiresAt: null })).toBe(LATE);
    expect(settle({ state: 'expired', answer: null, expiresAt: null })).toBe(LATE);
    expect(settle(null)).toBe(LATE);
  });
});
