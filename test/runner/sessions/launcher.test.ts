import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { Readiness } from '../../../runner/engines/engine.ts';
import { checkLaunch } from '../../../runner/sessions/check-launch.ts';
import {
  LaunchRefused,
  realDirectoryOf,
  refusalOf,
  type LaunchPorts,
} from '../../../runner/sessions/launcher.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { UNSEALED } from '../../support/launch-ports.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';

const READY: Readiness = {
  engineId: 'scripted',
  label: 'Scripted',
  ready: true,
  version: '1.0.0',
  payer: 'api-key',
  credential: 'SCRIPTED_KEY',
  approvals: ['ask'],
  problem: null,
  remedy: null,
  executable: '/usr/bin/scripted',
};
let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'pilothouse-launcher-')));
});
afterEach(() => rmSync(directory, { recursive: true }));

const never = () => Promise.reject(new Error('not to be called here'));
const portsThat = (over: Partial<LaunchPorts> = {}): LaunchPorts => ({
  findEngine: () => scriptedEngine(),
  probe: () => Promise.resolve(READY),
  listRunning: () => [],
  decideAllowed: () => ({ allowed: true }),
  readKept: () => null,
  readFreeBytes: () => Promise.resolve(Infinity),
  allowsTakeover: () => true,
  prepare: never,
  ...UNSEALED,
  bringBack: never,
  release: never,
  listLosses: never,
  review: never,
  listCheckpoints: never,
  keepCheckpoint: never,
  listDiffering: never,
  listIgnored: never,
  writePatch: never,
  readPatch: never,
  run: never,
  propose: never,
  readSecrets: never,
  ...over,
});
const launch = (over = {}) => aLaunch({ engineId: 'scripted', directory, ...over });
const refusalFrom = async (ports: Partial<LaunchPorts>, over = {}) => {
  const error: unknown = await checkLaunch(portsThat(ports), launch(over)).catch(
    (reason: unknown) => reason,
  );
  return refusalOf(error);
};

describe('a launch that may be', () => {
  test('names the engine and the executable that its check found', async () => {
    const { engine, found } = await checkLaunch(portsThat(), launch());
    expect(engine.id).toBe('scripted');
    expect(found).toMatchObject({ executable: '/usr/bin/scripted', payer: 'api-key' });
  });

  test('is judged by where its directory really is', async () => {
    const link = join(directory, 'link');
    symlinkSync('/', link);
    const asked: string[] = [];
    const decideAllowed: LaunchPorts['decideAllowed'] = (_launch, real) => {
      asked.push(real);
      return { allowed: true };
    };
    await checkLaunch(portsThat({ decideAllowed }), launch({ directory: link }));
    expect(asked).toEqual(['/']);
  });

  test('without a directory is judged without one', async () => {
    const asked: string[] = [];
    const decideAllowed: LaunchPorts['decideAllowed'] = (_launch, real) => {
      asked.push(real);
      return { allowed: true };
    };
    await checkLaunch(portsThat({ decideAllowed }), launch({ directory: null }));
    expect(asked).toEqual(['']);
  });
});

describe('a launch that may not be', () => {
  test('for an engine that this version does not know', async () => {
    const refusal = await refusalFrom({ findEngine: () => null });
    expect(refusal).toMatchObject({ state: 'failed_to_start', code: 'engine_unknown' });
    expect(refusal.error.message).toContain('(scripted)');
  });

  test('for the machine’s own limits, which come before any look at the engine', async () => {
    const refusal = await refusalFrom({
      decideAllowed: () => ({ allowed: false, code: 'directory_not_allowed', detail: '/etc' }),
      probe: never,
    });
    expect(refusal).toMatchObject({
      state: 'failed_to_start',
      code: 'directory_not_allowed',
      error: { code: 'workspace_refused', message: expect.stringContaining('(/etc)') },
    });
  });

  test('for limits that cannot be read: the answer is no', async () => {
    const refusal = await refusalFrom({
      decideAllowed: () => {
        throw new PilothouseError('limits_unreadable', { detail: 'line 3' });
      },
      probe: never,
    });
    expect(refusal).toMatchObject({ code: 'limits_unreadable' });
    expect(refusal.error.message).toContain('line 3');
  });

  test('for a directory that is gone, by its name', async () => {
    const gone = join(directory, 'gone');
    const refusal = await refusalFrom({}, { directory: gone });
    expect(refusal).toMatchObject({
      code: 'directory_missing',
      error: { code: 'workspace_refused', message: expect.stringContaining(gone) },
    });
  });

  test.each([
    [
      'that is not installed',
      { executable: null, ready: false, failure: 'engine_missing' },
      'engine_missing',
      'engine_missing',
    ],
    [
      'without a login',
      { ready: false, failure: 'auth_missing' },
      'workspace_refused',
      'auth_missing',
    ],
    [
      'that did not answer in time',
      { ready: false, credential: null, failure: 'preflight_slow' },
      'workspace_refused',
      'preflight_slow',
    ],
    [
      'that is too old',
      { ready: false, credential: null, failure: 'engine_too_old' },
      'workspace_refused',
      'engine_too_old',
    ],
  ] as const)('for an engine %s', async (_what, over, code, failure) => {
    const probe = () =>
      Promise.resolve({ ...READY, ...over, problem: 'It is so.', remedy: 'Do this.' });
    const refusal = await refusalFrom({ probe });
    expect(refusal).toEqual({
      state: 'provider_failed',
      code,
      error: { code: failure, message: 'It is so. Do this.' },
    });
  });

  test.each([
    ['the engine', { probe: () => new Promise<never>(() => {}) }, 'Scripted'],
    ['the disk', { readFreeBytes: () => new Promise<never>(() => {}) }, 'the free space'],
  ])('for a look at %s that is not over in 3 s, by its name', async (_what, ports, named) => {
    vi.useFakeTimers();
    try {
      const refused = refusalFrom(ports, { directory: null });
      await vi.advanceTimersByTimeAsync(2_999);
      let over = false;
      void refused.then(() => (over = true));
      await vi.advanceTimersByTimeAsync(0);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      const refusal = await refused;
      expect(refusal).toMatchObject({
        state: 'provider_failed',
        error: { code: 'preflight_slow' },
      });
      expect(refusal.error.message).toContain(`The look at ${named} was not over within 3 s`);
    } finally {
      vi.useRealTimers();
    }
  });

  test('for a mode that the engine’s own settings rule out, and no other', async () => {
    const refusedModes = [{ mode: 'bypass' as const, problem: 'It is off. Turn it on.' }];
    const probe = () => Promise.resolve({ ...READY, refusedModes });
    expect(await refusalFrom({ probe }, { approvals: 'bypass' })).toMatchObject({
      error: { code: 'settings_unusable', message: 'It is off. Turn it on.' },
    });
    await expect(
      checkLaunch(portsThat({ probe }), launch({ approvals: 'ask' })),
    ).resolves.toBeDefined();
  });

  test('for an engine that cannot say why says at least which', async () => {
    const probe = () => Promise.resolve({ ...READY, ready: false });
    const refusal = await refusalFrom({ probe });
    expect(refusal.error.message).toBe('Scripted is not ready on this machine.');
  });
});

