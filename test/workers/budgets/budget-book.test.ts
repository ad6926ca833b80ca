import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACCOUNT, sessionId, turnId } from '../../../protocol/ids.ts';
import {
  budgetHistory,
  budgetList,
  budgetVersion,
  NOTHING_SPENT,
} from '../../../protocol/shared-budget.ts';
import { bookOf } from '../../../workers/lib/stubs.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { ask, codeOf, signIn } from '../support/http.ts';
import {
  type Installation,
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

let home: Installation;
beforeEach(async () => {
  home = await startOnline();
});

const BUDGET = { scope: { kind: 'account' }, unit: 'dollars', renews: 'daily', basedOn: 0 };
const save = (over: Record<string, unknown>, credential: Record<string, unknown> = {}) =>
  ask('POST', '/v1/budgets', { bearer: home.cli, ...credential, body: { ...BUDGET, ...over } });
const list = async () =>
  budgetList.parse((await ask('GET', '/v1/budgets', { bearer: home.cli })).body).items;
const launch = (over = {}) =>
  ask('POST', '/v1/sessions', {
    bearer: home.cli,
    body: {
      runnerId: home.runner.runnerId,
      engineId: 'rehearsal',
      directory: null,
      objective: 'Fix it',
      ...over,
    },
  });
const instruct = ({ cli, sessionId: id }: Launched) =>
  ask('POST', `/v1/sessions/${id}/instructions`, { bearer: cli, body: { text: 'And then?' } });
const spent = (of: Launched, microUsd: number, over = {}): EngineEvent => ({
  type: 'usage/recorded',
  turnId: of.turnId,
  entries: [aUsage({ microUsd, ...over })],
});
/** The first turn of a session, from its beginning to its end. */
const finish = (of: Launched, ...events: EngineEvent[]) =>
  of.peer.stored(of.sessionId, 1, [...readyEvents(of.turnId), ...events, turnEnded(of.turnId)]);
const settled = (used: number) =>
  until(async () => {
    const [budget] = await list();
    return budget?.used === used && budget.reserved === 0;
  }, `${used} used and nothing reserved`);
const grantOf = ({ start }: Launched) =>
  start.method === 'session/start' ? start.params.firstTurn?.grant : null;

describe('a budget of the account', () => {
  it('is on nobody’s way where there is none', async () => {
    expect(grantOf(await launchOn(home))).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  it('grants two sessions their shares, and settles by what the turns really came to', async () => {
    await save({ limit: 1_000 });
    const one = await launchOn(home);
    const two = await launchOn(home);
    expect([grantOf(one), grantOf(two)]).toEqual([
      { microUsd: 250, paidMicroUsd: null },
      { microUsd: 250, paidMicroUsd: null },
    ]);
    expect(await list()).toMatchObject([{ used: 0, reserved: 500 }]);
    await finish(one, spent(one, 40), spent(one, 9_000, { provenance: 'rehearsal' }));
    await finish(two, spent(two, 100, { payer: 'subscription' }));
    await settled(140);
  });

  it('refuses the turn that it has nothing left for, names itself, and takes it once raised', async () => {
    await save({ limit: 100, zone: 'Europe/Berlin' });
    const session = await launchOn(home);
    await finish(session, spent(session, 120));
    await settled(120);
    const refused = await instruct(session);
    expect(codeOf(refused)).toBe('budget_exhausted');
    const said = JSON.stringify(refused.body);
    expect(said).toContain('The daily budget of the account ($0.0001, notional dollars too)');
    expect(said).toMatch(/It renews at \d{4}-\d\d-\d\d 00:00 Europe\/Berlin/);
    expect(said).toContain('pilothouse budget set');
    expect(codeOf(await launch())).toBe('budget_exhausted');
    await save({ limit: 10_000, basedOn: 1 });
    expect((await instruct(session)).status).toBeLessThan(300);
  });

  it('has nothing for another turn while two hold all of it, and again when one has ended', async () => {
    await save({ unit: 'turns', limit: 2 });
    const one = await launchOn(home);
    await launchOn(home);
    const refused = await launch();
    expect(JSON.stringify(refused.body)).toContain('comes back when they end');
    await save({ unit: 'turns', limit: 3, basedOn: 1 });
    await finish(one);
    await until(async () => (await list())[0]?.used === 1, 'one turn is used');
    expect((await launch()).status).toBe(201);
    expect(codeOf(await launch())).toBe('budget_exhausted');
  });

  it('holds for a turn that came back and is sent again, until its machine says more', async () => {
    await save({ unit: 'turns', limit: 2 });
    const session = await launchOn(home);
    await finish(session);
    const again = () =>
      ask('POST', `/v1/sessions/${session.sessionId}/instructions`, {
        bearer: session.cli,
        body: { text: 'And then?', turnId: 'trn_mine' },
      });
    await again();
    const { command } = await session.peer.next('command');
    session.peer.result(command.id, { ok: false, code: 'directory_busy', message: 'busy' });
    await until(async () => (await list())[0]?.reserved === 0, 'nothing is held');
    await again();
    const { command: second } = await session.peer.next('command');
    expect(await list()).toMatchObject([{ used: 1, reserved: 1 }]);
    session.peer.result(second.id);
    expect(codeOf(await launch())).toBe('budget_exhausted');
    expect(await list()).toMatchObject([{ used: 1, reserved: 1 }]);
  });

  it('gives back what was held for a launch that failed', async () => {
    await save({ unit: 'turns', limit: 1 });
    const session = await launchOn(home);
    session.peer.result(session.start.id, { ok: false, code: 'engine_not_allowed', message: 'no' });
    await settled(0);
    expect((await launch()).status).toBe(201);
  });

  it('warns once for each mark, in the session that passed it', async () => {
    await save({ limit: 1_000 });
    const session = await launchOn(home);
    await finish(session, spent(session, 850));
    await settled(850);
    const warnings = async () => {
      const path = `/v1/sessions/${session.sessionId}/entries?after=0&limit=100`;
      const said = JSON.stringify((await ask('GET', path, { bearer: session.cli })).body);
      return [...said.matchAll(/shared_budget_warning[^}]*?(\d\d) %/g)].map(([, mark]) => mark);
    };
    await until(async () => (await warnings()).length === 1, 'a warning');
    expect(await warnings()).toEqual(['80']);
  });

  it('counts paid dollars alone where it says so', async () => {
    await save({ limit: 1_000, counts: 'paid' });
    const session = await launchOn(home);
    expect(grantOf(session)).toEqual({ microUsd: null, paidMicroUsd: 250 });
    await finish(session, spent(session, 500, { payer: 'subscription' }), spent(session, 7));
    await settled(7);
    const { view } = await readSession(session.cli, session.sessionId);
    expect(view.turns[0]?.state).toBe('ended');
  });
});

describe('a budget beside dollars', () => {
  it('grants shares of tokens and of time, and settles them by the record of the session', async () => {
    await save({ unit: 'tokens', limit: 40_000 });
    await save({ unit: 'time', limit: 3_600_000 });
    const session = await launchOn(home);
    expect(grantOf(session)).toEqual({
      microUsd: null,
      paidMicroUsd: null,
      tokens: 10_000,
      timeMs: 900_000,
    });
    expect(await list()).toMatchObject([{ reserved: 900_000 }, { reserved: 10_000 }]);
    const tokens = {
      inputTokens: 10,
      outputTokens: 20,
      cacheReadTokens: 3_000,
      cacheWriteTokens: 4,
    };
    const notional = spent(session, 5, { ...tokens, payer: 'subscription' });
    await finish(session, notional, spent(session, 5, { ...tokens, provenance: 'rehearsal' }));
    await until(async () => (await list())[1]?.used === 3_034, 'its tokens are used');
    const [time] = await list();
    expect(time).toMatchObject({ unit: 'time', reserved: 0 });
    expect(time?.used).toBeLessThan(60_000);
  });

  it('refuses with the unit in its sentence', async () => {
    await save({ unit: 'tokens', limit: 1_000 });
    const session = await launchOn(home);
    await finish(session, spent(session, 0, { inputTokens: 2_000 }));
    await until(async () => (await list())[0]?.reserved === 0, 'the turn to be settled');
    const said = JSON.stringify((await instruct(session)).body);
    expect(said).toMatch(/The daily budget of the account \(1 K tokens\) has come to 2 K tokens/);
  });
});

describe('a budget as data', () => {
  it('is kept as versions, refuses a save over another one, and is removed by null', async () => {
    expect(budgetVersion.parse((await save({ limit: 5 })).body)).toMatchObject({ version: 1 });
    expect(codeOf(await save({ limit: 6 }))).toBe('budget_changed');
    const byPerson = { bearer: undefined, cookie: await signIn() };
    expect((await save({ limit: null, basedOn: 1 }, byPerson)).status).toBe(201);
    expect(await list()).toEqual([]);
    const path = '/v1/budgets/versions?unit=dollars&renews=daily';
    const { items } = budgetHistory.parse((await ask('GET', path, { bearer: home.cli })).body);
    expect(items).toMatchObject([
      { version: 2, limit: null, savedBy: 'person' },
      { version: 1, limit: 5, savedBy: 'cli' },
    ]);
  });

  it('is of one repository where it says so', async () => {
    const { runnerId } = home.runner;
    const scope = { kind: 'repository', runnerId, directory: '/code/shop/' };
    await save({ scope, unit: 'turns', limit: 1 });
    expect((await launch({ directory: '/code/shop/web' })).status).toBe(201);
    expect(codeOf(await launch({ directory: '/code/shop' }))).toBe('budget_exhausted');
    expect((await launch({ directory: '/code/shopping' })).status).toBe(201);
  });

  it('is for persons and their command line, and for no runner', async () => {
    expect(codeOf(await save({ limit: 1 }, { bearer: home.runner.token }))).toBe('forbidden');
    expect(codeOf(await save({ limit: 1, zone: 'Mars/Base' }))).toBe('bad_request');
  });
});

describe('grants under duplicates and losses', () => {
  const session = sessionId.parse('ses_unheard');
  const turn = turnId.parse('trn_unheard');
  const place = { runnerId: undefined as never, directory: null };
  const request = (all: number) => ({
    turnId: turn,
    sessionId: session,
    place: { ...place, runnerId: home.runner.runnerId },
    spend: { ...NOTHING_SPENT, all, paid: all },
  });
  const said = (all: number, ended = [turn]) => ({
    sessionId: session,
    place: request(0).place,
    spend: { ...NOTHING_SPENT, all, paid: all },
    ended,
    released: [],
  });

  it('the same turn again is one grant, and its end told twice is told once', async () => {
    await save({ limit: 400 });
    const book = bookOf(env, LOCAL_ACCOUNT);
    const first = await book.reserve(request(0));
    expect(await book.reserve(request(0))).toEqual(first);
    expect(await list()).toMatchObject([{ reserved: 100 }]);
    await book.settle(said(90));
    await book.settle(said(90));
    // Late, and of before: nothing is taken back.
    await book.settle(said(10));
    await book.reserve(request(90));
    expect(await list()).toMatchObject([{ used: 90, reserved: 0 }]);
  });

  it('a word that was lost is made up for by the next one', async () => {
    await save({ limit: 400 });
    const book = bookOf(env, LOCAL_ACCOUNT);
    await book.reserve(request(0));
    await book.settle(said(200));
    expect(await list()).toMatchObject([{ used: 200, reserved: 0 }]);
  });
});
