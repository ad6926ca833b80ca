import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionPage } from '../../../../protocol/http.ts';
import { sessionId } from '../../../../protocol/ids.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import {
  accepted,
  anApproval,
  ended,
  running,
  sessionEnded,
} from '../../../support/transcript-events.ts';
import { checkoutPrepared } from '../../../support/feed-events.ts';
import { aUsage, created, TURN } from '../../../support/protocol-builders.ts';

const HOUR_MS = 3_600_000;

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

/** A session that was created so long ago; each of its entries is a second later. */
function add(id: string, agoMs = 0, ...events: Parameters<FakeCloud['append']>[1][]): FakeSession {
  const runner = aRunner('run_1', 'laptop');
  const session = new FakeSession(sessionId.parse(id), runner, Date.now() - agoMs);
  return cloud.addSession(session, created({ engineId: 'claude' }), accepted(), ...events);
}
const lines = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await runOn(cloud, 'sessions', 'list', ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.ok, stderr: '' });
  return stdout.trimEnd().split('\n');
};

describe('pilothouse sessions list', () => {
  it('says how to begin where there is none', async () => {
    expect(await lines()).toEqual(['No sessions yet. `pilothouse launch "…"` starts one.']);
  });

  it('has a line for each, the newest first, under headings', async () => {
    add('ses_old', 3 * HOUR_MS);
    add('ses_new');
    const [head, ...rows] = await lines();
    expect(head).toMatch(/^SESSION\s+STATE\s+ENGINE\s+GRADE\s+SPEND\s+ACTS\s+UPDATED\s+TITLE$/);
    expect(rows).toEqual([
      'ses_new  queued  claude         no usage recorded  0     now      Fix the test',
      'ses_old  queued  claude         no usage recorded  0     2h ago   Fix the test',
    ]);
  });

  it('marks the one that waits for the person', async () => {
    const request = { type: 'approval/requested', request: anApproval() } as const;
    add('ses_1', 0, ...running(), request);
    expect((await lines())[1]).toContain('awaiting_approval (needs you)');
  });

  it('says how much power each holds', async () => {
    const grade = { grade: 'fenced', reason: 'It cannot be sealed.' } as const;
    add('ses_1', 0, ...running(), checkoutPrepared({ grade }));
    expect((await lines())[1]).toMatch(/claude\s+fenced\s/);
  });

  it('shows an end as it was', async () => {
    add('ses_1', 0, ...running(), sessionEnded({ end: 'lost', reason: 'The machine is gone.' }));
    expect((await lines())[1]).toMatch(/^ses_1\s+lost\s/);
  });

  it('keeps money of different provenance apart', async () => {
    const entries = [
      aUsage({ microUsd: 1_230_000 }),
      aUsage({ microUsd: 40_000, provenance: 'estimated' }),
    ];
    add('ses_1', 0, ...running(), { type: 'usage/recorded', turnId: TURN, entries }, ended());
    expect((await lines())[1]).toContain('$1.23 reported + $0.04 estimated');
  });

  it('asks for as many as it was told, and for twenty otherwise', async () => {
    await lines('--limit', '3');
    await lines();
    expect(cloud.asked.map(({ query }) => query)).toEqual([{ limit: '3' }, { limit: '20' }]);
  });

  it('fits a long title of several lines on its line, without steering the terminal', async () => {
    const session = new FakeSession(sessionId.parse('ses_1'), aRunner('run_1', 'laptop'));
    cloud.addSession(session, created({ objective: `\u001b[2Jone ${'word '.repeat(40)}\nmore` }));
    const rows = await lines();
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatch(/one word .*…$/);
    expect(rows[1]).not.toContain('\u001b');
  });

  it('is the page itself for a program, with the cursor of the next', async () => {
    add('ses_1');
    add('ses_2');
    const page = sessionPage.parse(await jsonOf(cloud, 'sessions', 'list', '--limit', '1'));
    expect([page.items.map((item) => item.sessionId), page.nextCursor]).toEqual([
      ['ses_2'],
      'more',
    ]);
  });
});
