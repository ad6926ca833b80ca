import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandResult } from '../../../protocol/command.ts';
import { runnerPage, runnerSummary } from '../../../protocol/http.ts';
import type { RelayCalls } from '../../../workers/lib/calls.ts';
import { type Answer, ask, codeOf, registerRunner } from '../support/http.ts';
import { MACHINE } from '../support/peers.ts';
import { type Installation, relayStub, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';

describe('machines', () => {
  let home: Installation;
  beforeEach(async () => {
    home = await startOnline();
  });

  const get = (path: string) => ask('GET', `/v1/runners${path}`, { bearer: home.cli });
  /** Asks, lets the runner answer, returns what the caller gets. */
  const askRunner = async (asked: Promise<Answer>, result: CommandResult) => {
    const { command } = await home.peer.next('command');
    home.peer.result(command.id, result);
    return { command, answer: await asked };
  };

  it('are listed with what they say of themselves and whether they are there', async () => {
    const away = await registerRunner();
    const { items } = runnerPage.parse((await get('')).body);
    expect(items.map(({ runnerId, presence }) => [runnerId, presence])).toEqual([
      [home.runner.runnerId, 'online'],
      [away.runnerId, 'offline'],
    ]);
    expect(items[0]?.machine).toEqual(MACHINE);
    expect(items[1]?.machine).toBeNull();
  });

  it('are listed in pages', async () => {
    await registerRunner();
    await registerRunner();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = runnerPage.parse(
        (await get(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`)).body,
      );
      seen.push(...page.items.map(({ runnerId }) => runnerId));
      cursor = page.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([3, 3]);
  });

  it('are read one at a time, with when they were last heard', async () => {
    const summary = runnerSummary.parse((await get(`/${home.runner.runnerId}`)).body);
    expect(Date.now() - (summary.lastSeenAt ?? 0)).toBeLessThan(60_000);
  });

  it.each(['', '/directories', '/workspace'])(
    'that are not there are told so at %s',
    async (path) => {
      expect(codeOf(await get(`/run_nowhere${path}`))).toBe('runner_not_found');
    },
  );

  it('list their directories', async () => {
    const listing = {
      path: '/home/person',
      entries: [{ name: 'app', path: '/home/person/app', repository: true }],
      more: false,
    };
    const asked = get(`/${home.runner.runnerId}/directories?path=/home/person&limit=7`);
    const { command, answer } = await askRunner(asked, { ok: true, value: listing });
    expect(command).toMatchObject({
      method: 'workspace/list',
      params: { path: '/home/person', limit: 7 },
    });
    expect([answer.status, answer.body]).toEqual([200, listing]);
  });

  it('describe a workspace', async () => {
    const described = {
      path: '/r',
      repository: '/r',
      branch: 'main',
      commit: 'abc',
      uncommittedFiles: 0,
      branches: [],
      problems: [],
    };
    const { answer } = await askRunner(get(`/${home.runner.runnerId}/workspace?path=/r`), {
      ok: true,
      value: described,
    });
    expect(answer.body).toEqual(described);
  });

  it('examine themselves', async () => {
    const report = {
      findings: [{ check: 'git', status: 'ok', message: 'git is there', remedy: null }],
    };
    const asked = ask('POST', `/v1/runners/${home.runner.runnerId}/doctor`, { bearer: home.cli });
    expect((await askRunner(asked, { ok: true, value: report })).answer.body).toEqual(report);
  });

  it('list the checkouts of their sessions from a place on', async () => {
    const page = { items: [], nextCursor: null };
    const asked = get(`/${home.runner.runnerId}/checkouts?limit=7&cursor=5.ses_1`);
    const { command, answer } = await askRunner(asked, { ok: true, value: page });
    expect(command).toMatchObject({
      method: 'checkout/list',
      params: { cursor: '5.ses_1', limit: 7 },
    });
    expect([answer.status, answer.body]).toEqual([200, page]);
  });

  it.each([
    ['remove', false],
    ['discard', true],
  ])('are asked to %s a checkout, and that is on the record', async (how, discard) => {
    const path = `/v1/runners/${home.runner.runnerId}/checkouts/ses_1/${how}`;
    const value = { sessionId: 'ses_1', bytes: 3 };
    const asked = ask('POST', path, { bearer: home.cli });
    const { command, answer } = await askRunner(asked, { ok: true, value });
    expect(command).toMatchObject({
      method: 'checkout/remove',
      sessionId: 'ses_1',
      params: { discard },
    });
    expect([answer.status, answer.body]).toEqual([200, value]);
    const { results } = await env.DB.prepare(
      "SELECT operation, target, status FROM access_log WHERE operation LIKE 'checkouts.%'",
    ).all();
    expect(results).toEqual([{ operation: `checkouts.${how}`, target: path, status: 200 }]);
  });

  it('keep a checkout with work in it, and say what would be lost', async () => {
    const path = `/v1/runners/${home.runner.runnerId}/checkouts/ses_1/remove`;
    const { answer } = await askRunner(ask('POST', path, { bearer: home.cli }), {
      ok: false,
      code: 'checkout_unsaved',
      message: 'It stays. (There is a stash.)',
    });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'checkout_unsaved']);
    expect(JSON.stringify(answer.body)).toContain('There is a stash.');
  });

  it('refuse in their own words', async () => {
    const refusal = {
      ok: false,
      code: 'directory_not_allowed',
      message: '/etc is outside',
    } as const;
    const { answer } = await askRunner(
      get(`/${home.runner.runnerId}/directories?path=/etc`),
      refusal,
    );
    expect([answer.status, codeOf(answer)]).toEqual([422, 'directory_not_allowed']);
    expect(JSON.stringify(answer.body)).toContain('/etc is outside');
  });

  it('whose answer is not in the expected form are not believed', async () => {
    const { answer } = await askRunner(get(`/${home.runner.runnerId}/directories`), {
      ok: true,
      value: { path: 3 },
    });
    expect(codeOf(answer)).toBe('internal');
  });

  it('that are away are told so at once', async () => {
    home.peer.socket.close();
    await until(
      async () => (await relayStub(home.runner).readStatus()).presence === 'offline',
      'offline',
    );
    expect(codeOf(await get(`/${home.runner.runnerId}/directories`))).toBe('runner_offline');
  });

  it('that leave while they are asked are told so', async () => {
    const asked = get(`/${home.runner.runnerId}/directories`);
    await home.peer.next('command');
    home.peer.socket.close();
    expect(codeOf(await asked)).toBe('runner_offline');
  });

  it('that do not answer in time are told so', async () => {
    const relay: RelayCalls = relayStub(home.runner);
    const outcome = await relay.ask({
      method: 'doctor/run',
      params: {},
      sessionId: null,
      timeoutMs: 20,
    });
    expect(outcome).toMatchObject({ ok: false, code: 'runner_timeout' });
  });

  it('refuse a name that is none, and a cursor that is not ours', async () => {
    expect(codeOf(await ask('POST', '/v1/runners', { bearer: home.cli, body: { name: '' } }))).toBe(
      'bad_request',
    );
    expect(codeOf(await ask('GET', '/v1/sessions?cursor=zzz', { bearer: home.cli }))).toBe(
      'bad_request',
    );
  });
});
