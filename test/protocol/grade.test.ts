import { describe, expect, it } from 'vitest';
import {
  decideGrade,
  type Grade,
  type GradeFacts,
  GRADES,
  isAtLeast,
} from '../../protocol/grade.ts';
import { forecastGrade } from '../../protocol/grade-forecast.ts';

const able: GradeFacts = {
  seal: { available: true, problem: null, remedy: null },
  homeKnown: true,
  minimum: 'open',
  usual: null,
};
const unable = {
  available: false,
  problem: 'bubblewrap is not installed.',
  remedy: 'apt-get install bubblewrap',
};
const decide = (
  grade: Grade | null,
  over: Partial<GradeFacts> = {},
  checkout: 'own' | 'inPlace' = 'own',
) => decideGrade({ grade, checkout }, { ...able, ...over });

const given = (...args: Parameters<typeof decide>) => {
  const decision = decide(...args);
  return decision.ok ? decision.report : decision;
};

describe('the grade of a launch that asks for one', () => {
  it.each(GRADES)('is %s, where it can be', (grade) => {
    expect(given(grade)).toMatchObject({ grade, reason: expect.stringContaining('chosen') });
  });

  it('is refused, never lowered, where the machine cannot seal', () => {
    expect(decide('sealed', { seal: unable })).toEqual({
      ok: false,
      code: 'grade_unavailable',
      detail: 'bubblewrap is not installed. Remedy: apt-get install bubblewrap',
    });
  });

  it.each(['sealed', 'fenced'] as const)('is refused in place: %s', (grade) => {
    expect(decide(grade, {}, 'inPlace')).toMatchObject({
      code: 'grade_unavailable',
      detail: expect.stringContaining('checkout of its own'),
    });
  });

  it('is fenced without a seal, and sealed for an engine of which nobody said what it needs', () => {
    expect(given('fenced', { seal: unable })).toMatchObject({ grade: 'fenced' });
    expect(given('sealed', { homeKnown: false })).toMatchObject({ grade: 'sealed' });
  });
});

describe('the grade of a launch that asks for none', () => {
  it('is the strictest that works, with the reason', () => {
    expect(given(null)).toMatchObject({ grade: 'sealed' });
    expect(given(null, { seal: unable })).toEqual({
      grade: 'fenced',
      reason:
        'It cannot be sealed. bubblewrap is not installed. Remedy: apt-get install bubblewrap',
    });
    expect(given(null, { homeKnown: false })).toMatchObject({
      grade: 'fenced',
      reason: expect.stringContaining('home'),
    });
    expect(given(null, {}, 'inPlace')).toMatchObject({
      grade: 'open',
      reason: 'It works in the directory itself.',
    });
  });

  it('is what limits.toml says, never less strict than what that demands', () => {
    expect(given(null, { usual: 'open' })).toMatchObject({
      grade: 'open',
      reason: expect.stringContaining('default_grade'),
    });
    expect(given(null, { usual: 'fenced' })).toMatchObject({ grade: 'fenced' });
    expect(given(null, { usual: 'open', minimum: 'fenced' })).toMatchObject({ grade: 'sealed' });
    expect(given(null, { usual: 'sealed', seal: unable })).toMatchObject({ grade: 'fenced' });
    expect(given(null, { usual: 'sealed', homeKnown: false })).toMatchObject({ grade: 'sealed' });
  });

  it('is sealed where that is demanded, whatever is known of the engine', () => {
    expect(given(null, { minimum: 'sealed', homeKnown: false })).toMatchObject({ grade: 'sealed' });
    expect(decide(null, { minimum: 'sealed', seal: unable })).toMatchObject({
      code: 'grade_not_allowed',
      detail: expect.stringContaining('apt-get'),
    });
  });

  it('never has more power than the machine’s own limits allow', () => {
    for (const minimum of GRADES)
      for (const usual of [null, ...GRADES])
        for (const seal of [able.seal, unable])
          for (const homeKnown of [true, false])
            for (const checkout of ['own', 'inPlace'] as const)
              for (const asked of [null, ...GRADES]) {
                const decision = decide(asked, { minimum, usual, seal, homeKnown }, checkout);
                if (!decision.ok) continue;
                expect(isAtLeast(decision.report.grade, minimum)).toBe(true);
                expect(decision.report.grade).toBe(asked ?? decision.report.grade);
              }
  });
});

describe('the grade of a Pilot that nobody confirms', () => {
  const alone = (
    grade: Grade | null,
    checkout: 'own' | 'inPlace',
    over: Partial<GradeFacts> = {},
  ) => decideGrade({ grade, checkout, unattended: true }, { ...able, ...over });

  it('is open only where that was chosen, at launch or in limits.toml', () => {
    expect(alone(null, 'inPlace')).toEqual({
      ok: false,
      code: 'open_not_accepted',
      detail: 'It works in the directory itself.',
    });
    expect(alone(null, 'inPlace', { minimum: 'fenced' })).toMatchObject({
      code: 'grade_not_allowed',
    });
    expect(alone(null, 'own', { usual: 'open' })).toMatchObject({ report: { grade: 'open' } });
    for (const checkout of ['own', 'inPlace'] as const)
      expect(alone('open', checkout)).toMatchObject({ ok: true, report: { grade: 'open' } });
  });

  it('is any other as it would be without', () => {
    expect(alone(null, 'own')).toMatchObject({ report: { grade: 'sealed' } });
    expect(alone(null, 'own', { seal: unable })).toMatchObject({ report: { grade: 'fenced' } });
    expect(alone('open', 'own', { minimum: 'fenced' })).toMatchObject({
      code: 'grade_not_allowed',
    });
  });
});

describe('what is foretold', () => {
  const limits = {
    source: null,
    directories: [],
    engines: [],
    bypass: false,
    noOutputMaxMs: 1,
    minimumGrade: 'open' as const,
  };
  const wish = { grade: null, checkout: 'own' } as const;
  const foretold = (...args: Parameters<typeof forecastGrade>) => {
    const decision = forecastGrade(...args);
    return decision.ok ? decision.report.grade : decision.detail;
  };

  it('is what the machine decides by', () => {
    const machine = { limits: { ...limits, defaultGrade: null }, seal: able.seal };
    expect(foretold(wish, machine, { sealable: true })).toBe('sealed');
    expect(foretold(wish, machine, {})).toBe('fenced');
    expect(foretold(wish, { ...machine, seal: unable }, { sealable: true })).toBe('fenced');
  });

  it('is open for a machine from before there was a usual grade', () => {
    expect(foretold(wish, { limits, seal: able.seal }, { sealable: true })).toBe('open');
    expect(foretold({ ...wish, grade: 'sealed' }, { limits }, {})).toContain('Update');
  });
});
