import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrainReply } from '../../../protocol/brain-answer.ts';
import { type AskId, type AskProcess, AskStore } from '../../../runner/brain/ask-store.ts';
import { Store } from '../../../runner/link/store.ts';
import { SESSION, TURN } from '../../support/protocol-builders.ts';
import { aSessionId, aSpool } from '../../support/runner-builders.ts';

const NOW = 1_764_000_000_000;
const DAY_MS = 24 * 3_600_000;
const ASK: AskId = { sessionId: SESSION, step: 3 };
const REPLY: BrainReply = { kind: 'undecided', problem: 'No answer.', usage: [] };
const PROCESS = {
  identity: { pid: 7, startedAt: '12' },
  paths: aSpool('/spool'),
  sealed: true,
  launch: { directory: '/aside' },
  turnId: TURN,
  deadlineAt: NOW + 30_000,
} as unknown as AskProcess;

let root: string;
let store: Store;
let asks: AskStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'asks-'));
  store = new Store(join(root, 'runner.db'));
  asks = new AskStore(store);
});
afterEach(() => {
  store.close();
  rmSync(root, { recursive: true });
});

/** What the next runner on this machine finds. */
function reopened(): AskStore {
  store.close();
  store = new Store(join(root, 'runner.db'));
  return new AskStore(store);
}

describe('a question that was begun', () => {
  it('is open until it has its answer, and the next runner knows the process of it', () => {
    asks.begin(ASK, NOW);
    expect(asks.find(ASK)).toEqual({ ...ASK, process: null, reply: null });
    asks.started(ASK, PROCESS);
    expect(reopened().listOpen()).toEqual([{ ...ASK, process: PROCESS, reply: null }]);
  });

  it('is no longer open with its answer, which is remembered', () => {
    asks.begin(ASK, NOW);
    asks.started(ASK, PROCESS);
    asks.finish(ASK, REPLY);
    expect(asks.listOpen()).toEqual([]);
    expect(reopened().find(ASK)?.reply).toEqual(REPLY);
  });

  it('is not begun twice', () => {
    asks.begin(ASK, NOW);
    expect(() => asks.begin(ASK, NOW + 1)).toThrow(/UNIQUE/);
  });

  it('that was never asked may be asked anew', () => {
    asks.begin(ASK, NOW);
    asks.forget(ASK);
    expect(asks.find(ASK)).toBeNull();
    asks.begin(ASK, NOW + 1);
    expect(asks.listOpen()).toHaveLength(1);
  });

  it('is another one at another step and of another session', () => {
    const others = [
      { ...ASK, step: 4 },
      { ...ASK, sessionId: aSessionId() },
    ];
    asks.begin(ASK, NOW);
    for (const [index, other] of others.entries()) asks.begin(other, NOW - index - 1);
    asks.finish(ASK, REPLY);
    expect(others.map((other) => asks.find(other)?.reply)).toEqual([null, null]);
    // Longest open first.
    const open = asks.listOpen().map(({ sessionId, step }) => ({ sessionId, step }));
    expect(open).toEqual(others.toReversed());
  });
});

describe('an answer', () => {
  it('is forgotten after a week, when another question is begun', () => {
    const [old, recent, lost] = [1, 2, 3].map((step) => ({ ...ASK, step })) as [
      AskId,
      AskId,
      AskId,
    ];
    asks.begin(lost, NOW - 30 * DAY_MS);
    asks.begin(old, NOW - 7 * DAY_MS - 1);
    asks.begin(recent, NOW - 7 * DAY_MS);
    for (const id of [old, recent]) asks.finish(id, REPLY);
    asks.begin({ ...ASK, step: 4 }, NOW);
    expect(asks.find(old)).toBeNull();
    expect(asks.find(recent)?.reply).toEqual(REPLY);
    // What has no answer is kept for as long as it takes: somebody has to say that it is lost.
    expect(asks.find(lost)).not.toBeNull();
  });

  it('that is no answer any more is refused instead of sent on', () => {
    asks.begin(ASK, NOW);
    store.db.prepare('UPDATE asks SET reply = ?').run('{"kind":"answered"}');
    expect(() => asks.find(ASK)).toThrow();
    store.db.prepare('UPDATE asks SET reply = ?').run('{"kind":');
    expect(() => asks.find(ASK)).toThrow(/asks\.reply/);
  });
});
