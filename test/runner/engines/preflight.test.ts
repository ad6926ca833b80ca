import { describe, expect, test } from 'vitest';
import { decideReadiness, type Preflight } from '../../../runner/engines/preflight.ts';
import { IN_EVERY_MODE } from '../../../runner/engines/settings.ts';

const FOUND = { engineId: 'own', label: 'Own', executable: '/bin/own' };
const look = (over: Partial<Preflight> = {}): Preflight => ({
  found: { ...FOUND, approvals: ['ask', 'bypass'] },
  program: 'own',
  oldest: [1, 2, 0],
  update: 'own update',
  asked: {
    version: { version: '1.2.3', late: false },
    login: { kind: 'found', payer: 'subscription', credential: 'a login' },
  },
  settings: [],
  ...over,
});
const asked = (over: Partial<NonNullable<Preflight['asked']>>) =>
  look({ asked: { ...look().asked!, ...over } });
const BROKEN = { problem: 'The file is broken.', remedy: 'Correct it.', stops: IN_EVERY_MODE };

describe('a look at an engine', () => {
  test('finds it ready, with what it said', () => {
    expect(decideReadiness(look())).toEqual({
      ...FOUND,
      approvals: ['ask', 'bypass'],
      ready: true,
      version: '1.2.3',
      payer: 'subscription',
      credential: 'a login',
      problem: null,
      remedy: null,
    });
  });

  test('goes on without a version that came too late where its installation names it', () => {
    const found = decideReadiness(asked({ version: { version: '1.2.3', late: true } }));
    expect(found).toMatchObject({ ready: true, version: '1.2.3', credential: 'a login' });
    expect(found.warnings).toEqual([
      {
        problem: expect.stringMatching(/`\/bin\/own --version` did not answer within 2\.4 s\./),
        remedy: expect.stringContaining('Run `/bin/own --version` on this machine'),
      },
    ]);
  });

  test('ends where nothing says the version, or it is too old, late or not', () => {
    const none = decideReadiness(asked({ version: { version: null, late: true } }));
    expect(none).toMatchObject({ ready: false, failure: 'preflight_slow' });
    const old = decideReadiness(asked({ version: { version: '1.1.9', late: true } }));
    expect(old).toMatchObject({ ready: false, failure: 'engine_too_old' });
  });

  test('goes on without a login that was not told in time, and says that nobody knows who pays', () => {
    const found = decideReadiness(asked({ login: { kind: 'late', asked: 'own login status' } }));
    expect(found).toMatchObject({ ready: true, payer: 'unknown', credential: null });
    expect(found.warnings?.[0]?.problem).toMatch(/`own login status` did not.*who pays/);
  });

  test('ends without a login that is not there', () => {
    const login = { kind: 'missing', problem: 'No.', remedy: 'Log in.' } as const;
    expect(decideReadiness(asked({ login }))).toMatchObject({
      ready: false,
      problem: 'No.',
      failure: 'auth_missing',
    });
    expect(decideReadiness(asked({ login: { ...login, because: 'settings' } }))).toMatchObject({
      failure: 'settings_unusable',
    });
  });

  test('ends at settings that stop it, rather than at the login that they hide', () => {
    const login = { kind: 'missing', problem: 'No.', remedy: 'Log in.' } as const;
    const found = decideReadiness({ ...asked({ login }), settings: [BROKEN] });
    expect(found).toMatchObject({
      ready: false,
      problem: BROKEN.problem,
      remedy: BROKEN.remedy,
      failure: 'settings_unusable',
    });
  });

  test('names the modes that settings rule out, and what they only change', () => {
    const inBypass = { ...BROKEN, stops: ['bypass' as const] };
    const aside = { ...BROKEN, problem: 'It is odd.', stops: [] };
    expect(decideReadiness(look({ settings: [inBypass, aside] }))).toMatchObject({
      ready: true,
      refusedModes: [{ mode: 'bypass', problem: 'The file is broken. Correct it.' }],
      warnings: [{ problem: 'It is odd.', remedy: 'Correct it.' }],
    });
  });
});
