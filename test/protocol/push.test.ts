import { describe, expect, it } from 'vitest';
import {
  chosenNow,
  isPushEndpoint,
  isQuiet,
  PUSH_KINDS,
  quietHours,
  subscribeRequest,
  withLater,
} from '../../protocol/push.ts';

describe('the address of a push service', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:DEF-_1',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA=',
    'https://web.push.apple.com/QGu?x=1',
    'https://wns2-am3p.notify.windows.com/w/?token=BQ%2b',
  ])('is %s', (address) => {
    expect(isPushEndpoint(address)).toBe(true);
  });

  it.each([
    'http://fcm.googleapis.com/x',
    'https://FCM.googleapis.com/x',
    'https://fcm.googleapis.com',
    'https://fcm.googleapis.com:444/x',
    'https://me@fcm.googleapis.com/x',
    'https://evil.example/@fcm.googleapis.com/x',
    'https://evil.example\\.fcm.googleapis.com/x',
    'https://xfcm.googleapis.com/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://169.254.169.254/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://fcm.googleapis.com/x y',
    'not an address',
  ])('is not %s', (address) => {
    expect(isPushEndpoint(address)).toBe(false);
  });
});

describe('quiet hours', () => {
  const at = (text: string) => Date.parse(text);
  const berlin = { from: 22 * 60, to: 7 * 60, timeZone: 'Europe/Berlin' };

  it('go over midnight, where the person is', () => {
    expect(isQuiet(berlin, at('2026-01-10T20:59:00Z'))).toBe(false);
    expect(isQuiet(berlin, at('2026-01-10T21:00:00Z'))).toBe(true);
    expect(isQuiet(berlin, at('2026-01-11T05:59:00Z'))).toBe(true);
    expect(isQuiet(berlin, at('2026-01-11T06:00:00Z'))).toBe(false);
  });

  it('follow the clock of the place through the year', () => {
    expect(isQuiet(berlin, at('2026-07-10T20:00:00Z'))).toBe(true);
    expect(isQuiet(berlin, at('2026-07-11T05:00:00Z'))).toBe(false);
  });

  it('within one day are the hours between', () => {
    const noon = { from: 12 * 60, to: 13 * 60 + 30, timeZone: 'UTC' };
    expect(isQuiet(noon, at('2026-01-10T12:00:00Z'))).toBe(true);
    expect(isQuiet(noon, at('2026-01-10T13:30:00Z'))).toBe(false);
    expect(isQuiet(null, at('2026-01-10T12:00:00Z'))).toBe(false);
    expect(isQuiet({ ...noon, to: noon.from }, at('2026-01-10T12:00:00Z'))).toBe(false);
  });

  it('name a place that there is', () => {
    expect(quietHours.safeParse({ ...berlin, timeZone: 'Mars/Olympus' }).success).toBe(false);
    expect(quietHours.safeParse({ ...berlin, to: 1_440 }).success).toBe(false);
  });
});

describe('a subscription', () => {
  const asked = {
    endpoint: 'https://fcm.googleapis.com/x',
    keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
    name: 'Firefox',
    kinds: ['approval'],
    quiet: null,
  };

  it('has keys of the length that browsers make', () => {
    expect(subscribeRequest.safeParse(asked).success).toBe(true);
    for (const keys of [
      { ...asked.keys, auth: 'a'.repeat(21) },
      { ...asked.keys, p256dh: `${'B'.repeat(86)}=` },
    ])
      expect(subscribeRequest.safeParse({ ...asked, keys }).success).toBe(false);
  });
});

describe('a choice of kinds', () => {
  it('from before there were others is told of those too, and says which they are', () => {
    const added = ['pilot', 'operator', 'budget', 'digest'];
    expect(withLater({ kinds: ['failed'], quiet: null })).toEqual({
      kinds: PUSH_KINDS.filter((kind) => kind === 'failed' || added.includes(kind)),
      added,
    });
    const among = PUSH_KINDS.filter((kind) => kind !== 'digest');
    expect(withLater({ kinds: ['failed'], quiet: null, among })).toMatchObject({
      added: ['digest'],
    });
  });

  it.each([
    ['made among all that there are', chosenNow({ kinds: ['failed'], quiet: null })],
    ['of nothing', { kinds: [], quiet: null }],
    ['of one of the later kinds', { kinds: ['pilot' as const], quiet: null }],
  ])('%s stays as it is', (_, choice) => {
    expect(withLater(choice)).toEqual({ kinds: choice.kinds, added: [] });
  });
});
