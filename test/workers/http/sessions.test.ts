import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { artifactPack } from '../../../protocol/artifact-pack.ts';
import { entriesPage, runnerPage, sessionPage } from '../../../protocol/http.ts';
import { LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import { ask, codeOf, registerRunner, signIn } from '../support/http.ts';
import { MACHINE } from '../support/peers.ts';
import {
  type Installation,
  launchOn,
  relayStub,
  readSession,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

describe('sessions', () => {
  let home: Installation;
  beforeEach(async () => {
    home = await startOnline();
  });

  const get = (path: string) => ask('GET', `/v1/sessions${path}`, { bearer: home.cli });
  const launch = (over: Record<string, unknown>) =>
    ask('POST', '/v1/sessions', {
      bearer: home.cli,
      body: {
        runnerId: home.runner.runnerId,
        engineId: 'rehearsal',
        directory: null,
        objective: 'x',
        ...over,
      },
    });

  it('are in the list as soon as they are launched', async () => {
    const session = await launchOn(home, { objective: 'Fix the parser\nand its tests' });
    const { items } = sessionPage.parse((await get('')).body);
    expect(items).toEqual([
      expect.objectContaining({
        sessionId: session.sessionId,
        title: 'Fix the parser',
        state: 'queued',
        rehearsal: true,
        runnerName: 'desk',
        spend: {},
      }),
    ]);
    const logged = await env.DB.prepare(
      "SELECT target FROM access_log WHERE operation = 'sessions.launch'",
    ).all();
    expect(logged.results).toEqual([{ target: `/v1/sessions/${session.sessionId}` }]);
  });

  it('are launched once under one id, also when the machine has gone meanwhile', async () => {
    const again = { turnId: 'trn_01kedge0000000000000ab', objective: 'Once' };
    const both = await Promise.all([launch(again), launch(again)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0]?.body).toMatchObject({ turnId: again.turnId });
    expect(both[1]?.body).toEqual(both[0]?.body);
    expect(codeOf(await launch({ ...again, objective: 'Another' }))).toBe('turn_conflict');
    home.peer.socket.close();
    const isAway = async () => (await relayStub(home.runner).readStatus()).presence === 'offline';
    await until(isAway, 'the machine to be away');
    expect((await launch(again)).body).toEqual(both[0]?.body);
    expect(codeOf(await launch({ objective: 'New' }))).toBe('runner_offline');
    expect(sessionPage.parse((await get('')).body).items).toHaveLength(1);
  });

  it('may be silent, and wait for an answer, for as long as their machine allows, where nobody chose', async () => {
    const { peer } = home;
    const limits = { ...MACHINE.limits, noOutputMaxMs: 120_000, answerMaxMs: 7_200_000 };
    peer.send({ type: 'machine', machine: { ...MACHINE, limits } });
    await until(async () => {
      const { body } = await ask('GET', '/v1/runners', { bearer: home.cli });
      return runnerPage.parse(body).items[0]?.machine?.limits.noOutputMaxMs === 120_000;
    }, 'the machine’s limits');
    const { start } = await launchOn(home);
    expect(start.params).toMatchObject({ launch: { noOutputMs: 120_000, answerMs: 7_200_000 } });
    // What somebody chose is the machine's to refuse, by name.
    const chosen = { noOutputMs: 900_000, answerMs: 86_400_000 };
    const { start: asked } = await launchOn(home, chosen);
    expect(asked.params).toMatchObject({ launch: chosen });
  });

  it('give their evidence as a file, and only to whom they belong', async () => {
    const { sessionId } = await launchOn(home, { objective: 'Fix the parser' });
    const answer = await get(`/${sessionId}/artifact-pack`);
    expect(answer.headers.get('content-disposition')).toContain(`${sessionId}.artifact-pack.json`);
    const pack = artifactPack.parse(answer.body);
    expect(pack).toMatchObject({
      machine: { name: 'desk' },
      launch: { objective: 'Fix the parser' },
    });
    expect(pack.last.map(({ event }) => event.type)).toEqual(['session/created', 'turn/accepted']);
    expect(codeOf(await get('/ses_none/artifact-pack'))).toBe('session_not_found');
  });

  it('are listed newest first, in pages, and by machine', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.unshift((await launchOn(home)).sessionId);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = sessionPage.parse(
        (await get(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`)).body,
      );
      seen.push(...page.items.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
    const other = await registerRunner();
    expect(sessionPage.parse((await get(`?runnerId=${other.runnerId}`)).body).items).toEqual([]);
  });

  it('launched by a person at the console work the same', async () => {
    const cookie = await signIn();
    const body = {
      runnerId: home.runner.runnerId,
      engineId: 'rehearsal',
      directory: null,
      objective: 'x',
    };
    expect((await ask('POST', '/v1/sessions', { cookie, body })).status).toBe(201);
  });

  it('are read from the feed, whatever D1 has', async () => {
    const session = await launchOn(home);
    await session.peer.stored(session.sessionId, 1, [text('hello')]);
    const detail = await readSession(home.cli, session.sessionId);
    expect([detail.summary.state, detail.view.turns[0]?.text]).toEqual(['queued', 'Fix it']);
  });

  it('give their record in pages after a position', async () => {
    const session = await launchOn(home);
    await session.peer.stored(session.sessionId, 1, ['a', 'b', 'c', 'd'].map(text));
    const { entries, last } = entriesPage.parse(
      (await get(`/${session.sessionId}/entries?after=3&limit=2`)).body,
    );
    expect([entries.map(({ position }) => position), last]).toEqual([[4, 5], 6]);
  });

  it.each(['', '/entries', '/tools/t1/output', '/changes'])(
    'that are not there are told so at %s',
    async (path) => {
      expect(codeOf(await get(`/ses_nowhere${path}`))).toBe('session_not_found');
    },
  );

  it.each(['instructions', 'interrupt', 'stop', 'retry', 'approvals/apr_1'])(
    'that are not there cannot be asked for %s',
    async (action) => {
      const body = action === 'instructions' ? { text: 'x' } : { decision: 'allow' };
      expect(
        codeOf(await ask('POST', `/v1/sessions/ses_nowhere/${action}`, { bearer: home.cli, body })),
      ).toBe('session_not_found');
    },
  );

  it('are not launched on a machine that is not there', async () => {
    expect(codeOf(await launch({ runnerId: 'run_nowhere' }))).toBe('runner_not_found');
  });

  it.each([
    { objective: '  ' },
    { engineId: 'Claude!' },
    { approvals: 'yolo' },
    { budgetMicroUsd: 0.5 },
  ])('are not launched with %j', async (over) => {
    expect(codeOf(await launch(over))).toBe('bad_request');
  });

  it('refuse instructions once they have ended', async () => {
    const session = await launchOn(home);
    await session.peer.stored(session.sessionId, 1, [
      { type: 'session/ended', end: 'stopped', reason: 'asked' },
    ]);
    const said = await ask('POST', `/v1/sessions/${session.sessionId}/instructions`, {
      bearer: home.cli,
      body: { text: 'x' },
    });
    expect(codeOf(said)).toBe('session_ended');
  });

  it('refuse an instruction of a megabyte in words, and go on as they were', async () => {
    const session = await launchOn(home);
    const path = `/v1/sessions/${session.sessionId}/instructions`;
    const before = (await readSession(home.cli, session.sessionId)).view.turns;
    for (const chars of [1_000_000, 3_000_000]) {
      const said = await ask('POST', path, {
        bearer: home.cli,
        body: { text: 'x'.repeat(chars) },
      });
      expect(said.status).toBe(chars > 2 * 1024 * 1024 ? 413 : 400);
      expect(JSON.stringify(said.body)).toMatch(/200000|200,000|2097152|2 MB/);
    }
    expect((await readSession(home.cli, session.sessionId)).view.turns).toEqual(before);
    const next = await ask('POST', path, { bearer: home.cli, body: { text: 'shorter' } });
    expect(next.status).toBe(202);
  });

  it('give the whole output of a tool call from the machine', async () => {
    const session = await launchOn(home);
    const asked = get(`/${session.sessionId}/tools/tool-1/output`);
    const { command } = await home.peer.next('command');
    expect(command).toMatchObject({
      method: 'tool/output',
      sessionId: session.sessionId,
      params: { toolId: 'tool-1' },
    });
    home.peer.result(command.id, { ok: true, value: { text: 'all of it', bytes: 9 } });
    expect((await asked).body).toEqual({ text: 'all of it', bytes: 9 });
  });

  it('say when the whole output is no longer kept', async () => {
    const session = await launchOn(home);
    const asked = get(`/${session.sessionId}/tools/tool-1/output`);
    const { command } = await home.peer.next('command');
    home.peer.result(command.id, { ok: false, code: 'output_not_found', message: 'gone' });
    expect(codeOf(await asked)).toBe('output_not_found');
  });

  it('name their files by letters of the paths, from the machine', async () => {
    const session = await launchOn(home);
    const asked = get(`/${session.sessionId}/files?query=a%20ts`);
    const { command } = await home.peer.next('command');
    expect(command).toMatchObject({
      method: 'checkout/files',
      sessionId: session.sessionId,
      params: { query: 'a ts', limit: 12 },
    });
    const found = { files: ['src/a.ts'], examined: 40, more: false };
    home.peer.result(command.id, { ok: true, value: found });
    expect((await asked).body).toEqual(found);
    expect(codeOf(await get(`/${session.sessionId}/files?limit=51`))).toBe('bad_request');
    expect(codeOf(await get('/ses_nowhere/files'))).toBe('session_not_found');
  });

  it('show what was changed, file by file, from the machine', async () => {
    const session = await launchOn(home);
    const tree = 'a'.repeat(40);
    const asked = get(`/${session.sessionId}/changes`);
    const { command } = await home.peer.next('command');
    expect(command).toMatchObject({ method: 'checkout/review', sessionId: session.sessionId });
    const review = {
      sessionId: session.sessionId,
      branch: 'pilothouse/fix',
      base: 'b'.repeat(40),
      head: 'c'.repeat(40),
      tree,
      commits: 1,
      uncommittedFiles: 1,
      files: [{ path: 'a.ts', was: null, change: 'edited', additions: 1, deletions: null }],
      moreFiles: 0,
    };
    home.peer.result(command.id, { ok: true, value: review });
    expect((await asked).body).toEqual(review);
    const one = get(`/${session.sessionId}/changes/patch?tree=${tree}&path=src/a%20b.ts`);
    const second = await home.peer.next('command');
    expect(second.command).toMatchObject({
      method: 'checkout/patch',
      params: { tree, path: 'src/a b.ts' },
    });
    home.peer.result(second.command.id, { ok: false, code: 'review_stale', message: 'others' });
    const stale = await one;
    expect([stale.status, codeOf(stale)]).toEqual([409, 'review_stale']);
  });

  it('say that they are at work where their files cannot be told yet', async () => {
    const session = await launchOn(home);
    const asked = get(`/${session.sessionId}/changes`);
    const { command } = await home.peer.next('command');
    home.peer.result(command.id, { ok: false, code: 'checkout_working', message: 'later' });
    const { status, body } = await asked;
    expect([status, body]).toEqual([200, { working: true }]);
    const gone = get(`/${session.sessionId}/changes`);
    const next = await home.peer.next('command');
    home.peer.result(next.command.id, { ok: false, code: 'checkout_not_found', message: 'gone' });
    expect(codeOf(await gone)).toBe('checkout_not_found');
  });

  it('land what was reviewed, which is on the record', async () => {
    const session = await launchOn(home);
    const path = `/v1/sessions/${session.sessionId}/land`;
    const body = { tree: 'a'.repeat(40), how: 'push', message: 'Fix it' };
    const asked = ask('POST', path, { bearer: home.cli, body });
    const { command } = await home.peer.next('command');
    const params = { ...body, base: null };
    expect(command).toMatchObject({ method: 'checkout/land', params });
    // A push takes longer than a look, and is heard of all the same.
    expect(command.deadlineAt).toBeGreaterThan(Date.now() + LOOK_TIMEOUT_MS);
    const value = {
      sessionId: session.sessionId,
      branch: 'pilothouse/fix',
      commit: 'c'.repeat(40),
      committed: true,
      pushed: true,
      pullRequest: null,
    };
    home.peer.result(command.id, { ok: true, value });
    expect((await asked).body).toEqual(value);
    const { results } = await env.DB.prepare(
      "SELECT target, status FROM access_log WHERE operation = 'sessions.land'",
    ).all();
    expect(results).toEqual([{ target: path, status: 200 }]);
    const odd = await ask('POST', path, { bearer: home.cli, body: { ...body, how: 'merge' } });
    expect(codeOf(odd)).toBe('bad_request');
  });

  it('list what their files can be put back to, and put them back, which is on the record', async () => {
    const session = await launchOn(home);
    const listed = get(`/${session.sessionId}/checkpoints`);
    const first = await home.peer.next('command');
    expect(first.command).toMatchObject({ method: 'checkout/checkpoints', params: {} });
    const [tree, was] = ['a'.repeat(40), 'b'.repeat(40)];
    const items = [{ tree, at: 5, kind: 'start', turnId: null }];
    home.peer.result(first.command.id, { ok: true, value: { items } });
    expect((await listed).body).toEqual({ items });
    const path = `/v1/sessions/${session.sessionId}/rewind`;
    const asked = ask('POST', path, { bearer: home.cli, body: { tree } });
    const { command } = await home.peer.next('command');
    expect(command).toMatchObject({ method: 'checkout/rewind', params: { tree } });
    const value = { sessionId: session.sessionId, tree, was, files: 2 };
    home.peer.result(command.id, { ok: true, value });
    expect((await asked).body).toEqual(value);
    const { results } = await env.DB.prepare(
      "SELECT target, status FROM access_log WHERE operation = 'sessions.rewind'",
    ).all();
    expect(results).toEqual([{ target: path, status: 200 }]);
    const odd = await ask('POST', path, { bearer: home.cli, body: { tree: 'HEAD' } });
    expect(codeOf(odd)).toBe('bad_request');
  });

  it('ask no machine for a file of what is no tree', async () => {
    const session = await launchOn(home);
    const odd = await get(`/${session.sessionId}/changes/patch?tree=--output=x&path=a.ts`);
    expect([odd.status, codeOf(odd)]).toEqual([400, 'bad_request']);
  });

  it('keep a record that is the same after it was long', async () => {
    const session = await launchOn(home);
    const words = Array.from({ length: 1_200 }, (_, index) => `line ${index}`);
    for (let from = 0; from < words.length; from += 400) {
      await session.peer.stored(
        session.sessionId,
        from + 1,
        words.slice(from, from + 400).map(text),
      );
    }
    await session.peer.stored(session.sessionId, 1_201, [turnEnded(session.turnId)]);
    const seen: string[] = [];
    for (let after = 0; ;) {
      const { entries } = entriesPage.parse(
        (await get(`/${session.sessionId}/entries?after=${after}&limit=333`)).body,
      );
      if (entries.length === 0) break;
      for (const { event } of entries)
        if (event.type === 'text/completed') seen.push(event.text.text);
      after = entries.at(-1)?.position ?? after;
    }
    expect(seen).toEqual(words);
  });
});
