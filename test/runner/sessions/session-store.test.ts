import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { Store } from '../../../runner/link/store.ts';
import { SessionStore, type SessionRow } from '../../../runner/sessions/session-store.ts';
import { SESSION } from '../../support/protocol-builders.ts';
import { SessionSimulator } from '../../support/session-simulator.ts';

const OTHER = sessionId.parse('ses_other');
let store: Store;
let sessions: SessionStore;

beforeEach(() => {
  store = new Store(':memory:');
  sessions = new SessionStore(store);
});
afterEach(() => store.close());

const aRow = (over: Partial<SessionRow> = {}, id = SESSION): SessionRow => ({
  state: { ...new SessionSimulator().state, sessionId: id },
  engineState: { any: ['thing'] },
  carried: { total: 3 },
  checkout: {
    mode: 'inPlace',
    sessionId: id,
    directory: '/home/dev/repo',
    branch: 'main',
    baseCommit: null,
  },
  process: {
    identity: { pid: 7, startedAt: 'boot:1' },
    descendants: [{ pid: 8, startedAt: 'boot:2' }],
    out: '/spools/out',
    err: '/spools/err',
  },
  spoolOffset: 42,
  unwrittenBytes: 0,
  ...over,
});

describe('a session', () => {
  test('is read back as it was stored', () => {
    const row = aRow();
    sessions.save(row, 1);
    expect(sessions.list()).toEqual([row]);
  });

  test('without a process, a checkout or an engine is read back as that', () => {
    const row = aRow({ engineState: null, checkout: null, process: null, spoolOffset: 0 });
    sessions.save(row, 1);
    expect(sessions.list()).toEqual([row]);
  });

  test('that is stored again is one session', () => {
    sessions.save(aRow(), 1);
    const changed = aRow({ spoolOffset: 99, process: null });
    sessions.save(changed, 2);
    expect(sessions.list()).toEqual([changed]);
  });

  test('that was changed longest ago comes first', () => {
    sessions.save(aRow(), 1);
    sessions.save(aRow({}, OTHER), 2);
    sessions.save(aRow(), 3);
    expect(sessions.list().map(({ state }) => state.sessionId)).toEqual([OTHER, SESSION]);
  });

  test('that an earlier version left with an engine it could not write to is looked at anew', () => {
    sessions.save(aRow(), 1);
    store.db.exec(
      `UPDATE sessions SET core = json_set(core, '$.phase', json('{"kind":"orphaned","deadlineAt":9}'))`,
    );
    expect(sessions.list()[0]?.state.phase).toEqual({ kind: 'ready', idleSince: null });
  });

  test('whose column is damaged says which one', () => {
    sessions.save(aRow(), 1);
    store.db.exec("UPDATE sessions SET core = '{'");
    expect(() => sessions.list()).toThrow(/sessions\.core is damaged/);
  });
});

const PROGRESS = { engineState: { next: true }, spoolOffset: 77, unwrittenBytes: 9 };

describe('the progress of a session', () => {
  test('changes the parser’s state and the place in its output, and nothing else', () => {
    sessions.save(aRow(), 1);
    sessions.saveProgress(SESSION, PROGRESS);
    expect(sessions.list()).toEqual([aRow(PROGRESS)]);
  });

  test('ends what was about to be written once it is written', () => {
    sessions.save(aRow({ unwrittenBytes: 8 }), 1);
    sessions.save(aRow({ unwrittenBytes: 8 }, OTHER), 2);
    sessions.saveWritten(SESSION);
    expect(sessions.list().map(({ unwrittenBytes }) => unwrittenBytes)).toEqual([0, 8]);
  });

  test('of one session leaves the others where they are', () => {
    sessions.save(aRow(), 1);
    sessions.save(aRow({}, OTHER), 2);
    sessions.saveProgress(OTHER, { ...PROGRESS, spoolOffset: 5 });
    expect(sessions.list().map(({ spoolOffset }) => spoolOffset)).toEqual([42, 5]);
  });

  test('is undone with the transaction that it was part of', () => {
    sessions.save(aRow(), 1);
    expect(() =>
      store.transaction(() => {
        sessions.saveProgress(SESSION, PROGRESS);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(sessions.list()[0]?.spoolOffset).toBe(42);
  });
});

describe('the output files that were read to the end', () => {
  test('may go once the cloud has everything that was read from them', () => {
    sessions.addSpentSpool('/one', SESSION, 10);
    sessions.addSpentSpool('/two', SESSION, 20);
    expect(sessions.listSpentSpools(SESSION, 9)).toEqual([]);
    expect(sessions.listSpentSpools(SESSION, 10)).toEqual(['/one']);
    expect(sessions.listSpentSpools(SESSION, 25).toSorted()).toEqual(['/one', '/two']);
  });

  test('are each session’s own', () => {
    sessions.addSpentSpool('/one', SESSION, 1);
    expect(sessions.listSpentSpools(OTHER, 100)).toEqual([]);
  });

  test('are forgotten when they are gone', () => {
    sessions.addSpentSpool('/one', SESSION, 1);
    sessions.forgetSpool('/one');
    sessions.forgetSpool('/never');
    expect(sessions.listSpentSpools(SESSION, 100)).toEqual([]);
  });

  test('named again wait for the later of the two', () => {
    sessions.addSpentSpool('/one', SESSION, 1);
    sessions.addSpentSpool('/one', SESSION, 5);
    expect(sessions.listSpentSpools(SESSION, 4)).toEqual([]);
  });
});
