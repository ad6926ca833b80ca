// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { approvalAnswer } from '../../../protocol/approval.ts';
import {
  allow,
  allowAlways,
  answerQuestions,
  answerTo,
  deny,
} from '../../../console/approvals/answer.ts';
import { reasonNotToAnswer } from '../../../console/approvals/use-answer.ts';
import { QUESTION, TOOL_REQUEST } from '../../../console/mock/requests.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { viewAfter } from '../../support/protocol-builders.ts';

describe('an answer', () => {
  it('is what the API takes, whichever it is', () => {
    for (const answer of [allow(), allowAlways(1), deny('no'), deny('')]) {
      expect(approvalAnswer.parse(answer)).toEqual(answer);
    }
  });

  it('denies without words when none were written', () => {
    expect(deny('  ')).toMatchObject({ decision: 'deny', message: null });
    expect(deny(' Use a branch ')).toMatchObject({ message: 'Use a branch' });
  });

  it('to a question is its choices and the person’s own words', () => {
    expect(answerTo({ chosen: ['Port', 'Starboard'], other: ' and a torch ' })).toBe(
      'Port, Starboard, and a torch',
    );
    expect(answerTo(undefined)).toBe('');
  });

  it('to several questions needs one for each', () => {
    const first = { 0: { chosen: ['Sloop'], other: '' } };
    expect(answerQuestions(QUESTION, first)).toBeNull();
    const both = { ...first, 1: { chosen: [], other: 'none' } };
    expect(answerQuestions(QUESTION, both)?.answers).toEqual({
      'Which rigging?': 'Sloop',
      'Which lights?': 'none',
    });
  });
});

describe('whether a request can be answered', () => {
  const pending = viewAfter(...eventsUntilApproval());

  it('is a yes while it waits', () => {
    expect(reasonNotToAnswer(pending, TOOL_REQUEST, 0)).toBeNull();
  });

  it('is a no while the engine has not confirmed the answer', () => {
    const answered = { ...pending, answeredRequestIds: [TOOL_REQUEST.requestId] };
    expect(reasonNotToAnswer(answered, TOOL_REQUEST, 0)).toContain('not confirmed');
  });

  it('is a no once it has expired, which is told as that', () => {
    const expiring = { ...TOOL_REQUEST, expiresAt: 1_000 };
    expect(reasonNotToAnswer(pending, expiring, 999)).toBeNull();
    expect(reasonNotToAnswer(pending, expiring, 1_000)).toContain('has expired');
  });

  it('is a no in a session that ended', () => {
    const ended = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval(), {
      type: 'session/ended',
      end: 'stopped',
      reason: '',
    });
    expect(reasonNotToAnswer(ended, TOOL_REQUEST, 0)).toContain('has ended');
    // What the machine keeps to be pushed outlives it.
    expect(reasonNotToAnswer(ended, { ...TOOL_REQUEST, kind: 'push' }, 0)).toBeNull();
  });
});
