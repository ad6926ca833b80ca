import { runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FeedEntry } from '../../../protocol/engine-event.ts';
import { commandId, LOCAL_ACTOR, runnerId, sessionId } from '../../../protocol/ids.ts';
import { encodeChunks } from '../../../workers/relay/chunks.ts';
import { FeedStore } from '../../../workers/relay/feed-store.ts';
import { makeInterrupt, makeStop } from '../../../workers/relay/make-command.ts';
import {
  decideHandoverWait,
  HANDOVER_FIRST_MS,
  HANDOVER_MAX_MS,
  OutgoingStore,
} from '../../../workers/relay/outgoing.ts';
import { created, entriesOf, SESSION, viewAfter } from '../../support/protocol-builders.ts';
import { said } from '../../support/transcript-events.ts';
import { startEmpty } from '../support/http.ts';
import { feedStub } from '../support/sessions.ts';

beforeAll(startEmpty);

/** Works on the tables of a feed that does nothing else. */
function onTables<T>(name: string, act: (sql: SqlStorage) => T): Promise<T> {
  return runInDurableObject(feedStub(sessionId.parse(`ses_${name}`)), async (_, state) => {
    await Promise.resolve();
    return act(state.storage.sql);
  });
}
const wordsOf = (count: number): FeedEntry[] =>
  entriesOf(Array.from({ length: count }, (_, index) => said(`word ${index}`)));

describe('the entries of a feed', () => {
  it('are read back whole after any position, in whatever batches they were stored', async () => {
    const batches = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
    await onTables('entries', (sql) =>
      fc.assert(
        fc.property(batches, fc.nat(80), fc.integer({ min: 1, max: 80 }), (sizes, after, limit) => {
          sql.exec('DELETE FROM chunks');
          const store = new FeedStore(sql);
          const entries = wordsOf(sizes.reduce((sum, size) => sum + size, 0));
          let at = 0;
          for (const size of sizes) {
            for (const chunk of encodeChunks(entries.slice(at, at + size)))
              store.appendChunk(chunk);
            at += size;
          }
          expect(store.listEntries(after, limit)).toEqual(entries.slice(after, after + limit));
        }),
        { numRuns: 60 },
      ),
    );
  });

  it('are none after the last, and none of an empty feed', async () => {
    const found = await onTables('empty', (sql) => {
      const store = new FeedStore(sql);
      const before = store.nextChunk(0);
      for (const chunk of encodeChunks(wordsOf(3))) store.appendChunk(chunk);
      return [before, store.nextChunk(3), store.nextChunk(99), store.listEntries(3, 10)];
    });
    expect(found).toEqual([null, null, null, []]);
  });

  it('are never stored twice under one position', async () => {
    await onTables('twice', (sql) => {
      const store = new FeedStore(sql);
      const [chunk] = encodeChunks(wordsOf(2));
      if (!chunk) throw new Error('no chunk');
      store.appendChunk(chunk);
      expect(() => store.appendChunk(chunk)).toThrow(/UNIQUE|constraint/i);
    });
  });
});

describe('the facts and the snapshot of a feed', () => {
  const facts = {
    runnerId: runnerId.parse('run_1'),
    actorId: LOCAL_ACTOR,
    epoch: 1,
    seqUpTo: 0,
    lastPosition: 2,
    projectedUpTo: 0,
  };

  it('are none before the first, and the last ones after', async () => {
    const read = await onTables('facts', (sql) => {
      const store = new FeedStore(sql);
      const before = [store.readFacts(), store.readSnapshot()];
      store.writeFacts(facts);
      store.writeFacts({ ...facts, epoch: 2, seqUpTo: 9 });
      return [...before, store.readFacts()];
    });
    expect(read).toEqual([null, null, { ...facts, epoch: 2, seqUpTo: 9 }]);
  });

  it('replace an older snapshot whole, also a larger one by a smaller', async () => {
    const view = viewAfter(created());
    const large = { ...view, reason: 'é'.repeat(3_000_000) };
    const read = await onTables('snapshot', (sql) => {
      const store = new FeedStore(sql);
      store.writeSnapshot(5, large);
      const first = store.readSnapshot()?.view.reason?.length;
      store.writeSnapshot(9, view);
      return [first, store.readSnapshot()];
    });
    expect(read).toEqual([3_000_000, { position: 9, view }]);
  });
});

describe('the commands that a feed hands over', () => {
  const command = (id: number, epoch = 1) =>
    makeStop({ id: commandId.parse(`cmd_${id}`), sessionId: SESSION, epoch, nowMs: 0 });

  it('are listed in the order in which they were made, until each has its result', async () => {
    const listed = await onTables('order', (sql) => {
      const store = new OutgoingStore(sql);
      store.add(command(1), 20);
      store.add(command(2), 10);
      store.add(command(3), 20);
      const before = store.list().map(({ command: { id } }) => id);
      store.remove(commandId.parse('cmd_1'));
      return [before, store.list().map(({ command: { id } }) => id)];
    });
    expect(listed).toEqual([
      ['cmd_2', 'cmd_1', 'cmd_3'],
      ['cmd_2', 'cmd_3'],
    ]);
  });

  it('are handed over one after the other: the oldest that the relay lacks is the next', async () => {
    const heads = await onTables('head', (sql) => {
      const store = new OutgoingStore(sql);
      const none = store.head();
      store.add(command(1), 100);
      store.add(command(2), 100);
      const first = store.head();
      const later = store.postpone(command(1).id, 3, 5_000);
      const second = store.head();
      store.markTaken(command(1).id);
      const third = store.head()?.command.id;
      store.markTaken(command(2).id);
      return { none, first, later, second, third, last: store.head() };
    });
    const later = 5_000 + decideHandoverWait(3);
    const untaken = { command: command(1), taken: false };
    expect(heads).toEqual({
      none: null,
      first: { ...untaken, attempts: 0, nextAt: 100 + HANDOVER_FIRST_MS },
      later,
      second: { ...untaken, attempts: 3, nextAt: later },
      third: 'cmd_2',
      last: null,
    });
  });

  it('are read by id as they were made, and not there when they are not', async () => {
    const read = await onTables('read', (sql) => {
      const store = new OutgoingStore(sql);
      store.add(command(1), 0);
      return [store.read(commandId.parse('cmd_1')), store.read(commandId.parse('cmd_2'))];
    });
    expect(read).toEqual([command(1), null]);
  });

  it('of an older epoch are forgotten, and those of this one kept', async () => {
    const left = await onTables('epoch', (sql) => {
      const store = new OutgoingStore(sql);
      store.add(command(1, 1), 0);
      store.add(command(2, 2), 0);
      store.add({ ...makeInterrupt({ ...command(3, 3), nowMs: 0, sessionId: SESSION }) }, 0);
      store.removeOlderThan(2);
      return store.list().map(({ command: { id } }) => id);
    });
    expect(left).toEqual(['cmd_2', 'cmd_3']);
  });

  it('wait at least as long after each failure as after the one before, up to the bound', () => {
    fc.assert(
      fc.property(fc.nat(60), (attempts) => {
        const wait = decideHandoverWait(attempts);
        expect(wait).toBeGreaterThanOrEqual(HANDOVER_FIRST_MS);
        expect(wait).toBeLessThanOrEqual(HANDOVER_MAX_MS);
        expect(decideHandoverWait(attempts + 1)).toBeGreaterThanOrEqual(wait);
      }),
    );
  });
});
