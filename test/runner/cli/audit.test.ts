import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SessionChain } from '../../../protocol/chain.ts';
import type { AccessRow, ApprovalRow } from '../../../protocol/audit.ts';
import { LOCAL_ACTOR, requestId } from '../../../protocol/ids.ts';
import { EXIT } from '../../../runner/failure.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { created, SESSION } from '../../support/protocol-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const serve = (path: RegExp, ...items: unknown[]) =>
  cloud.garble(path, JSON.stringify({ items, nextCursor: null }));
const lines = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await runOn(cloud, 'audit', ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.ok, stderr: '' });
  return stdout.trimEnd().split('\n');
};
const approval = (over: Partial<ApprovalRow> = {}): ApprovalRow => ({
  requestId: requestId.parse('apr_1'),
  sessionId: SESSION,
  sessionTitle: 'Fix the test',
  kind: 'tool',
  toolName: 'Bash',
  acts: ['force_push'],
  requestedAt: Date.now(),
  expiresAt: null,
  answer: { decision: 'allow', actorId: LOCAL_ACTOR, channel: 'cli', at: Date.now() },
  resolution: { outcome: 'allowed', at: Date.now() },
  ...over,
});
const access = (over: Partial<AccessRow> = {}): AccessRow => ({
  requestId: 'req-1',
  principalKind: 'cli',
  principalName: 'laptop',
  operation: 'sessions.stop',
  target: '/v1/sessions/ses_1/stop',
  status: 202,
  errorCode: null,
  at: Date.now(),
  ...over,
});

describe('pilothouse audit approvals', () => {
  const PATH = /^\/v1\/approvals/;

  it('says what was asked, who answered from where, and what became of it', async () => {
    serve(PATH, approval());
    const [head, row] = await lines('approvals');
    expect(head).toMatch(/^ASKED\s+FOR\s+SESSION\s+ANSWER\s+BY\s+FROM\s+BECAME$/);
    expect(row).toBe('now    force push  Fix the test  allow   usr_local  cli   allowed');
  });

  it.each([
    [{ answer: null, resolution: null }, 'waits'],
    [{ answer: null, resolution: { outcome: 'expired', at: 1 } }, 'nobody answered'],
    [{ resolution: null }, 'not confirmed'],
    [{ acts: [] }, 'Bash'],
  ] as [Partial<ApprovalRow>, string][])('says %j as %s', async (over, words) => {
    serve(PATH, approval(over));
    expect((await lines('approvals'))[1]).toContain(words);
  });

  it('asks for a session and a time, and says when there is nothing', async () => {
    cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
    serve(PATH);
    const to = '2026-11-29T00:00:00Z';
    expect(await lines('approvals', '--session', 'test1', '--to', to, '--limit', '3')).toEqual([
      'Nothing was asked in this time.',
    ]);
    expect(cloud.asked.at(-1)?.query).toEqual({
      sessionId: SESSION,
      to: String(Date.parse(to)),
      limit: '3',
    });
  });
});

describe('pilothouse audit access', () => {
  const PATH = /^\/v1\/access/;

  it('says who did what to what, and how it ended', async () => {
    serve(PATH, access(), access({ status: 404, errorCode: 'session_not_found' }));
    const [head, done, refused] = await lines('access');
    expect(head).toMatch(/^WHEN\s+WHO\s+DID\s+ON\s+ENDED$/);
    expect(done).toContain('laptop (cli)');
    expect(done).toMatch(/202$/);
    expect(refused).toMatch(/session_not_found$/);
  });

  it('is the page itself for a program', async () => {
    serve(PATH, access());
    expect(await jsonOf(cloud, 'audit', 'access')).toMatchObject({
      items: [{ operation: 'sessions.stop' }],
      nextCursor: null,
    });
  });

  it('is a file with --csv, whole and not a page of it', async () => {
    cloud.garble(/^\/v1\/access\/export/, 'at,who\r\n');
    expect(await lines('access', '--csv')).toEqual(['at,who']);
    expect(cloud.asked.at(-1)).toMatchObject({
      path: '/v1/access/export',
      query: { format: 'csv' },
    });
  });

  it.each([[], ['--json']])(
    'is a file with -o alone, whatever else is said: %j',
    async (...also) => {
      cloud.garble(/^\/v1\/access\/export/, also.length > 0 ? '[]' : 'at,who\r\n');
      const file = join(mkdtempSync(join(tmpdir(), 'audit-')), 'access');
      expect((await lines('access', '-o', file, ...also)).join('')).toContain(file);
      expect(readFileSync(file, 'utf8')).toBe(also.length > 0 ? '[]' : 'at,who\r\n');
    },
  );

  it.each(['--csv', '--output=x'])('is never a part of it with %s', async (how) => {
    const { exitCode, stderr } = await runOn(cloud, 'audit', 'access', '--limit', '5', how);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining('--limit')]);
    expect(cloud.asked).toEqual([]);
  });

  it('says why when it is refused', async () => {
    cloud.refuse(PATH, 'forbidden');
    expect((await runOn(cloud, 'audit', 'access')).exitCode).toBe(EXIT.refused);
  });
});

describe('pilothouse audit verify', () => {
  const PATH = /^\/v1\/chains/;
  const chain = (over: Partial<SessionChain> = {}): SessionChain => ({
    sessionId: SESSION,
    sessionTitle: 'Fix the test',
    standing: 'holds',
    rows: 8,
    earlier: 0,
    since: 1,
    head: { number: 8, hash: 'c0ffee' },
    findings: [],
    faults: 0,
    ...over,
  });
  const altered = chain({
    standing: 'broken',
    findings: [{ fault: 'altered', number: 3, ledger: 'act', key: 'act_1' }],
    faults: 4,
  });

  it('says how much holds, and how much is older than the chain', async () => {
    serve(PATH, chain(), chain({ standing: 'unchained', rows: 0, earlier: 2 }));
    expect(await lines('verify')).toEqual([
      'The ledgers hold: 8 rows of 1 session are what was recorded.',
      '2 rows from before there were chains could not be compared.',
    ]);
  });

  it('never reads as unchanged where nothing was compared', async () => {
    serve(PATH, chain({ standing: 'empty', rows: 0 }));
    expect(await lines('verify')).toEqual(['Nothing to compare: no session has a chain yet.']);
  });

  it('names what was changed, and fails', async () => {
    serve(PATH, chain(), altered);
    const { exitCode, stdout } = await runOn(cloud, 'audit', 'verify');
    expect(exitCode).toBe(EXIT.failed);
    expect(stdout).toContain('The ledgers were changed: of 16 rows of 2 sessions, 1 session no');
    expect(stdout).toContain('Link 3: the act act_1 is not what was recorded.');
    expect(stdout).toContain('… and 3 more');
    expect(stdout).toContain('Keep a copy of the data directory');
  });

  it('is a value to a program, with the same exit code', async () => {
    serve(PATH, altered);
    const { exitCode, stdout } = await runOn(cloud, 'audit', 'verify', '--json');
    expect(exitCode).toBe(EXIT.failed);
    expect(JSON.parse(stdout)).toMatchObject({ holds: false, sessions: 1, items: [altered] });
  });
});
