import { describe, expect, it } from 'vitest';
import { findAnswer } from '../../../../tools/adr/rules/review.ts';

describe('an answer to a review', () => {
  it.each([
    ['stands in a line of its own', 'Change it\n\nADR-0002: nobody does\n'],
    ['may name the rule', 'ADR-2/the-rule: nobody does'],
    ['may follow a template that was left in', 'ADR-0002: <answer>\nADR-0002: nobody does'],
  ])('%s', (_, text) => expect(findAnswer(text, '0002', 'the-rule')).toBe('nobody does'));

  it.each([
    ['is empty', 'ADR-0002: '],
    ['is the placeholder of a template', 'ADR-0002: <answer>'],
    ['is hidden in a comment', '<!--\nADR-0002: nobody does\n-->'],
    [
      'stands in the change that git shows below the message',
      'Change it\n# ------------------------ >8 ------------------------\n ADR-0002: nobody does',
    ],
    ['answers another rule', 'ADR-0002/other-rule: nobody does'],
    ['answers another record', 'ADR-0020: nobody does'],
  ])('is none when it %s', (_, text) => expect(findAnswer(text, '0002', 'the-rule')).toBeNull());
});
