// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { describeApproval } from '../../../console/approvals/approval-row.tsx';
import { PLAN, QUESTION, TOOL_REQUEST } from '../../../console/mock/requests.ts';
import type { ApprovalRequest, ApprovalResolution } from '../../../protocol/approval.ts';

const wordsOf = (request: ApprovalRequest, resolution: ApprovalResolution) =>
  describeApproval({
    kind: 'approval',
    key: 'row',
    at: 0,
    turnId: null,
    request,
    answer: null,
    channel: 'console',
    resolution,
  } as Parameters<typeof describeApproval>[0]).text;

describe('a request that is over', () => {
  it('was allowed, or nothing was pushed, when it was a push', () => {
    const push: ApprovalRequest = { ...TOOL_REQUEST, kind: 'push' };
    expect(wordsOf(push, 'allowed')).toBe('Allowed from the console');
    expect(wordsOf(push, 'expired')).toBe('Expired unanswered: nothing was pushed');
    expect(wordsOf(push, 'withdrawn')).toBe('Withdrawn');
  });

  it('was allowed or denied when it was a call of a tool', () => {
    expect(wordsOf(TOOL_REQUEST, 'allowed')).toBe('Allowed from the console');
    expect(wordsOf(TOOL_REQUEST, 'denied')).toBe('Denied from the console');
  });

  it('was answered or not when it was a question', () => {
    expect(wordsOf(QUESTION, 'allowed')).toBe('Answered from the console');
    expect(wordsOf(QUESTION, 'denied')).toBe('Not answered from the console');
  });

  it('was accepted or not when it was a plan', () => {
    expect(wordsOf(PLAN, 'allowed')).toBe('Accepted from the console');
    expect(wordsOf(PLAN, 'denied')).toBe('Not accepted from the console');
  });
});
