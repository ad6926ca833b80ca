import { expect, test } from 'vitest';
import type { Listener } from '../../../runner/preview/listeners.ts';
import { SHARED_MS, SharedLooks } from '../../../runner/preview/previews.ts';
import { aSessionId } from '../../support/runner-builders.ts';

const listener: Listener = {
  port: 3000,
  address: '127.0.0.1',
  program: 'node server.js',
  process: { pid: 1, startedAt: '1' },
  network: null,
};

test('the connections of a page share one look at who listens, and the next page has its own', () => {
  let [now, looked] = [1_000, 0];
  const [one, other] = [aSessionId(), aSessionId()];
  const looks = new SharedLooks(
    (sessionId) => {
      looked += 1;
      return sessionId === one ? [listener] : [];
    },
    () => now,
  );
  expect([looks.find(one, 3000), looks.find(one, 3000)]).toEqual([listener, listener]);
  expect(looks.find(one, 4000)).toBeNull();
  expect(looked).toBe(1);
  expect(looks.find(other, 3000)).toBeNull();
  expect(looked).toBe(2);
  now += SHARED_MS;
  looks.find(one, 3000);
  expect(looked).toBe(3);
  now = 0;
  looks.find(one, 3000);
  expect(looked).toBe(4);
});
