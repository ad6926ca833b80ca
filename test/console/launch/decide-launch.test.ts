// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askingOf,
  decideLaunch,
  EMPTY_DRAFT,
  fillDraft,
  findSurroundings,
  goOnFrom,
  type LaunchDraft,
  launchDraft,
} from '../../../console/launch/draft.ts';
import { aRunner } from '../../../console/mock/sentinels.ts';
import type { RunnerSummary } from '../../../protocol/http.ts';
import { INSTRUCTION_MAX_CHARS } from '../../../protocol/instruction.ts';
import type { EngineReadiness, MachineFacts } from '../../../protocol/machine.ts';
import { PARSERS, type ParserId } from '../../../protocol/parsers.ts';

const RUNNER = aRunner();
const withMachine = (change: (machine: MachineFacts) => Partial<MachineFacts>): RunnerSummary => ({
  ...RUNNER,
  machine: RUNNER.machine && { ...RUNNER.machine, ...change(RUNNER.machine) },
});
const withEngine = (over: Partial<EngineReadiness>) =>
  withMachine(({ engines }) => ({ engines: engines.map((engine) => ({ ...engine, ...over })) }));
const withLimits = (over: Partial<MachineFacts['limits']>) =>
  withMachine(({ limits }) => ({ limits: { ...limits, ...over } }));

const decide = (over: Partial<LaunchDraft>, runner = RUNNER) => {
  const draft = { ...fillDraft({ ...EMPTY_DRAFT, objective: 'Go' }, [runner]), ...over };
  return decideLaunch(draft, { ...findSurroundings(draft, [runner]), workspace: undefined });
};
const problemsOf = (...given: Parameters<typeof decide>) => {
  const decision = decide(...given);
  return decision.kind === 'ready' ? {} : decision.problems;
};
const PLACE = { directory: '/home/me/a' };
const IN_PLACE = { ...PLACE, checkout: 'inPlace' } as const;
const checks = [{ title: '', check: 'npm test', minutes: '' }];

describe('what stands in the way of a launch', () => {
  it.each<[string, Partial<LaunchDraft>, keyof LaunchDraft, RegExp]>([
    ['no engine at all', { engineId: 'gone', ...PLACE }, 'engineId', /^Choose an engine\.$/],
    ['too many words', { objective: 'x'.repeat(INSTRUCTION_MAX_CHARS + 1) }, 'objective', /file/],
    ['a base that is too long to be one', { ...PLACE, baseRef: 'x'.repeat(201) }, 'baseRef', /\.$/],
    ['a model that is too long to be one', { model: 'x'.repeat(101) }, 'model', /\.$/],
    ['a conversation of two words', { ...IN_PLACE, conversation: 'a b' }, 'conversation', /word/],
    ['a budget of nothing', { budget: '0' }, 'budget', /.+/],
    ['turns that are not whole', { turns: '1.5' }, 'turns', /whole number/],
    ['tokens that are none', { tokens: 'many' }, 'tokens', /500k/],
    ['minutes that are none', { minutes: 'an hour' }, 'minutes', /such as 90/],
  ])('is %s, told at its own field alone', (_, over, field, sentence) => {
    const problems = problemsOf(over);
    expect(Object.keys(problems)).toEqual([field]);
    expect(problems[field]).toMatch(sentence);
  });

  it('is everything at once, each at its field', () => {
    const problems = problemsOf({ objective: '', directory: 'code', budget: 'x', silence: 'x' });
    expect(Object.keys(problems).toSorted()).toEqual([
      'budget',
      'directory',
      'objective',
      'silence',
    ]);
  });

  it('is a Pilot without a check, in the words of the check', () => {
    const pilot = { ...EMPTY_DRAFT.pilot, mode: 'pilot' } as const;
    expect(problemsOf({ pilot })).toEqual({ pilot: expect.stringContaining('Name a command') });
  });

  it.each<[boolean | undefined, 'ready' | 'not_ready']>([
    [true, 'ready'],
    [false, 'not_ready'],
    [undefined, 'not_ready'],
  ])('is an engine that decides for itself where it says %s of whether it can', (can, kind) => {
    const pilot = { ...EMPTY_DRAFT.pilot, mode: 'pilot', brain: 'engine', steps: checks } as const;
    const over = can === undefined ? {} : { structuredAnswer: can };
    expect(decide({ pilot }, withEngine(over)).kind).toBe(kind);
  });

  it('is less than the least grade that the machine demands', () => {
    const strict = withLimits({ minimumGrade: 'fenced', defaultGrade: null });
    expect(problemsOf({ grade: 'open' }, strict).grade).toContain('at least fenced');
    expect(decide({ grade: 'fenced' }, strict).kind).toBe('ready');
    expect(problemsOf(IN_PLACE, strict).grade).toContain('at least fenced');
  });

  it('is a Pilot with all of a person’s power that nobody chose', () => {
    const pilot = { ...EMPTY_DRAFT.pilot, mode: 'pilot', steps: checks } as const;
    const usual = withLimits({ minimumGrade: 'open', defaultGrade: null });
    expect(problemsOf({ ...IN_PLACE, pilot }, usual).grade).toContain('only where you say so');
    expect(decide({ ...IN_PLACE, pilot, grade: 'open' }, usual).kind).toBe('ready');
    expect(decide({ ...IN_PLACE, pilot: { ...pilot, mode: 'co_pilot' } }, usual).kind).toBe(
      'ready',
    );
  });

  it('is a seal that the machine cannot make, with its remedy', () => {
    const seal = { available: false, problem: 'No bubblewrap.', remedy: 'Install it.' };
    const unsealed = withMachine(() => ({ seal }));
    expect(problemsOf({ grade: 'sealed' }, unsealed).grade).toContain('Remedy: Install it.');
  });
});

