import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brainKeyId } from '../../../../protocol/ids.ts';
import {
  parseHours,
  pilotOf,
  type PilotOptions,
} from '../../../../runner/cli/pilot/launch-options.ts';
import { aBrainKey } from '../../../support/pilot-builders.ts';

let root = '';
let checklist = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'launch-options-'));
  checklist = join(root, 'done.yaml');
  writeFileSync(checklist, 'steps:\n  - title: Tests\n    check: npm test\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const WORK = aBrainKey({ keyId: brainKeyId.parse('bky_work'), name: 'work' });
const HOME = aBrainKey({ keyId: brainKeyId.parse('bky_home'), name: 'home' });
const pilot = (over: Partial<PilotOptions>, keys = [WORK]) =>
  pilotOf({ mode: 'pilot', checklist, ...over }, () => Promise.resolve(keys));

describe('the options of a launch', () => {
  test('give a Pilot its checklist and its bounds', async () => {
    expect(await pilot({ mode: 'co-pilot', maxTurns: 5, maxHours: 3_600_000 })).toMatchObject({
      mode: 'co_pilot',
      brain: { kind: 'checklist', steps: [{ check: 'npm test' }] },
      bounds: { maxTurns: 5, maxWallMs: 3_600_000 },
    });
  });

  test('let a long conversation be begun anew only where that is said', async () => {
    expect(await pilot({ beginAnew: true })).toMatchObject({ beginsAnew: true });
    expect(await pilot({})).not.toHaveProperty('beginsAnew');
    const manual = pilotOf({ mode: 'manual', beginAnew: true }, () => Promise.resolve([]));
    await expect(manual).rejects.toThrow('--begin-anew');
  });

  test('give a brain of an API its key, by name or id, and its model', async () => {
    const asked = { brain: 'api', brainModel: 'some-model' } as const;
    const chosen = { kind: 'api', keyId: 'bky_work', model: 'some-model' };
    expect((await pilot(asked))?.brain).toMatchObject(chosen);
    for (const brainKey of ['work', 'bky_work'])
      expect((await pilot({ ...asked, brainKey }, [HOME, WORK]))?.brain).toMatchObject(chosen);
  });

  test('let the engine decide, with its own login and with another model where one is named', async () => {
    expect((await pilot({ brain: 'engine' }, []))?.brain).toMatchObject({
      kind: 'engine',
      model: null,
    });
    const small = { brain: 'engine', brainModel: 'small' } as const;
    expect((await pilot(small, []))?.brain).toMatchObject({ kind: 'engine', model: 'small' });
    await expect(pilot({ brain: 'engine', brainKey: 'work' })).rejects.toThrow('its own login');
  });

  test('refuse a key that is not the only one meant, and name those there are', async () => {
    const asked = { brain: 'api', brainModel: 'some-model' } as const;
    await expect(pilot(asked, [])).rejects.toThrow('brain-keys add');
    await expect(pilot(asked, [HOME, WORK])).rejects.toThrow('work (bky_work)');
    await expect(pilot({ ...asked, brainKey: 'other' })).rejects.toThrow('called other');
  });

  test.each([
    [{ brain: 'api' }, '--brain-model'],
    [{ brainKey: 'work' }, '--brain-key is for a brain that is a model'],
    [{ brainModel: 'some-model' }, '--brain-model is for a brain that is a model'],
  ] as const)('refuse %j, which would be lost or is not enough', async (over, sentence) => {
    await expect(pilot(over)).rejects.toThrow(sentence);
  });

  test('refuse a Pilot without a checklist, and a Pilot’s options without one', async () => {
    const none = () => Promise.reject(new Error('no key is needed'));
    await expect(pilotOf({ mode: 'pilot' }, none)).rejects.toThrow('--checklist');
    await expect(pilotOf({ mode: 'manual', maxTurns: 3 }, none)).rejects.toThrow('--max-turns');
    await expect(pilotOf({ mode: 'manual', brain: 'api' }, none)).rejects.toThrow('--brain');
    expect(await pilotOf({ mode: 'manual' }, none)).toBeNull();
  });

  test('take hours as people write them', () => {
    expect(parseHours('0.5')).toBe(1_800_000);
    for (const text of ['0', '200', 'soon', '-1']) expect(() => parseHours(text)).toThrow('hours');
  });
});
