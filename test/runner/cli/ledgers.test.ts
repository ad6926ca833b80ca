import { instanceId, LOCAL_ACTOR, PILOT_ACTOR, runnerId } from '../../../protocol/ids.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACT_KINDS } from '../../../protocol/act.ts';
import { actPage, usageGrouping, usageSummary, type ActRow } from '../../../protocol/http.ts';
import {
  addUsage,
  SPEND_BUCKETS,
  type SpendTotals,
  type UsageEntry,
} from '../../../protocol/usage.ts';
import { EXIT } from '../../../runner/failure.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { aUsage, created, SESSION, TURN } from '../../support/protocol-builders.ts';
import { anAct } from '../../support/transcript-events.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const totalsOf = (...entries: Partial<UsageEntry>[]): SpendTotals =>
  entries.map((entry) => aUsage(entry)).reduce(addUsage, {});
const lines = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await runOn(cloud, ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.ok, stderr: '' });
  return stdout.trimEnd().split('\n');
};
const queries = () => cloud.asked.map(({ query }) => query);

describe('pilothouse usage', () => {
  const DAY = { key: '2026-11-29', label: '2026-11-29' };

  it('says that nothing is recorded, which is not a zero', async () => {
    expect(await lines('usage')).toEqual(['No usage is recorded in this time.']);
  });

  it('has a line for each group and one for all', async () => {
    const [first, second] = [totalsOf({ microUsd: 1_000_000 }), totalsOf({ microUsd: 500_000 })];
    cloud.ledgers.set('usage', {
      by: 'day',
      totals: totalsOf({ microUsd: 1_500_000 }),
      groups: [
        { ...DAY, totals: first },
        { key: '2026-11-28', label: '2026-11-28', totals: second },
      ],
    });
    expect(await lines('usage')).toEqual([
      'DAY         SPEND',
      '2026-11-29  $1.00 reported',
      '2026-11-28  $0.50 reported',
      'all         $1.50 reported',
    ]);
  });

  it('shows every bucket by its own name, and no sum over them', async () => {
    const totals = totalsOf(
      { microUsd: 1_000_000 },
      { microUsd: 2_000_000, provenance: 'estimated' },
      { microUsd: 4_000_000, payer: 'subscription' },
      { microUsd: null, provenance: 'unmetered' },
      { microUsd: null, provenance: 'unsettled' },
      { microUsd: 8_000_000, provenance: 'rehearsal' },
    );
    expect(Object.keys(totals).toSorted()).toEqual([...SPEND_BUCKETS].toSorted());
    cloud.ledgers.set('usage', { by: 'day', totals, groups: [{ ...DAY, totals }] });
    const [, row] = await lines('usage');
    expect(row).toBe(
      '2026-11-29  $1.00 reported + $2.00 estimated + unmetered (470 tokens) + unsettled, no final figure was given + rehearsal, nothing paid + $4.00 notional',
    );
    expect(row).not.toMatch(/\$(3|5|7|15)\.00/);
  });

  it.each(usageGrouping.options)('groups by %s, and says so above the column', async (by) => {
    const totals = totalsOf({});
    cloud.ledgers.set('usage', { by, totals, groups: [{ key: 'k', label: 'One', totals }] });
    expect((await lines('usage', '--by', by))[0]).toMatch(new RegExp(`^${by.toUpperCase()} `));
    expect(queries()).toEqual([{ by, limit: '50' }]);
  });

  it('passes a range on in milliseconds, and leaves out what was not given', async () => {
    const before = Date.now();
    await lines('usage', '--from', '24h', '--to', '2026-11-29T00:00:00Z');
    const { from, ...rest } = queries()[0] ?? {};
    expect(rest).toEqual({
      by: 'day',
      limit: '50',
      to: String(Date.parse('2026-11-29T00:00:00Z')),
    });
    expect(Number(from)).toBeGreaterThanOrEqual(before - 86_400_000);
    expect(Number(from)).toBeLessThanOrEqual(Date.now() - 86_400_000);
  });

  it('keeps a label from outside on its line', async () => {
    const totals = totalsOf({});
    const label = `\u001b[31m/srv/\n${'x'.repeat(90)}`;
    cloud.ledgers.set('usage', { by: 'directory', totals, groups: [{ key: 'd', label, totals }] });
    const rows = await lines('usage', '--by', 'directory');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^\/srv\/ x+…/);
  });

  it('says that there are older sessions, and all that was spent with them', async () => {
    const totals = totalsOf({});
    const groups = [{ key: 'ses_1', label: 'One', totals }];
    cloud.ledgers.set('usage', { by: 'session', totals, groups, nextCursor: 'ses_1' });
    const rows = await lines('usage', '--by', 'session', '--limit', '1');
    expect(rows[2]).toBe('… older sessions: more with --limit');
    expect(rows[3]).toMatch(/^all /);
  });

  it.each([
    [0, 'every sum is right'],
    [3, '3 sums were wrong and are right now'],
  ])('says what came of a repair of %i sums', async (wrong, sentence) => {
    cloud.ledgers.set('repair', { entries: 1_200, wrong });
    expect(await lines('usage', 'repair')).toEqual([
      expect.stringMatching(new RegExp(`^Compared with 1,200 entries: ${sentence}`)),
    ]);
    expect(await jsonOf(cloud, 'usage', 'repair')).toEqual({ entries: 1_200, wrong });
  });

  it('is the summary itself for a program', async () => {
    const summary = { by: 'model', totals: totalsOf({}), groups: [], nextCursor: null } as const;
    cloud.ledgers.set('usage', summary);
    expect(usageSummary.parse(await jsonOf(cloud, 'usage', '--by', 'model'))).toEqual(summary);
  });
});

