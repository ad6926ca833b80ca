import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Outbox } from '../../../runner/link/outbox.ts';
import { Store, StoreLockedError } from '../../../runner/link/store.ts';
import { SESSION } from '../../support/protocol-builders.ts';

let directory: string;
let path: string;
let store: Store;
let outbox: Outbox;
const event = (message: string) =>
  ({ type: 'notice/raised', level: 'info', code: 'test', message }) as const;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-outbox-'));
  path = join(directory, 'runner.db');
  store = new Store(path);
  outbox = new Outbox(store);
});
const reopen = () => {
  store.close();
  store = new Store(path);
  outbox = new Outbox(store);
};
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

test('events are numbered from one, without gaps, and carry their time', () => {
  outbox.append(SESSION, 5, [event('a'), event('b')]);
  expect(outbox.append(SESSION, 6, [event('c')])).toBe(3);
  const page = outbox.readPage(SESSION, 1, 3, 10_000);
  expect(page.events.map((json) => JSON.parse(json) as unknown)).toMatchObject([
    { sessionId: SESSION, seq: 1, at: 5, event: event('a') },
    { seq: 2, at: 5 },
    { seq: 3, at: 6 },
  ]);
});

test('numbers go on after everything was acked, and after a restart', () => {
  outbox.append(SESSION, 1, [event('a'), event('b')]);
  outbox.ack(SESSION, 2);
  outbox.settle();
  reopen();
  expect(outbox.list()).toEqual([]);
  expect(outbox.append(SESSION, 1, [event('c')])).toBe(3);
});

test('an ack counts at once, and what it covers is forgotten when acks are settled', () => {
  outbox.append(SESSION, 1, [event('a'), event('b')]);
  outbox.ack(SESSION, 1);
  expect(outbox.read(SESSION).ackedUpTo).toBe(1);
  expect(outbox.readPage(SESSION, 1, 1, 100).to).toBe(1);
  outbox.settle();
  expect(() => outbox.readPage(SESSION, 1, 1, 100)).toThrow('hole');
  expect(outbox.readPage(SESSION, 2, 2, 100).to).toBe(2);
});

test('an ack that a crash took away leaves its events to be named again, under the same numbers', () => {
  outbox.append(SESSION, 1, [event('a'), event('b')]);
  outbox.ack(SESSION, 2);
  reopen();
  expect(outbox.list()).toEqual([{ sessionId: SESSION, ackedUpTo: 0, lastSeq: 2 }]);
  outbox.ack(SESSION, 2);
  expect(outbox.append(SESSION, 1, [event('c')])).toBe(3);
  expect(outbox.list()).toEqual([{ sessionId: SESSION, ackedUpTo: 2, lastSeq: 3 }]);
});

test('acks whose writing failed are written the next time', () => {
  outbox.append(SESSION, 1, [event('a')]);
  outbox.ack(SESSION, 1);
  const torn = () =>
    store.transaction(() => {
      outbox.settle();
      throw new Error('torn');
    });
  expect(torn).toThrow('torn');
  outbox.settle();
  reopen();
  expect(outbox.read(SESSION)).toMatchObject({ ackedUpTo: 1, lastSeq: 1 });
});

test('a page ends at its bound of bytes, but is never empty', () => {
  outbox.append(SESSION, 1, [event('x'.repeat(500)), event('y'.repeat(500)), event('z')]);
  expect(outbox.readPage(SESSION, 1, 3, 10).to).toBe(1);
  expect(outbox.readPage(SESSION, 1, 3, 1_300).to).toBe(2);
});

test('an ack never goes back and never beyond what there is', () => {
  outbox.append(SESSION, 1, [event('a'), event('b')]);
  expect(outbox.ack(SESSION, 9).ackedUpTo).toBe(2);
  expect(outbox.ack(SESSION, 1).ackedUpTo).toBe(2);
});

test('when the cloud has more than this database ever made, what is new gets numbers above it', () => {
  outbox.append(SESSION, 1, [event('a'), event('b'), event('c')]);
  outbox.ack(SESSION, 2);
  expect(outbox.renumber(SESSION, 10)).toEqual({ sessionId: SESSION, ackedUpTo: 10, lastSeq: 11 });
  expect(
    outbox.readPage(SESSION, 11, 11, 1_000).events.map((json) => JSON.parse(json) as unknown),
  ).toMatchObject([{ seq: 11, event: event('c') }]);
  expect(outbox.append(SESSION, 1, [event('d')])).toBe(12);
});

test('a transaction that fails leaves nothing, and what should follow it does not happen', () => {
  let followed = false;
  expect(() =>
    store.transaction(() => {
      outbox.append(SESSION, 1, [event('a')]);
      store.afterCommit(() => (followed = true));
      throw new Error('torn');
    }),
  ).toThrow('torn');
  expect(outbox.read(SESSION).lastSeq).toBe(0);
  expect(followed).toBe(false);
  store.transaction(() => store.afterCommit(() => (followed = true)));
  expect(followed).toBe(true);
});

test('only its owner can read the database, and a second process cannot open it', () => {
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => new Store(path)).toThrow(StoreLockedError);
});

test('a database of a newer version is refused', () => {
  store.db.exec('PRAGMA user_version = 99');
  store.close();
  expect(() => new Store(path)).toThrow('newer Pilothouse');
  const raw = new Store(':memory:');
  store = raw;
});