describe('whatever went wrong', () => {
  test('that was a refusal is that refusal', () => {
    const refusal = {
      state: 'failed_to_start',
      code: 'engine_unknown',
      error: { code: 'workspace_refused', message: 'm' },
    } as const;
    const error = new LaunchRefused(refusal);
    expect(refusalOf(error)).toBe(refusal);
    expect(error.message).toBe('m');
  });

  test('that has a code of ours keeps it', () => {
    const error = new PilothouseError('not_a_repository');
    expect(refusalOf(error)).toMatchObject({
      state: 'provider_failed',
      code: 'not_a_repository',
      error: { code: 'workspace_refused', message: error.message },
    });
  });

  test.each([
    ['an error of the system', new Error('disk full'), 'disk full'],
    ['something that is no error', 'oops', 'oops'],
  ])('that was %s is internal, in its own words', (_what, error, message) => {
    expect(refusalOf(error)).toEqual({
      state: 'provider_failed',
      code: 'internal',
      error: { code: 'unknown', message },
    });
  });
});

describe('a real directory', () => {
  test('has no links in it', () => {
    const link = join(directory, 'link');
    symlinkSync(directory, link);
    expect(realDirectoryOf(link)).toBe(directory);
  });

  test('that is a link to nothing is missing', () => {
    const link = join(directory, 'dangling');
    symlinkSync(join(directory, 'gone'), link);
    expect(() => realDirectoryOf(link)).toThrow(
      expect.objectContaining({ code: 'directory_missing' }) as Error,
    );
  });
});

describe('a limit in dollars', () => {
  const terms = {
    kind: 'estimated',
    models: ['gpt-5.5'],
    ownModel: null,
    namesModel: false,
  } as const;
  const probe = () =>
    Promise.resolve({ ...READY, budget: { ...terms, models: [...terms.models] } });

  test('is refused with a model that has no known price, and without a model', async () => {
    const limited = { budgetMicroUsd: 1_000_000 };
    const unknown = await refusalFrom({ probe }, { ...limited, model: 'gpt-9' });
    expect(unknown).toMatchObject({ state: 'failed_to_start', code: 'budget_unpriced' });
    expect(unknown.error.message).toMatch(/the model gpt-9.*such as gpt-5\.5, or launch without/);
    expect(await refusalFrom({ probe }, limited)).toMatchObject({ code: 'budget_unpriced' });
  });

  test('is refused in the approvals mode whose form tells no cost, unless the gate counts it', async () => {
    const modal = () => Promise.resolve({ ...READY, unmetered: ['ask' as const] });
    const limited = { budgetMicroUsd: 1_000_000, approvals: 'ask' as const };
    const refused = await refusalFrom({ probe: modal }, limited);
    expect(refused).toMatchObject({ code: 'budget_unpriced' });
    expect(refused.error.message).toContain('Choose another mode');
    const gated = () => Promise.resolve({ ...READY, unmetered: ['ask' as const], gated: true });
    await expect(checkLaunch(portsThat({ probe: gated }), launch(limited))).resolves.toBeDefined();
  });

  test('is taken with a model whose price is known, and no limit with any', async () => {
    const limited = launch({ budgetMicroUsd: 1_000_000, model: 'gpt-5.5-2026-04-01' });
    await expect(checkLaunch(portsThat({ probe }), limited)).resolves.toBeDefined();
    await expect(checkLaunch(portsThat({ probe }), launch())).resolves.toBeDefined();
  });
});
