// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { createFeedStore } from '../../../console/feed/store.ts';
import { MockWorld } from '../../../console/mock/world.ts';
import { startMockServer } from '../../../console/mock/server.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { until } from '../../support/until.ts';

async function open() {
  const world = new MockWorld();
  const record = world.add(eventsUntilApproval());
  const server = await startMockServer(world);
  let drawn = 0;
  const store = createFeedStore({
    open: () =>
      new WebSocket(`${server.url.replace('http', 'ws')}/v1/sessions/${record.sessionId}/socket`),
    now: Date.now,
    random: Math.random,
    schedule: (task) => {
      setTimeout(() => {
        drawn++;
        task();
      }, 5);
    },
  });
  return { record, server, store, draws: () => drawn };
}

describe('the feed of a page', () => {
  it('reads the record, follows it live, and tells the page once a drawn frame', async () => {
    const { record, server, store, draws } = await open();
    let wakes = 0;
    const leave = store.subscribe(() => wakes++);
    await until('the whole record', () => store.read().feed.cursor === record.entries.length);
    const before = draws();
    for (const event of eventsAfterApproval()) record.append([event], Date.now());
    await until('the whole record', () => store.read().feed.cursor === record.entries.length);
    expect(store.read().feed.view).toEqual(record.view);
    expect(draws() - before).toBeLessThanOrEqual(eventsAfterApproval().length);
    expect(wakes).toBe(draws());
    leave();
    await server.close();
  });

  it('shows each entry once after its connection was cut in the middle', async () => {
    const { record, server, store } = await open();
    const leave = store.subscribe(() => undefined);
    await until('the first entries', () => store.read().feed.cursor > 0);
    server.dropSockets();
    record.append(eventsAfterApproval(), Date.now());
    await until('the whole record', () => store.read().feed.cursor === record.entries.length);
    expect(store.read().feed.view).toEqual(record.view);
    expect(store.read().connection.kind).toBe('live');
    leave();
    await server.close();
  });

  it('goes on where it was when it is watched again', async () => {
    const { record, server, store } = await open();
    store.subscribe(() => undefined)();
    expect(record.viewers.size).toBe(0);
    const leave = store.subscribe(() => undefined);
    await until('the whole record', () => store.read().feed.cursor === record.entries.length);
    expect(sessionId.parse(store.read().feed.view?.sessionId)).toBe(record.sessionId);
    leave();
    await until('nobody to watch', () => record.viewers.size === 0);
    await server.close();
  });
});
