import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import {
  ask,
  headersOf,
  HOST,
  makeCliToken,
  type RegisteredRunner,
  registerRunner,
  signIn,
} from '../support/http.ts';
import { PeerRunner, PeerViewer, sequence } from '../support/peers.ts';
import {
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
} from '../support/sessions.ts';
import { openSocket, until } from '../support/socket.ts';
import { aUsage } from '../../support/protocol-builders.ts';

const PROTOCOL_ERROR = REFUSALS.protocol_error.closeCode;
const BYSTANDER = 'the session beside it';

let house: Launched;
let bystander: Launched;
let watching: PeerViewer;

beforeEach(async () => {
  const installation = await startOnline();
  house = await launchOn(installation);
  // A second machine with its own session, which no attack may disturb.
  const runner = await registerRunner();
  const peer = await PeerRunner.online(runner);
  bystander = await launchOn({ ...installation, runner, peer }, { objective: BYSTANDER });
  watching = await PeerViewer.watching(bystander.sessionId, bystander.cli);
});

/** Whatever was tried: the others work on, and nothing of it is in a ledger. */
const expectUndisturbed = async () => {
  await bystander.peer.stored(bystander.sessionId, 1, readyEvents(bystander.turnId));
  await watching.seen('engine/ready');
  expect(watching.closeCode).toBeNull();
  expect((await readSession(bystander.cli, bystander.sessionId)).view.turns).toHaveLength(1);
  for (const table of ['usage_entries', 'acts', 'approval_requests']) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
    expect([table, results]).toEqual([table, []]);
  }
};
afterEach(expectUndisturbed);

const linkOf = ({ runnerId }: RegisteredRunner) => `/v1/runners/${runnerId}/link`;
const feedOf = (id: string) => `/v1/sessions/${id}/socket`;
const SPENT: EngineEvent = { type: 'usage/recorded', turnId: null, entries: [aUsage({})] };

/** The feed has nothing but what the person asked for. */
const told = async () => {
  const { view } = await readSession(house.cli, house.sessionId);
  return [view.state, view.spend];
};
const NOTHING = ['queued', {}];

describe('on a runner’s link, once it is introduced', () => {
  const twice = (one: string) => `[${one},${one}]`;
  const event = (seq: number) => JSON.stringify(sequence(house.sessionId, seq, [SPENT])[0]);

  it.each([
    ['text that is no JSON', () => '{"type":"events"'],
    ['JSON that is no object', () => '[1,2,3]'],
    ['JSON a hundred thousand arrays deep', () => '['.repeat(100_000)],
    ['bytes', () => new TextEncoder().encode('{"type":"machine"}')],
    ['events without a type', () => '{"events":[]}'],
    [
      'an event of no known type',
      () => `{"type":"events","events":[${event(1).replace('usage/recorded', 'money/printed')}]}`,
    ],
    ['a seq of zero', () => `{"type":"events","events":[${event(0)}]}`],
    [
      'a seq that is no number',
      () => `{"type":"events","events":[${event(1).replace('"seq":1', '"seq":"1"')}]}`,
    ],
    ['the same seq twice in a frame', () => `{"type":"events","events":${twice(event(1))}}`],
    [
      'seqs that go backward in a frame',
      () => `{"type":"events","events":[${event(2)},${event(1)}]}`,
    ],
    ['a seq beyond what is stored', () => `{"type":"events","events":[${event(5)}]}`],
    [
      'a negative sum of money',
      () => `{"type":"events","events":[${event(1).replace(/"microUsd":\d+/, '"microUsd":-5')}]}`,
    ],
    [
      'more events than a frame has',
      () => `{"type":"events","events":[${Array(501).fill(event(1)).join()}]}`,
    ],
    ['a frame without end', () => `{"type":"events","events":["${'x'.repeat(33 * 1024 * 1024)}"]}`],
    [
      'an introduction in the name of another',
      () => JSON.stringify({ type: 'initialize', version: 0 }),
    ],
  ])('%s ends it with a reason', async (_what, frame) => {
    const { peer } = house;
    peer.socket.send(frame());
    expect(await peer.closed()).toBe(PROTOCOL_ERROR);
    expect((await peer.next('refused')).message).toMatch(/\(.+\)$/);
    expect(await told()).toEqual(NOTHING);
  });

  it('nothing that comes after its end counts', async () => {
    const { peer } = house;
    peer.send('{');
    peer.events(house.sessionId, 1, [SPENT]);
    await peer.closed();
    expect(await told()).toEqual(NOTHING);
  });

  it('another machine’s session is refused by name, and its seqs stay its own', async () => {
    house.peer.events(bystander.sessionId, 1, [SPENT]);
    const refused = await house.peer.next('sessionRefused');
    expect(refused).toMatchObject({ sessionId: bystander.sessionId, code: 'forbidden' });
    house.peer.send({ type: 'deltas', deltas: [aDelta(bystander.sessionId)] });
    await scheduler.wait(50);
    expect(watching.frames.filter(({ type }) => type === 'deltas')).toEqual([]);
  });

  it('a session that does not exist is refused by name', async () => {
    house.peer.events(sessionId.parse('ses_nowhere'), 1, [SPENT]);
    expect(await house.peer.next('sessionRefused')).toMatchObject({ code: 'session_not_found' });
  });

  it('the result of another machine’s command settles nothing', async () => {
    house.peer.result(bystander.start.id, { ok: false, code: 'internal', message: 'no' });
    await scheduler.wait(50);
    const { view } = await readSession(bystander.cli, bystander.sessionId);
    expect(view.state).toBe('queued');
  });

  it('an event that is stored is not replaced by another of its seq', async () => {
    const [staged] = readyEvents(house.turnId);
    if (staged) await house.peer.stored(house.sessionId, 1, [staged]);
    house.peer.events(house.sessionId, 1, [SPENT]);
    await until(() => house.peer.ackedUpTo(house.sessionId) === 1, 'the ack');
    await scheduler.wait(50);
    expect((await readSession(house.cli, house.sessionId)).view.spend).toEqual({});
    expect(house.peer.closeCode).toBeNull();
  });
});

