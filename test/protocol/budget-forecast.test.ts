import { describe, expect, it } from 'vitest';
import { forecastBudget, sayForecast } from '../../protocol/budget-forecast.ts';

const HOUR = 60 * 60_000;
const BEGAN = Date.UTC(2026, 10, 30);
const RENEWS = BEGAN + 24 * HOUR;
const at = (hour: number, used: number, limit = 10) =>
  forecastBudget({ used, limit, renewsAt: RENEWS }, BEGAN + hour * HOUR);

describe('the forecast of a daily budget', () => {
  it('goes on at the pace of its day, and says when nothing is left', () => {
    expect(at(6, 2)).toEqual({ elapsed: 0.25, atEnd: 8, usedUpAt: null });
    expect(at(6, 5)).toEqual({ elapsed: 0.25, atEnd: 20, usedUpAt: BEGAN + 12 * HOUR });
  });

  it('lasts where it is used up just as it renews', () => {
    expect(at(12, 5)).toMatchObject({ atEnd: 10, usedUpAt: null });
  });

  it('says nothing where nothing can be told', () => {
    const none = [at(0.5, 2), at(24, 2), at(25, 2), at(6, 0), at(6, 10), at(6, 11)];
    expect(none).toEqual([null, null, null, null, null, null]);
    expect(forecastBudget({ used: 2, limit: 10, renewsAt: null }, BEGAN)).toBeNull();
  });

  it('is said in the unit and the zone of its budget', () => {
    const dollars = { unit: 'dollars', zone: 'Europe/Berlin' } as const;
    expect(sayForecast(dollars, { elapsed: 0.25, atEnd: 8_400_000, usedUpAt: null })).toBe(
      'At the pace of today it comes to about $8.40',
    );
    const usedUpAt = BEGAN + 12 * HOUR;
    expect(sayForecast(dollars, { elapsed: 0.25, atEnd: 20, usedUpAt })).toBe(
      'At the pace of today nothing is left at about 13:00 Europe/Berlin',
    );
  });
});
