import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { runnerSummary } from '../../../protocol/http.ts';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import {
  claimedPairing,
  madePairing,
  type MadePairing,
  openPairings,
} from '../../../protocol/pairing.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { readPrincipal } from '../../../workers/access/principal.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import type { Env } from '../../../workers/env.ts';
import { relayOf } from '../../../workers/lib/stubs.ts';
import { revokeRunner } from '../../../workers/runners/revoke.ts';
import { ask, codeOf, HOST_TOKEN, registerRunner, signIn, startEmpty } from '../support/http.ts';
import { PeerRunner } from '../support/peers.ts';
import { launchOn, readSession, readyEvents, startOnline } from '../support/sessions.ts';
import { until } from '../support/socket.ts';
import { TerminalMachine, TerminalWindow } from '../support/terminals.ts';

const claim = (code: string, runnerId: string | null = null) =>
  ask('POST', '/v1/pairings/claim', { body: { code, name: 'attic', runnerId } });
const readRunner = async (cookie: string, runnerId: string) =>
  runnerSummary.parse((await ask('GET', `/v1/runners/${runnerId}`, { cookie })).body);

describe('pairing a machine', () => {
  let cookie: string;
  beforeEach(async () => {
    await startEmpty();
    cookie = await signIn();
  });

  const make = async (body: object = {}): Promise<MadePairing> =>
    madePairing.parse((await ask('POST', '/v1/pairings', { cookie, body })).body);

  it('lets the machine in that brings the code, under the id that was told', async () => {
    const { code, runnerId, expiresAt } = await make();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(600_000);
    expect(codeOf(await ask('GET', `/v1/runners/${runnerId}`, { cookie }))).toBe(
      'runner_not_found',
    );
    const claimed = claimedPairing.parse((await claim(code)).body);
    expect(claimed.runnerId).toBe(runnerId);
    await PeerRunner.online(claimed);
    expect(await readRunner(cookie, runnerId)).toMatchObject({ name: 'attic', presence: 'online' });
  });

  it('takes a code as a person types it', async () => {
    const { code } = await make();
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect((await claim(typed)).status).toBe(201);
  });

  it('works once per code, even for many at the same time', async () => {
    const { code } = await make();
    const answers = await Promise.all([1, 2, 3].map(() => claim(code)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401]);
  });

  it('is refused with a code that has expired, and with a token of another kind', async () => {
    const { code } = await make();
    await env.DB.exec('UPDATE credentials SET expires_at = 1');
    expect(codeOf(await claim(code))).toBe('pairing_used');
    expect(codeOf(await claim(HOST_TOKEN))).toBe('pairing_used');
    expect(codeOf(await claim((await registerRunner()).token))).toBe('pairing_used');
  });

  it('opens nothing by the code alone', async () => {
    const { code } = await make();
    expect(codeOf(await ask('GET', '/v1/me', { bearer: code }))).toBe('unauthenticated');
    expect(codeOf(await ask('GET', '/v1/me', { bearer: code.replaceAll('-', '') }))).toBe(
      'unauthenticated',
    );
  });

  it('leaves a directory that holds another machine’s sessions, and the code, as they are', async () => {
    const { code } = await make();
    const other = await registerRunner();
    expect(codeOf(await claim(code, other.runnerId))).toBe('pairing_other_machine');
    expect((await claim(code)).status).toBe(201);
  });

  it('is withdrawn by whom it would let in, and lets nobody in then', async () => {
    const list = async () =>
      openPairings.parse((await ask('GET', '/v1/pairings', { cookie })).body).items;
    const known = await registerRunner();
    const first = await make();
    await make({ runnerId: known.runnerId });
    const again = await make({ runnerId: known.runnerId });
    const items = await list();
    expect(items.map(({ runnerId }) => runnerId).toSorted()).toEqual(
      [first.runnerId, known.runnerId].toSorted(),
    );
    expect(items.find(({ runnerId }) => runnerId === known.runnerId)).toMatchObject({
      machine: 'desk',
      expiresAt: again.expiresAt,
    });
    expect(JSON.stringify(items)).not.toContain(first.code);
    const withdraw = (runnerId: string) =>
      ask('POST', `/v1/pairings/${runnerId}/withdraw`, { cookie, body: {} });
    expect((await withdraw(known.runnerId)).status).toBe(200);
    expect(codeOf(await claim(again.code))).toBe('pairing_used');
    expect(await list()).toEqual([expect.objectContaining({ machine: null })]);
    // The machine itself keeps its access: it is the code alone that was withdrawn.
    await PeerRunner.online(known);
    expect((await claim(first.code)).status).toBe(201);
    expect(codeOf(await withdraw(first.runnerId))).toBe('pairing_not_found');
    expect(await list()).toEqual([]);
  });

  it('is on record as made by the person and used by the machine', async () => {
    const { code } = await make();
    await claim(code);
    const { results } = await env.DB.prepare(
      "SELECT principal_kind, operation FROM access_log WHERE operation LIKE 'pairings.%' ORDER BY at, rowid",
    ).all();
    expect(results).toEqual([
      { principal_kind: 'person', operation: 'pairings.make' },
      { principal_kind: 'runner', operation: 'pairings.claim' },
    ]);
  });
});

