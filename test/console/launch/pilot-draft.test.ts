// @vitest-environment node
import { describe, expect, it } from 'vitest';
import {
  decidePilot,
  EMPTY_PILOT,
  firstProblem,
  type PilotDraft,
} from '../../../console/launch/pilot-draft.ts';

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

  it('is a model with its key', () => {
    expect(decide({ brain: 'api', keyId: 'bky_1', model: ' some-model ' })).toMatchObject({
      pilot: { brain: { kind: 'api', keyId: 'bky_1', model: 'some-model' } },
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
