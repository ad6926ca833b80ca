import type { MockWorld } from '../../../console/mock/world.ts';
import { pushDeviceId, sessionId } from '../../../protocol/ids.ts';
import { PUSH_KINDS } from '../../../protocol/push.ts';
import { NOON } from './noon.ts';

const HOUR_MS = 3_600_000;

/** A phone and a chat that are told, and what the last digest said. */
export function fillNotifications({ push, records }: MockWorld): void {
  const [first, second] = [...records.keys()];
  const choices = { kinds: [...PUSH_KINDS], quiet: { from: 1_320, to: 420, timeZone: 'UTC' } };
  const told = {
    createdAt: NOON - 90 * HOUR_MS,
    lastAt: NOON - HOUR_MS,
    fault: null,
    added: [],
  };
  const deviceId = pushDeviceId.parse('psh_harbour');
  push.devices = [{ deviceId, name: 'Chrome on Android', details: true, ...choices, ...told }];
  const kinds = PUSH_KINDS.filter((kind) => kind !== 'finished');
  push.webhook = { host: 'hooks.slack.com', kinds, quiet: null, status: 200, ...told };
  push.digest = { at: 480, timeZone: 'Europe/Berlin' };
  const figures = { inputTokens: 4_000, outputTokens: 2_100, cacheReadTokens: 0 };
  const sum = { ...figures, cacheWriteTokens: 0, entries: 3, unpriced: 0 };
  if (first === undefined || second === undefined) return;
  push.told = {
    from: NOON - 28 * HOUR_MS,
    to: NOON - 4 * HOUR_MS,
    waiting: {
      count: 1,
      items: [
        {
          sessionId: sessionId.parse(first),
          title: 'Fix the tide average',
          state: 'awaiting_approval',
        },
      ],
    },
    failed: {
      count: 1,
      items: [{ sessionId: sessionId.parse(second), title: 'Move the charts', state: 'halted' }],
    },
    spend: {
      reported: { ...sum, microUsd: 2_410_000 },
      estimated: { ...sum, microUsd: 860_000 },
    },
    acts: [
      { kind: 'push', count: 4 },
      { kind: 'pull_request', count: 1 },
    ],
    breaches: 1,
  };
}
