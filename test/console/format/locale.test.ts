// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatBytes } from '../../../console/format/bytes.ts';
import { formatTokens, plural } from '../../../console/format/count.ts';
import { readAmount } from '../../../console/budgets/draft.ts';
import { cliTwin } from '../../../console/format/cli.ts';
import { readWorkLimits } from '../../../console/launch/work-limits.ts';
import { formatDay, OWN_FORM, timeZoneHere } from '../../../console/format/locale.ts';
import { formatMoney, formatMoneyExact, parseMoney } from '../../../console/format/money.ts';
import { sayForecast } from '../../../protocol/budget-forecast.ts';
import { sayAmount, sayRenewal } from '../../../protocol/shared-budget.ts';
import { formatAbsolute, formatClock, formatDuration } from '../../../console/format/time.ts';

const speak = (...languages: string[]) => vi.stubGlobal('navigator', { languages });
afterEach(() => vi.unstubAllGlobals());

/** Blanks of every width and marks of direction, which tests had better not depend on. */
const plain = (text: string) =>
  text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u200e\u200f\u061c]/g, '');
const AT = Date.UTC(2026, 10, 3, 15, 4, 5);

describe('figures and times', () => {
  it('are never taken for one another, whichever was written first', () => {
    expect(timeZoneHere()).not.toBe('');
    expect(plural(1, 'turn')).toBe('1 turn');
    expect(timeZoneHere()).not.toBe('');
  });

  it.each([
    ['en-US', '$1,234.50', '1,200 lines', '9.4 K', '2.1 MB', 'Nov 3, 2026', '3.2 s'],
    ['en-GB', '$1,234.50', '1,200 lines', '9.4 K', '2.1 MB', '3 Nov 2026', '3.2 s'],
    ['de-DE', '1.234,50 $', '1.200 lines', '9,4 K', '2,1 MB', '3. Nov. 2026', '3,2 s'],
    ['ja-JP', '$1,234.50', '1,200 lines', '9.4 K', '2.1 MB', '2026年11月3日', '3.2 s'],
    ['ar-EG', '١٬٢٣٤٫٥٠ US$', '١٬٢٠٠ lines', '٩٫٤ K', '٢٫١ MB', '٣ نوفمبر ٢٠٢٦', '٣٫٢ s'],
  ])('have the form of %s', (language, money, count, tokens, bytes, day, duration) => {
    speak(language);
    expect(
      [
        formatMoney(1_234_500_000),
        plural(1_200, 'line'),
        formatTokens(9_400),
        formatBytes(2_100_000),
        formatDay('2026-11-03'),
        formatDuration(3_200),
      ].map(plain),
    ).toEqual([money, count, tokens, bytes, day, duration]);
  });

  it.each([
    [
      'en-US',
      '$12.50 1.5 M tokens 1,200 turns 2m 14s',
      'at about 11:50 PM UTC',
      'at Nov 4, 2026, 12:00 AM UTC',
    ],
    [
      'de-DE',
      '12,50 $ 1,5 M tokens 1.200 turns 2m 14s',
      'at about 23:50 UTC',
      'at 04.11.2026, 00:00 UTC',
    ],
    [
      'ar-EG',
      '١٢٫٥٠ US$ ١٫٥ M tokens ١٬٢٠٠ turns ٢m ١٤s',
      'about ١١:٥٠ م UTC',
      'at ٠٤/١١/٢٠٢٦، ١٢:٠٠ ص UTC',
    ],
  ])('have the form of %s in a sentence of the protocol', (language, amounts, usedUp, renews) => {
    speak(language);
    const said = [
      sayAmount('dollars', 12_500_000, OWN_FORM),
      sayAmount('tokens', 1_500_000, OWN_FORM),
      sayAmount('turns', 1_200, OWN_FORM),
      sayAmount('time', 134_000, OWN_FORM),
    ];
    expect(plain(said.join(' '))).toBe(amounts);
    const day = { unit: 'dollars', zone: 'UTC', renewsAt: Date.UTC(2026, 10, 4) } as const;
    const forecast = { elapsed: 0.5, atEnd: 1, usedUpAt: Date.UTC(2026, 10, 3, 23, 50) };
    expect(plain(sayForecast(day, forecast, OWN_FORM))).toContain(usedUp);
    expect(plain(sayRenewal(day, OWN_FORM))).toContain(renews);
  });

  it('have the order, the clock and the zone that the person reads', () => {
    speak('en-US');
    expect(plain(formatAbsolute(AT))).toMatch(/^Nov \d, 2026, \d+:04:05 [AP]M \S+$/);
    expect(plain(formatClock(AT, AT))).toMatch(/^\d\d:04 [AP]M$/);
    speak('de-DE', 'en-US');
    expect(plain(formatAbsolute(AT))).toMatch(/^\d\d?\.11\.2026, \d\d:04:05 \S+$/);
    expect(plain(formatClock(AT, 0))).toMatch(/^0?\d\. Nov\., \d\d:04$/);
  });

  it('are never less than there is, in any form', () => {
    speak('de-DE');
    expect(plain(formatMoney(1))).toBe('< 0,01 $');
    expect(plain(formatMoneyExact(18_400))).toBe('0,018400 $');
  });

  it('are read as they are typed there, and grouped nowhere', () => {
    speak('de-DE');
    expect([parseMoney('1,50'), parseMoney('1.50'), parseMoney('1.234,50')]).toEqual([
      1_500_000,
      1_500_000,
      null,
    ]);
    expect([parseMoney('1.500'), parseMoney('$1.500'), parseMoney('0.500')]).toEqual([
      null,
      null,
      500_000,
    ]);
    speak('en-US');
    expect([parseMoney('1,50'), parseMoney('1,500'), parseMoney('1.500')]).toEqual([
      null,
      null,
      1_500_000,
    ]);
  });

  it('say what to type where an amount can be read in two ways', () => {
    speak('de-DE');
    expect(readAmount('dollars', '1.500')).toMatchObject({
      problem: expect.stringMatching(/Give 1500 without/),
    });
    expect(readAmount('tokens', '500.000')).toMatchObject({
      problem: expect.stringMatching(/Give 500000 without/),
    });
    expect(readWorkLimits({ tokens: '500.000', turns: '', minutes: '1,5' })).toMatchObject({
      limits: { tokens: null, timeMs: 90_000 },
      problems: { tokens: expect.stringMatching(/Give 500000 without/) },
    });
    expect(readAmount('dollars', '2,5')).toEqual({ ok: true, limit: 2_500_000 });
  });

  it('are in a command as they were read, not as they were typed', () => {
    const budget = { place: null, renews: 'daily' } as const;
    expect(cliTwin.setBudget({ ...budget, unit: 'dollars', limit: 2_500_000 })).toMatch(
      /--dollars 2\.5$/,
    );
    expect(cliTwin.setBudget({ ...budget, unit: 'time', limit: 90_000 })).toMatch(
      /--minutes 1\.5$/,
    );
    expect(
      cliTwin.connectGithub(
        {
          repository: 'octo/site',
          budgetMicroUsd: 2_500_000,
          limits: { tokens: 500_000, turns: null, timeMs: null },
        },
        { mode: 'manual', brain: 'checklist', keyId: '', model: '' },
        false,
      ),
    ).toContain('--budget 2.5 --tokens 500000');
  });

  it('of a ledger that are no days are shown as they are', () => {
    speak('en-US');
    expect([formatDay('2026-11'), formatDay('ses_1'), formatDay('2026-13-40')]).toEqual([
      'Nov 2026',
      'ses_1',
      '2026-13-40',
    ]);
  });
});
