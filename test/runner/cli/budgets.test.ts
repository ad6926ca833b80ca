import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BudgetStanding } from '../../../protocol/shared-budget.ts';
import { EXIT } from '../../../runner/failure.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const standing = (over: Partial<BudgetStanding> = {}): BudgetStanding => ({
  scope: { kind: 'account' },
  unit: 'dollars',
  renews: 'daily',
  limit: 20_000_000,
  counts: 'all',
  zone: 'UTC',
  version: 3,
  savedBy: 'cli',
  savedAt: 1,
  used: 12_500_000,
  reserved: 5_000_000,
  renewsAt: Date.UTC(2026, 11, 1),
  ...over,
});

describe('pilothouse budget', () => {
  it('says what to do when there is none', async () => {
    const { stdout, exitCode } = await runOn(cloud, 'budget', 'show');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('budget set --daily --dollars 20');
  });

  it('shows what is used, granted and counted, and when it renews', async () => {
    const turns = standing({ unit: 'turns', limit: 30, used: 1, reserved: 0, renews: 'never' });
    cloud.ledgers.set('budgets', [standing(), { ...turns, renewsAt: null }]);
    const { stdout } = await runOn(cloud, 'budget', 'show');
    expect(stdout).toMatch(/the account +\$20\.00 a day +\$12\.50 +\$5\.00 +notional too/);
    expect(stdout).toContain('It renews at 2026-12-01 00:00 UTC');
    expect(stdout).toMatch(/30 turns in all +1 turn +0 turns/);
    expect(await jsonOf(cloud, 'budget', 'show', '--json')).toMatchObject({
      items: [{ used: 12_500_000 }, { unit: 'turns' }],
    });
  });

  it('saves the next version, and keeps of the last one what is not named', async () => {
    const { used: _used, reserved: _reserved, renewsAt: _at, ...version } = standing();
    cloud.ledgers.set('budget versions', [{ ...version, counts: 'paid', zone: 'Europe/Berlin' }]);
    const words = ['budget', 'set', '--daily', '--dollars', '25', '--json'];
    expect(await jsonOf(cloud, ...words)).toMatchObject({
      limit: 25_000_000,
      counts: 'paid',
      zone: 'Europe/Berlin',
      version: 4,
    });
    const cleared = await runOn(cloud, 'budget', 'set', '--daily', '--clear', 'dollars');
    expect(cleared.stdout).toContain('no budget in dollars any more');
    const history = await runOn(cloud, 'budget', 'history', '--daily');
    expect(history.stdout).toMatch(/3 .*command line .*paid dollars alone/);
  });

  it.each([
    ['--tokens', '2.5M', 2_500_000, 'tokens', '2.5 M tokens'],
    ['--tokens', '900k', 900_000, 'tokens', '900 K tokens'],
    ['--minutes', '90', 5_400_000, 'time', '1h 30m'],
  ])('takes %s %s', async (option, typed, limit, unit, said) => {
    const words = ['budget', 'set', '--daily', option, typed];
    expect(await jsonOf(cloud, ...words, '--json')).toMatchObject({ unit, limit });
    expect((await runOn(cloud, ...words)).stdout).toContain(`budget of the account (${said})`);
  });

  it('refuses amounts that are none', async () => {
    for (const [option, typed] of [
      ['--tokens', 'many'],
      ['--tokens', '0'],
      ['--minutes', '-5'],
      ['--turns', '1.5'],
    ] as const) {
      const refused = await runOn(cloud, 'budget', 'set', option, typed);
      expect([option, refused.exitCode]).toEqual([option, EXIT.usage]);
      expect(refused.stderr).toMatch(/Give tokens|Give minutes|whole number/);
    }
  });

  it('refuses what means nothing, with what would', async () => {
    const none = await runOn(cloud, 'budget', 'set', '--daily');
    expect([none.exitCode, none.stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('Name one of --dollars, --tokens, --turns, --minutes and --clear'),
    ]);
    const zone = await runOn(cloud, 'budget', 'set', '--turns', '3', '--zone', 'Mars');
    expect([zone.exitCode, zone.stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('name one as Europe/Berlin'),
    ]);
    expect((await runOn(cloud, 'budget', 'set', '--turns', '0')).exitCode).toBe(EXIT.usage);
  });
});