const aDelta = (id: string) => ({
  sessionId: id,
  turnId: null,
  blockId: 'b/0',
  parentToolId: null,
  kind: 'answer',
  offset: 0,
  text: 'words of another',
});

describe('on a console’s socket', () => {
  it.each([
    ['text that is no JSON', () => 'subscribe'],
    ['bytes', () => new TextEncoder().encode('{"type":"subscribe","after":0}')],
    ['a cursor below zero', () => '{"type":"subscribe","after":-1}'],
    ['a cursor that is no whole number', () => '{"type":"subscribe","after":1e400}'],
    ['a frame of megabytes', () => `{"type":"subscribe","after":0,"x":"${'x'.repeat(2_000_000)}"}`],
  ])('%s ends it with a reason', async (_what, frame) => {
    const viewer = await PeerViewer.connect(house.sessionId, house.cli);
    viewer.socket.send(frame());
    expect((await viewer.next('failed')).code).toBe('bad_request');
    expect(await viewer.closed()).toBe(PROTOCOL_ERROR);
  });

  it('frames of a runner are of a kind that it does not know, and change nothing', async () => {
    const viewer = await PeerViewer.watching(house.sessionId, house.cli);
    viewer.send({ type: 'events', events: sequence(house.sessionId, 1, [SPENT]) });
    viewer.send({ type: 'ack', cursors: [{ sessionId: house.sessionId, upTo: 9 }] });
    viewer.send('ping');
    await until(() => viewer.pongs === 1, 'a pong');
    expect(await told()).toEqual(NOTHING);
  });

  it('a cursor beyond the record begins it again', async () => {
    const viewer = await PeerViewer.watching(house.sessionId, house.cli, 1_000_000);
    expect((await viewer.seen('session/created')).position).toBe(1);
  });
});

describe('the door of each socket', () => {
  const paths = () => [linkOf(house.runner), feedOf(house.sessionId)];
  const knock = async (path: string, headers: Record<string, string>, host = HOST) => {
    const upgrade = { ...headers, upgrade: 'websocket' };
    const response = await exports.default.fetch(`http://${host}${path}`, { headers: upgrade });
    expect(response.webSocket).toBeNull();
    return response.status;
  };
  const everyKey = async () => [
    headersOf({ bearer: house.cli }),
    headersOf({ bearer: house.runner.token }),
    headersOf({ cookie: await signIn() }),
  ];

  it('is closed to a page of another site, whatever it brings', async () => {
    for (const origin of [
      'https://elsewhere.test',
      'null',
      `http://${HOST}.elsewhere.test`,
      'file://',
    ])
      for (const key of await everyKey())
        for (const path of paths()) expect(await knock(path, { ...key, origin })).toBe(403);
  });

  it('is closed at a name that is not ours, whatever it brings', async () => {
    for (const key of await everyKey())
      for (const path of paths()) expect(await knock(path, key, 'rebound.test')).toBe(403);
  });

  it('is closed to nobody, and to a key of another kind', async () => {
    const [link = '', feed = ''] = paths();
    expect([await knock(link, {}), await knock(feed, {})]).toEqual([401, 401]);
    expect(await knock(feed, headersOf({ bearer: house.runner.token }))).toBe(403);
    expect(await knock(link, headersOf({ bearer: house.cli }))).toBe(403);
    expect(await knock(link, headersOf({ cookie: await signIn() }))).toBe(403);
    expect(await knock(link, headersOf({ bearer: bystander.runner.token }))).toBe(403);
    expect(await knock(link, { cookie: `pilothouse_session=${house.runner.token}` })).toBe(401);
  });

  it('is closed to a cookie that was signed out', async () => {
    const cookie = await signIn();
    await ask('POST', '/v1/sign-out', { cookie });
    for (const path of paths()) expect(await knock(path, { cookie })).toBe(401);
  });

  it('hides another account’s session and machine as if there were none', async () => {
    const cli = await makeCliToken();
    const other = await registerRunner();
    await env.DB.prepare(
      "UPDATE credentials SET account_id = 'acc_other' WHERE created_at = (SELECT max(created_at) FROM credentials WHERE kind = 'cli') AND kind = 'cli'",
    ).run();
    await env.DB.prepare("UPDATE credentials SET account_id = 'acc_other' WHERE runner_id = ?")
      .bind(other.runnerId)
      .run();
    expect(await knock(feedOf(house.sessionId), headersOf({ bearer: cli }))).toBe(404);
    expect(await knock(linkOf(house.runner), headersOf({ bearer: other.token }))).toBe(403);
    // Its own link is its own account's: there, the session of this one does not exist.
    const { socket } = await openSocket(linkOf(other), { bearer: other.token });
    expect(socket).not.toBeNull();
    const peer = new PeerRunner(socket as WebSocket, JSON.parse);
    peer.initialize(other);
    await peer.next('initialized');
    peer.events(house.sessionId, 1, [SPENT]);
    expect(await peer.next('sessionRefused')).toMatchObject({ code: 'session_not_found' });
    expect(await told()).toEqual(NOTHING);
  });

  it('is no door for a plain request', async () => {
    for (const key of await everyKey())
      for (const path of paths()) {
        const { status } = await ask('GET', path, { headers: key });
        expect([400, 403]).toContain(status);
      }
  });
});
