import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideFamily } from '../../../runner/process/descendants.ts';
import type { ProcessRow } from '../../../runner/process/process-table.ts';

const row = (pid: number, parent: number, session = pid, startedAt = `s${pid}`): ProcessRow => ({
  pid,
  parent,
  session,
  startedAt,
  zombie: false,
});
const pids = (rows: readonly ProcessRow[]) => rows.map(({ pid }) => pid).toSorted((a, b) => a - b);

describe('the family of an engine', () => {
  const engine = { pid: 10, startedAt: 's10' };

  test('is its children and theirs', () => {
    const table = [row(1, 0), row(10, 1), row(11, 10, 10), row(12, 11, 12), row(20, 1)];
    expect(pids(decideFamily(table, [engine]))).toEqual([10, 11, 12]);
  });

  test('keeps a member whose parent is gone, by its session', () => {
    const table = [row(1, 0), row(10, 1), row(13, 1, 10)];
    expect(pids(decideFamily(table, [engine]))).toEqual([10, 13]);
  });

  test('keeps one that left its session and lost its parent, because it was seen before', () => {
    const table = [row(1, 0), row(14, 1, 14), row(15, 14, 14)];
    expect(pids(decideFamily(table, [engine, { pid: 14, startedAt: 's14' }]))).toEqual([14, 15]);
  });

  test('has no room for a stranger that was given an old pid, nor for its children', () => {
    const table = [row(1, 0), row(10, 1, 10, 'later'), row(11, 10, 10)];
    expect(decideFamily(table, [engine])).toEqual([]);
  });
});

test('whatever the table holds, nobody joins without a path of parents or sessions to the engine', () => {
  const tables = fc.array(
    fc.record({
      pid: fc.integer({ min: 2, max: 30 }),
      parent: fc.integer({ min: 0, max: 30 }),
      session: fc.integer({ min: 0, max: 30 }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(tables, (rows) => {
      const table = [
        ...new Map(
          rows.map(({ pid, parent, session }) => [pid, row(pid, parent, session)]),
        ).values(),
      ];
      const family = decideFamily(table, [{ pid: 10, startedAt: 's10' }]);
      const members = new Set(family.map(({ pid }) => pid));
      for (const { pid, parent, session } of family) {
        const related = pid === 10 || members.has(parent) || members.has(session) || session === 10;
        expect(related).toBe(true);
      }
    }),
  );
});
