// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decidePilot,
  EMPTY_PILOT,
  firstProblem,
  pilotDraft,
  type PilotDraft,
} from '../../../console/launch/pilot-draft.ts';
import { BRAIN_KINDS, pilotSpec } from '../../../protocol/pilot.ts';

const STEP = { title: '', check: 'npm test', minutes: '' };
const decide = (over: Partial<PilotDraft>) =>
  decidePilot({ ...EMPTY_PILOT, mode: 'pilot', steps: [STEP], ...over });

describe('a Pilot as it is typed', () => {
  it('is none while a person drives, whatever else was typed', () => {
    expect(decide({ mode: 'manual', maxTurns: 'many' })).toEqual({ kind: 'ready', pilot: null });
  });

  it('is a checklist with its bounds; a step without a title has that of its check', () => {
    const typed = { steps: [{ ...STEP, minutes: '0,5' }], maxTurns: '5', maxHours: '0.5' };
    expect(decide({ mode: 'co_pilot', ...typed })).toMatchObject({
      pilot: {
        mode: 'co_pilot',
        brain: {
          kind: 'checklist',
          steps: [{ title: 'npm test', check: 'npm test', timeoutMs: 30_000 }],
        },
        bounds: { maxTurns: 5, maxWallMs: 1_800_000 },
      },
    });
  });

  it('begins a long conversation anew only where that is chosen', () => {
    expect(decide({ beginsAnew: true })).toMatchObject({ pilot: { beginsAnew: true } });
    expect(decide({})).not.toMatchObject({ pilot: { beginsAnew: expect.anything() } });
  });

  it('is a model with its key', () => {
    expect(decide({ brain: 'api', keyId: 'bky_1', model: ' some-model ' })).toMatchObject({
      pilot: { brain: { kind: 'api', keyId: 'bky_1', model: 'some-model' } },
    });
  });

  it('is the engine itself, with the session’s model unless one is named', () => {
    expect(decide({ brain: 'engine' })).toMatchObject({
      pilot: { brain: { kind: 'engine', model: null } },
    });
    expect(decide({ brain: 'engine', model: ' small ' })).toMatchObject({
      pilot: { brain: { kind: 'engine', model: 'small' } },
    });
  });

  it.each([
    [{ steps: [{ ...STEP, check: ' ' }] }, 'steps', /Name a command/],
    [{ steps: [{ ...STEP, minutes: '90' }] }, 'steps', /Give minutes/],
    [{ steps: [STEP, { ...STEP, check: 'a\nb' }] }, 'steps', /one line of a shell/],
    [{ brain: 'api', model: 'm' }, 'keyId', /Choose the key/],
    [{ brain: 'api', keyId: 'bky_1' }, 'model', /Name the model/],
    [{ maxTurns: '0' }, 'maxTurns', /from 1 to 500/],
    [{ maxTurns: '1.5' }, 'maxTurns', /from 1 to 500/],
    [{ maxTurns: 'many' }, 'maxTurns', /from 1 to 500/],
    [{ maxHours: '200' }, 'maxHours', /up to 168/],
  ] as const)('%j is not enough, and says so at %s', (over, part, sentence) => {
    const decided = decide({ ...over } as Partial<PilotDraft>);
    if (decided.kind === 'ready') throw new Error('it was taken');
    expect(Object.keys(decided.problems)).toEqual([part]);
    expect(firstProblem(decided.problems)).toMatch(sentence);
  });
});

describe('whatever is typed', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('5', '0.5', '1,5', ' 8 ', ''),
  );
  const typed = fc.record({
    mode: fc.constantFrom('pilot', 'co_pilot', 'manual'),
    brain: fc.constantFrom(...BRAIN_KINDS),
    steps: fc.array(fc.record({ title: text, check: text, minutes: text }), { maxLength: 4 }),
    keyId: fc.constantFrom('', 'bky_1', 'other'),
    model: text,
    maxTurns: text,
    maxHours: text,
    beginsAnew: fc.boolean(),
  });

  it('is either a Pilot that the server takes, or a sentence about what is missing', () => {
    fc.assert(
      fc.property(typed, (draft) => {
        const decided = decidePilot(draft);
        if (decided.kind === 'not_ready') expect(firstProblem(decided.problems)).toMatch(/\.$/);
        else if (decided.pilot) expect(pilotSpec.safeParse(decided.pilot).error).toBeUndefined();
        else expect(draft.mode).toBe('manual');
      }),
      { numRuns: 500 },
    );
  });

  it('stays what it is when it is kept and read again', () => {
    fc.assert(
      fc.property(typed, (draft) => {
        expect(pilotDraft.parse(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
      }),
    );
  });
});
