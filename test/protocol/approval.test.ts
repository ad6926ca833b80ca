import { describe, expect, it } from 'vitest';
import { approvalAnswer, approvalRequest, approvalResolution } from '../../protocol/approval.ts';
import { anApprovalRequest } from '../support/feed-events.ts';

const accepts = (over: Record<string, unknown>) =>
  approvalRequest.safeParse({ ...anApprovalRequest(), ...over }).success;

describe('a request to a person', () => {
  it('is read back from JSON without a difference', () => {
    const request = anApprovalRequest({ acts: ['push'], suggestions: [{ label: 'Always' }] });
    expect(approvalRequest.parse(JSON.parse(JSON.stringify(request)))).toEqual(request);
  });

  it.each(Object.keys(anApprovalRequest()))('says %s, if only that there is none', (field) => {
    expect(accepts({ [field]: undefined })).toBe(false);
  });

  it.each([
    ['no turn', { turnId: null }, true],
    ['no tool', { toolId: null }, true],
    ['an end of its time', { expiresAt: 5 }, true],
    ['an end that is no time', { expiresAt: 'noon' }, false],
    ['another kind', { kind: 'wish' }, false],
    ['an act that nobody knows', { acts: ['explode'] }, false],
    ['a question without options', { questions: [aQuestion({ options: [] })] }, true],
    ['a question without words', { questions: [aQuestion({ question: undefined })] }, false],
    ['an option without a label', { questions: [aQuestion({ options: [{}] })] }, false],
  ])('with %s is accepted: %s', (_what, over, accepted) => {
    expect(accepts(over)).toBe(accepted);
  });
});

function aQuestion(over: Record<string, unknown>) {
  return { question: 'Which?', header: null, multiSelect: false, options: [], ...over };
}

describe('the answer of a person', () => {
  it('needs a decision alone', () => {
    expect(approvalAnswer.parse({ decision: 'deny' })).toEqual({
      decision: 'deny',
      message: null,
      answers: null,
      suggestion: null,
    });
  });

  it('keeps the person’s words to a question as they are', () => {
    const answers = { 'Which color?': 'Red, and then: blue' };
    expect(approvalAnswer.parse({ decision: 'allow', answers }).answers).toEqual(answers);
  });

  it.each([null, {}, { decision: 'yes' }, { decision: true }, 'allow'])('is not %j', (raw) => {
    expect(approvalAnswer.safeParse(raw).success).toBe(false);
  });

  it('may have ten thousand characters of reason and no more', () => {
    const deny = (message: string) =>
      approvalAnswer.safeParse({ decision: 'deny', message }).success;
    expect(deny('x'.repeat(10_000))).toBe(true);
    expect(deny('x'.repeat(10_001))).toBe(false);
  });
});

describe('how a request ends', () => {
  it('is one of four ways', () => {
    expect(approvalResolution.options).toEqual(['allowed', 'denied', 'expired', 'withdrawn']);
  });
});