describe('a launch that can be made', () => {
  it('carries on a conversation in the directory itself', () => {
    expect(decide({ ...IN_PLACE, conversation: ' c-1 ' })).toMatchObject({
      request: { conversation: 'c-1', checkout: 'inPlace' },
    });
  });

  it('takes what was typed without the spaces around it', () => {
    expect(
      decide({ ...PLACE, objective: ' Go on ', model: ' m ', baseRef: ' spring ' }),
    ).toMatchObject({ request: { objective: 'Go on', model: 'm', baseRef: 'spring' } });
  });

  it('goes on from the session that a link named, and only once nothing is in the way', () => {
    const ready = decide({});
    expect(goOnFrom('ses_earlier', ready)).toMatchObject({ request: { from: 'ses_earlier' } });
    expect(goOnFrom(undefined, ready)).toBe(ready);
    const missing = decide({ objective: '' });
    expect(goOnFrom('ses_earlier', missing)).toBe(missing);
  });
});

describe('an engine without approvals modes', () => {
  const engine = RUNNER.machine?.engines.find(({ ready }) => ready);
  const of = (parser: ParserId) => ({ approvals: [], capabilities: PARSERS[parser].capabilities });
  it.each([
    [engine && { ...engine, ...of('text') }, 'never'],
    [engine && { ...engine, ...of('acp') }, 'itself'],
    [engine && { ...engine, ...of('acp'), ready: false }, null],
    [engine, null],
    [undefined, null],
  ])('that is ready asks nobody, or by rules of its own (%#)', (given, asking) => {
    expect(askingOf(given)).toBe(asking);
  });
});

describe('whatever is in the form', () => {
  // Mostly nothing, as in a real form, so that many of them can be launched.
  const text = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 3, arbitrary: fc.constantFrom('5', '1,5', '2.50', '500k', '90', '-1', 'main') },
    { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
  );
  const typed = fc.record({
    directory: fc.constantFrom('', '/home/me', 'code'),
    objective: fc.constantFrom('Go', 'Go on', ' '),
    approvals: fc.constantFrom('ask', 'accept_edits'),
    checkout: fc.constantFrom('own', 'inPlace'),
    fromUncommitted: fc.boolean(),
    baseRef: text,
    budget: text,
    tokens: text,
    turns: text,
    minutes: text,
    model: text,
    silence: text,
    answerHours: text,
    conversation: text,
    grade: fc.constantFrom(null, 'open', 'fenced', 'sealed'),
  });

  it('is a launch within the machine’s limits, or says what is missing', () => {
    fc.assert(
      fc.property(typed, (over) => {
        const decision = decide(over);
        if (decision.kind === 'not_ready') {
          expect(Object.values(decision.problems).length).toBeGreaterThan(0);
          for (const sentence of Object.values(decision.problems))
            expect(sentence).toMatch(/\.\)?$/);
          return;
        }
        const { request } = decision;
        expect(request.noOutputMs).toBeLessThanOrEqual(3_600_000);
        expect(request.answerMs).toBeLessThanOrEqual(172_800_000);
        const { conversation, baseRef, fromUncommitted } = request;
        if (request.checkout === 'own') expect(conversation).toBeNull();
        else
          expect({ baseRef, fromUncommitted }).toEqual({ baseRef: null, fromUncommitted: false });
      }),
      { numRuns: 400 },
    );
  });

  it('is read again as it was kept, also by a form that has more fields by now', () => {
    const { tokens: _, turns: __, minutes: ___, pilot: ____, ...older } = EMPTY_DRAFT;
    expect(launchDraft.parse(older)).toEqual(EMPTY_DRAFT);
  });
});
