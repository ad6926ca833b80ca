import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePs, parseStat } from '../../../runner/process/process-table.ts';

/** `/proc/<pid>/stat` of a process, as man 5 proc_pid_stat orders its fields. */
const stat = (over: {
  pid?: number;
  name?: string;
  state?: string;
  parent?: number;
  session?: number;
  ticks?: number;
}) => {
  const { pid = 7, name = 'node', state = 'S', parent = 1, session = 7, ticks = 4242 } = over;
  const between = Array.from({ length: 15 }, () => '0').join(' ');
  return `${pid} (${name}) ${state} ${parent} ${pid} ${session} ${between} ${ticks} 0 0`;
};

describe('a process of Linux', () => {
  test('is told by its number and when it started, on which start of the machine', () => {
    expect(parseStat(stat({}), 'boot')).toEqual({
      pid: 7,
      startedAt: 'boot:4242',
      parent: 1,
      session: 7,
      zombie: false,
    });
  });

  test.each(['Z', 'X'])('that has ended (%s) is a zombie', (state) => {
    expect(parseStat(stat({ state }), 'boot')?.zombie).toBe(true);
  });

  test.each(['R', 'S', 'D', 'T', 't', 'I'])('that lives (%s) is none', (state) => {
    expect(parseStat(stat({ state }), 'boot')?.zombie).toBe(false);
  });

  test('is read right whatever it calls itself', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 15 }),
        fc.integer({ min: 1, max: 4_000_000 }),
        (name, pid) => {
          const row = parseStat(stat({ name, pid, parent: 3, session: 5, ticks: 9 }), 'b');
          expect(row).toEqual({ pid, startedAt: 'b:9', parent: 3, session: 5, zombie: false });
        },
      ),
    );
  });

  test('with a name made to look like another process does not become that', () => {
    const row = parseStat(stat({ name: 'x) S 1 1 1 (y', parent: 99 }), 'b');
    expect(row).toMatchObject({ pid: 7, parent: 99 });
  });

  test('of which anything at all is written never makes the reader throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const row = parseStat(text, 'b');
        expect(row === null || Number.isInteger(row.pid)).toBe(true);
      }),
    );
  });

  test('of another start of the machine is another process', () => {
    expect(parseStat(stat({}), 'one')?.startedAt).not.toBe(parseStat(stat({}), 'two')?.startedAt);
  });
});

describe('the process list of other systems', () => {
  const line = '  501   1   501 Ss   Sun Nov 29 17:46:01 2026    ';

  test('tells when each process started, in the system’s own words', () => {
    expect(parsePs(line)).toEqual([
      {
        pid: 501,
        startedAt: 'Sun Nov 29 17:46:01 2026',
        parent: 1,
        session: 501,
        zombie: false,
      },
    ]);
  });

  test('of many lines has one row each, and none for an empty line', () => {
    expect(parsePs(`${line}\n\n${line.replace('501 ', '502 ')}\n`)).toHaveLength(2);
  });

  test('with an address for a session has no session that a pid could be', () => {
    expect(parsePs(line.replace('  501 Ss', '  1a2b Ss'))).toMatchObject([{ session: 0 }]);
  });

  test('shows which process has ended', () => {
    expect(parsePs(line.replace('Ss', 'Z+'))).toMatchObject([{ zombie: true }]);
  });

  test.each(['', 'garbage', '  PID PPID', '501 1', '-1 1 1 S Sun'])('%j is no process', (text) => {
    expect(parsePs(text)).toEqual([]);
  });
});