describe('pilothouse acts', () => {
  const row = (over: Partial<ActRow> = {}): ActRow => ({
    ...anAct(),
    sessionId: SESSION,
    sessionTitle: 'Fix the test',
    engineId: 'claude',
    machine: { runnerId: runnerId.parse('run_1'), name: 'laptop' },
    actorId: LOCAL_ACTOR,
    behalfOf: null,
    rehearsal: false,
    turnId: TURN,
    outcome: 'done',
    witnesses: [],
    decidedBy: null,
    reason: null,
    waiting: false,
    at: Date.now(),
    ...over,
  });
  const serve = (...items: ActRow[]) => cloud.ledgers.set('acts', { items, nextCursor: null });

  it.each([['acts'], ['acts', 'export']])(
    'is of a session or of an instance, never of both: %s %s',
    async (...args) => {
      const both = await runOn(cloud, ...args, '--session', SESSION, '--instance', 'watcher');
      expect(both.exitCode).toBe(EXIT.usage);
      expect(both.stderr).toContain("'--session <session>' cannot be used with");
    },
  );

  it('says that none is recorded', async () => {
    expect(await lines('acts')).toEqual(['No acts are recorded.']);
  });

  it('has a line for each: when, what, on what, how it ended, how it was seen', async () => {
    serve(row());
    const [head, shown] = await lines('acts');
    expect(head).toMatch(
      /^WHEN\s+ACT\s+TARGET\s+OUTCOME\s+SEEN\s+SESSION\s+MACHINE\s+BY\s+COMMAND$/,
    );
    expect(shown).toBe(
      'now   push  origin main  done     stream  Fix the test  laptop   you  git push origin main',
    );
  });

  it.each([
    [{ kind: 'force_push' }, 'force push'],
    [{ kind: 'pull_request' }, 'pull request'],
    [{ rehearsal: true }, 'push (rehearsal)'],
    [{ outcome: 'not_done' }, 'not done'],
    [{ outcome: 'unknown' }, 'unknown'],
    [{ outcome: null }, 'under way'],
    [{ outcome: null, waiting: true }, 'waits for approval'],
    [{ uncertain: true }, 'stream, not certain'],
    [{ witness: 'git' }, 'git'],
    [{ actorId: PILOT_ACTOR, behalfOf: LOCAL_ACTOR }, 'the Pilot for you'],
    [{ sessionId: instanceId.parse('ins_1') }, 'an operator for you'],
    [{ command: `git push ${'x'.repeat(200)}` }, '…'],
  ] as [Partial<ActRow>, string][])('says %j as %s', async (over, words) => {
    serve(row(over));
    expect((await lines('acts'))[1]).toContain(words);
  });

  it('has nothing for a target that is not known', async () => {
    serve(row({ target: null }));
    expect((await lines('acts'))[1]).toMatch(/^now {3}push +done /);
  });

  it('cannot be steered by a command', async () => {
    serve(row({ command: 'git push\u001b[2J\r\nrm -rf /', target: '\u0007o' }));
    const shown = (await lines('acts')).join('\n');
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(shown).toContain('git push rm -rf /');
  });

  it.each(ACT_KINDS)('asks for the kind %s alone', async (kind) => {
    await lines('acts', '--kind', kind);
    expect(queries()).toEqual([{ kind, limit: '50' }]);
  });

  it('asks for those of one person, of the Pilot or of a machine', async () => {
    await lines('acts', '--by', 'pilot', '--machine', 'run_1');
    await lines('acts', '--by', 'usr_local');
    expect(queries()).toEqual([
      { actorId: PILOT_ACTOR, runnerId: 'run_1', limit: '50' },
      { actorId: LOCAL_ACTOR, limit: '50' },
    ]);
    expect((await runOn(cloud, 'acts', '--by', 'everybody')).exitCode).toBe(EXIT.usage);
  });

  it('finds the session by a part of its id first', async () => {
    cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
    await lines('acts', '--session', 'test1', '--limit', '3');
    expect(queries()).toEqual([{ limit: '500' }, { sessionId: SESSION, limit: '3' }]);
  });

  it('asks for no acts of a session that is not there', async () => {
    const { exitCode } = await runOn(cloud, 'acts', '--session', 'nothing');
    expect(exitCode).toBe(EXIT.refused);
    expect(cloud.asked.map(({ path }) => path)).toEqual(['/v1/sessions']);
  });

  it('is the page itself for a program', async () => {
    serve(row(), row({ outcome: null }));
    expect(actPage.parse(await jsonOf(cloud, 'acts')).items).toHaveLength(2);
  });
});