describe('taking a machine’s access back', () => {
  it('ends its link, its tokens and its sessions, and says how many', async () => {
    const home = await startOnline();
    const cookie = await signIn();
    const { runnerId } = home.runner;
    const { sessionId, turnId } = await launchOn(home);
    await home.peer.stored(sessionId, 1, readyEvents(turnId));
    await until(
      async () => (await readSession(home.cli, sessionId)).view.state === 'working',
      'work',
    );
    const again = madePairing.parse(
      (await ask('POST', '/v1/pairings', { cookie, body: { runnerId } })).body,
    );
    const answer = await ask('POST', `/v1/runners/${runnerId}/revoke`, { cookie, body: {} });
    expect(answer.body).toEqual({ sessions: 1 });
    expect((await home.peer.next('refused')).reason).toBe('revoked');
    expect(codeOf(await ask('GET', '/v1/me', { bearer: home.runner.token }))).toBe(
      'unauthenticated',
    );
    // A code that was made before would let it in again.
    expect(codeOf(await claim(again.code))).toBe('pairing_used');
    const summary = await readRunner(cookie, runnerId);
    expect(summary).toMatchObject({ presence: 'offline', revokedAt: expect.any(Number) });
    await until(
      async () => (await readSession(home.cli, sessionId)).view.state === 'lost',
      'its end',
    );
    expect((await readSession(home.cli, sessionId)).view.reason).toMatch(
      /access was taken back.*Pair the machine again/,
    );
    const doctor = await ask('POST', `/v1/runners/${runnerId}/doctor`, { cookie, body: {} });
    expect(codeOf(doctor)).toBe('runner_revoked');
    const retry = await ask('POST', `/v1/sessions/${sessionId}/retry`, { cookie, body: {} });
    expect(codeOf(retry)).toBe('runner_revoked');
    const body = { runnerId, engineId: 'rehearsal', directory: null, objective: 'Look' };
    expect(codeOf(await ask('POST', '/v1/sessions', { cookie, body }))).toBe('runner_revoked');
  });

  it('ends the terminal of a taken-over session, for its window and its machine', async () => {
    const home = await startOnline();
    const cookie = await signIn();
    const { sessionId, turnId } = await launchOn(home);
    await home.peer.stored(sessionId, 1, readyEvents(turnId));
    const window = await TerminalWindow.attached(sessionId, home.cli, null);
    const desk = await TerminalMachine.connect(home.runner, sessionId);
    const path = `/v1/runners/${home.runner.runnerId}/revoke`;
    expect((await ask('POST', path, { cookie, body: {} })).status).toBe(200);
    expect(await window.next('failed')).toMatchObject({ code: 'runner_revoked' });
    expect(await desk.closed()).toBe(REFUSALS.revoked.closeCode);
  });

  it('ends its sessions on record where a terminal of it cannot be told', async () => {
    const home = await startOnline();
    const { sessionId, turnId } = await launchOn(home);
    await home.peer.stored(sessionId, 1, readyEvents(turnId));
    await until(
      async () => (await readSession(home.cli, sessionId)).view.state === 'working',
      'work',
    );
    const { runnerId } = home.runner;
    const relay = relayOf(env, LOCAL_ACCOUNT, runnerId);
    const deaf = {
      ...env,
      RUNNER_RELAY: {
        getByName: () => ({
          revoke: () => relay.revoke(),
          endShown: () => Promise.reject(new Error('a pane is on its way')),
        }),
      },
    } as unknown as Env;
    const database = openDatabase(env.DB);
    const person = await readPrincipal(
      database,
      { by: 'bearer', token: home.cli },
      env.HOST_TOKEN,
      Date.now(),
    );
    if (!person) throw new Error('the command line is nobody');
    await expect(revokeRunner(deaf, database, person, runnerId, Date.now())).rejects.toThrow(
      'on its way',
    );
    await until(
      async () => (await readSession(home.cli, sessionId)).view.state === 'lost',
      'its end',
    );
  });

  it('ends a link as well that was opened and has not said yet whose it is', async () => {
    const home = await startOnline();
    const cookie = await signIn();
    const { runnerId } = home.runner;
    const opened = await PeerRunner.connect(home.runner);
    await ask('POST', `/v1/runners/${runnerId}/revoke`, { cookie, body: {} });
    expect((await opened.next('refused')).reason).toBe('revoked');
    expect(await readRunner(cookie, runnerId)).toMatchObject({ presence: 'offline' });
  });

  it('ends such a link where the machine has another token by then', async () => {
    const home = await startOnline();
    const cookie = await signIn();
    const { runnerId } = home.runner;
    const opened = await PeerRunner.connect(home.runner);
    const { code } = madePairing.parse(
      (await ask('POST', '/v1/pairings', { cookie, body: { runnerId } })).body,
    );
    const claimed = claimedPairing.parse((await claim(code, runnerId)).body);
    expect((await opened.next('refused')).reason).toBe('revoked');
    await PeerRunner.online(claimed);
  });

  it('is taken back by pairing that machine again, which is the same machine', async () => {
    const home = await startOnline();
    const cookie = await signIn();
    const { runnerId } = home.runner;
    await ask('POST', `/v1/runners/${runnerId}/revoke`, { cookie, body: {} });
    const { code } = madePairing.parse(
      (await ask('POST', '/v1/pairings', { cookie, body: { runnerId } })).body,
    );
    const claimed = claimedPairing.parse((await claim(code, runnerId)).body);
    expect(claimed.runnerId).toBe(runnerId);
    await PeerRunner.online(claimed);
    expect(await readRunner(cookie, runnerId)).toMatchObject({
      presence: 'online',
      revokedAt: null,
    });
    const { start } = await launchOn({ ...home, peer: await PeerRunner.online(claimed) });
    expect(start.method).toBe('session/start');
  });

  it('of a machine that is not there is told so', async () => {
    await startEmpty();
    const cookie = await signIn();
    const answer = await ask('POST', '/v1/runners/run_nowhere/revoke', { cookie, body: {} });
    expect(codeOf(answer)).toBe('runner_not_found');
  });
});
