import { describe, expect, it } from 'vitest';
import { findStandingFault } from '../../../runner/limits/standing.ts';

const OPEN = { minimumGrade: 'open', minimumNetwork: 'open' } as const;

describe('whether a session may go on by the limits of now', () => {
  it.each([
    [{ grade: 'open' }, { minimumGrade: 'fenced' }, 'grade_not_allowed'],
    [{ grade: 'fenced' }, { minimumGrade: 'sealed' }, 'grade_not_allowed'],
    [{ grade: 'sealed' }, { minimumNetwork: 'model-only' }, 'network_not_allowed'],
    [{ grade: 'sealed', network: 'open' }, { minimumNetwork: 'model-only' }, 'network_not_allowed'],
    [{ grade: 'open' }, { minimumNetwork: 'model-only' }, 'network_not_allowed'],
    [{ grade: 'open' }, {}, null],
    [{ grade: 'sealed' }, { minimumGrade: 'fenced' }, null],
    [{ grade: 'sealed', network: 'model-only' }, { minimumNetwork: 'model-only' }, null],
  ] as const)('%j under %j: %s', (report, demanded, code) => {
    const fault = findStandingFault(report, { ...OPEN, ...demanded });
    expect(fault?.code ?? null).toBe(code);
    if (fault)
      expect(fault.detail).toMatch(/Launch a new one, or change minimum_\w+ on that machine/);
  });
});
