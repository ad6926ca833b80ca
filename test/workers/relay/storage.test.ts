import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { FEED_STEPS } from '../../../workers/relay/feed-storage.ts';
import { parseFeedName, parseRelayName } from '../../../workers/relay/identity.ts';
import {
  decideHandoverWait,
  HANDOVER_FIRST_MS,
  HANDOVER_MAX_MS,
} from '../../../workers/relay/outgoing.ts';
import { SNAPSHOT_EVERY } from '../../../workers/relay/session-record.ts';
import { migrateStorage } from '../../../workers/lib/storage-migrations.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readSession,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';

describe('an object’s storage', () => {
  let session: Launched;
  beforeEach(async () => {
    session = await launchOn(await startOnline());
  });

  const inFeed = <T>(run: (storage: DurableObjectStorage) => T): Promise<T> =>
    runInDurableObject(feedStub(session.sessionId), (_, state) => run(state.storage));
  const version = (storage: DurableObjectStorage) =>
    storage.sql.exec('SELECT version FROM storage_version').one()['version'];

  it('is brought forward by the steps that it lacks, once', async () => {
    const steps = [...FEED_STEPS, 'CREATE TABLE later (one INTEGER)'];
    const seen = await inFeed((storage) => {
      migrateStorage(storage, steps);
      migrateStorage(storage, steps);
      return version(storage);
    });
    expect(seen).toBe(steps.length);
  });

  it('is left alone when a step fails', async () => {
    const seen = await inFeed((storage) => {
      expect(() =>
        migrateStorage(storage, [...FEED_STEPS, 'CREATE TABLE half (one INTEGER)', 'NONSENSE']),
      ).toThrow(/syntax error/);
      return [
        version(storage),
        storage.sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'half'`).toArray().length,
      ];
    });
    expect(seen).toEqual([FEED_STEPS.length, 0]);
  });

  it('that is newer than the code is refused with what to do', async () => {
    await inFeed((storage) => {
      expect(() => migrateStorage(storage, [])).toThrow(/start the newer version again/);
    });
  });

  it('gives the same view after a sleep, from a snapshot and what came after it', async () => {
    const words = Array.from({ length: SNAPSHOT_EVERY + 20 }, (_, index) => text(`line ${index}`));
    await session.peer.stored(session.sessionId, 1, words.slice(0, 500));
    await session.peer.stored(session.sessionId, 501, [
      ...words.slice(500),
      turnEnded(session.turnId),
    ]);
    const before = await readSession(session.cli, session.sessionId);
    const snapshot = await inFeed((storage) =>
      storage.sql.exec('SELECT position FROM snapshot').toArray(),
    );
    expect(snapshot).toHaveLength(1);
    await evictDurableObject(feedStub(session.sessionId));
    expect(await readSession(session.cli, session.sessionId)).toEqual(before);
  });

  it('holds an entry larger than a row', async () => {
    const huge = text('🙂'.repeat(120_000));
    await session.peer.stored(session.sessionId, 1, [huge, text('after')]);
    await evictDurableObject(feedStub(session.sessionId));
    const page = await feedStub(session.sessionId).listEntries(2, 10);
    expect(page.ok && page.value.entries.map(({ event }) => event)).toEqual([huge, text('after')]);
  });
});

describe('an object’s name', () => {
  it('is an account and an id', () => {
    expect(parseFeedName('acc_local/ses_1')).toEqual({ account: 'acc_local', id: 'ses_1' });
  });

  it.each([undefined, '', 'ses_1', 'acc_local/run_1', 'acc_local/ses_1/more', '/ses_1'])(
    'is refused when it is %j',
    (name) => {
      expect(() => parseFeedName(name)).toThrow(/expected an id|named <account>/);
    },
  );

  it('of a relay is no feed’s', () => {
    expect(() => parseRelayName('acc_local/ses_1')).toThrow(/expected an id/);
  });
});

describe('handing over a command again', () => {
  it('waits longer each time, up to a bound', () => {
    expect([1, 2, 3].map(decideHandoverWait)).toEqual([
      HANDOVER_FIRST_MS,
      2 * HANDOVER_FIRST_MS,
      4 * HANDOVER_FIRST_MS,
    ]);
    expect(decideHandoverWait(100)).toBe(HANDOVER_MAX_MS);
  });
});
