import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SEND_LIMITS } from '../../../protocol/delivery.ts';
import { actId, commandId, runnerId, sessionId } from '../../../protocol/ids.ts';
import { REFUSALS, type RefusalReason } from '../../../protocol/version.ts';
import { DeltaBuffer } from '../../../runner/link/deltas.ts';
import { Link } from '../../../runner/link/link.ts';
import { Outbox } from '../../../runner/link/outbox.ts';
import { Sender } from '../../../runner/link/sender.ts';
import { SetAside } from '../../../runner/link/set-aside.ts';
import { Store } from '../../../runner/link/store.ts';
import { FakeRelay } from '../../support/fake-relay.ts';
import { SESSION } from '../../support/protocol-builders.ts';
import { aCommand } from '../../support/runner-builders.ts';
import { until } from '../../support/until.ts';

let relay: FakeRelay;
let store: Store;
let outbox: Outbox;
let link: Link;
let refusals: [RefusalReason, string][];
let commands: string[];
let logged: string[];
let directory: string;
const timings = { handshakeMs: 300, heartbeatMs: 40, pongMs: 60 };
const OTHER = sessionId.parse('ses_other');

beforeEach(async () => {
  relay = await FakeRelay.listen();
  store = new Store(':memory:');
  outbox = new Outbox(store);
  refusals = [];
  commands = [];
  logged = [];
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-link-'));
  link = makeLink();
});
afterEach(async () => {
  link.stop('the test is over');
  await relay.close();
  store.close();
  rmSync(directory, { recursive: true });
});

function makeLink(): Link {
  const aside = new SetAside(directory);
  return new Link({
    url: relay.url,
    runnerId: runnerId.parse('run_test1'),
    token: 'secret-token',
    outbox,
    sender: new Sender(outbox, SEND_LIMITS, aside),
    aside,
    deltas: new DeltaBuffer(),
    machine: () => MACHINE,
    onCommand: (command) => void commands.push(command.method),
    onAcked: () => undefined,
    onRefused: (reason, sentence) => void refusals.push([reason, sentence]),
    log: (_level, message) => void logged.push(message),
    now: Date.now,
    chance: () => 0.5,
    timings,
    backoff: { baseMs: 20, capMs: 100 },
  });
}

const MACHINE = {
  hostname: 'box',
  platform: 'linux',
  arch: 'x64',
  nodeVersion: 'v24',
  pilothouseVersion: '0.1.0',
  homeDirectory: '/home/dev',
  limits: {
    source: null,
    directories: [],
    engines: [],
    bypass: false,
    noOutputMaxMs: 86_400_000,
    minimumGrade: 'open' as const,
  },
  engines: [],
};

let made = 0;
function make(count: number, id = SESSION): void {
  const events = Array.from(
    { length: count },
    () =>
      ({ type: 'notice/raised', level: 'info', code: 'n', message: String((made += 1)) }) as const,
  );
  link.notify(id, outbox.append(id, Date.now(), events));
}
const stored = (id = SESSION) => relay.stored.get(id)?.length ?? 0;

test('the runner introduces itself with its token in the header, and what it keeps', async () => {
  outbox.append(SESSION, 1, [{ type: 'notice/raised', level: 'info', code: 'n', message: 'kept' }]);
  link.start();
  await until('the event', () => stored() === 1);
  expect(relay.tokens).toEqual(['Bearer secret-token']);
  expect(relay.hellos[0]).toMatchObject({
    version: 1,
    runnerId: 'run_test1',
    sessions: [{ sessionId: SESSION, lastSeq: 1 }],
  });
  await until('the outbox to empty', () => outbox.list().length === 0);
});

test('a short drop in the middle of a stream loses and repeats nothing', async () => {
  link.start();
  await until('the link', () => link.connected);
  for (let round = 0; round < 20; round++) {
    make(50);
    if (round % 5 === 2) relay.drop();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until('all of them', () => stored() === 1_000 && outbox.list().length === 0);
  const seqs = (relay.stored.get(SESSION) ?? []).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(relay.faults).toEqual([]);
});

test.each([
  [[], 'gate'],
  [['guard'], 'guard'],
])('a cloud that can %j is told of what the guard found by the %s', async (capabilities, by) => {
  relay.capabilities = capabilities;
  const word = { by: 'guard', finding: 'judged', move: null, evidence: 'no' } as const;
  outbox.append(SESSION, 1, [{ type: 'act/witnessed', actId: actId.parse('act_1'), ...word }]);
  link.start();
  await until('the event', () => stored() === 1);
  expect(relay.stored.get(SESSION)?.[0]?.event).toMatchObject({ by });
});

test('what was stored and not acked when the link broke is not stored twice', async () => {
  relay.acking = false;
  link.start();
  await until('the link', () => link.connected);
  make(10);
  await until('the events', () => stored() === 10);
  relay.acking = true;
  relay.drop();
  await until('the outbox to empty', () => outbox.list().length === 0);
  expect(stored()).toBe(10);
});

test('an ack of what was never sent ends the connection, and loses nothing', async () => {
  relay.acking = false;
  link.start();
  await until('the link', () => link.connected);
  relay.send({ type: 'ack', cursors: [{ sessionId: SESSION, upTo: 1 }] });
  await until('another introduction', () => relay.hellos.length === 2 && link.connected);
  relay.acking = true;
  make(3);
  await until('the events', () => outbox.list().length === 0);
  expect(stored()).toBe(3);
});

test('a feed that does not ack holds back its own session only', async () => {
  link.start();
  await until('the link', () => link.connected);
  relay.acking = false;
  make(SEND_LIMITS.maxInFlight + 100);
  await until('a full window', () => stored() === SEND_LIMITS.maxInFlight);
  relay.acking = true;
  make(5, OTHER);
  await until('the other session', () => stored(OTHER) === 5);
  expect(stored()).toBe(SEND_LIMITS.maxInFlight);
  relay.ackAll();
  await until('the rest', () => stored() === SEND_LIMITS.maxInFlight + 100);
});

test('acks set the pace: many small events go in few frames while one is on its way', async () => {
  link.start();
  await until('the link', () => link.connected);
  const before = relay.frames;
  for (let index = 0; index < 1_000; index++) make(1);
  await until('all', () => stored() === 1_000);
  expect(relay.frames - before).toBeLessThan(50);
});

test('a handshake that hangs is given up after its time, and another one is tried (D5)', async () => {
  relay.upgrade = 'hang';
  link.start();
  await until('the first attempt', () => relay.tokens.length === 1);
  relay.upgrade = 'accept';
  await until('the link', () => link.connected, { withinMs: 5_000 });
  expect(link.connected).toBe(true);
});

test('a server that accepts and never answers is given up too', async () => {
  relay.answeringHello = false;
  link.start();
  await until('the hello', () => relay.hellos.length === 1);
  relay.answeringHello = true;
  await until('the link', () => link.connected, { withinMs: 5_000 });
  expect(link.connected).toBe(true);
});

test('a link that dies without a word is noticed by its heartbeat, and opened again', async () => {
  link.start();
  await until('the link', () => link.connected);
  relay.answeringPings = false;
  await until('the end of it', () => !link.connected, { withinMs: 2_000 });
  relay.answeringPings = true;
  make(1);
  await until('the event', () => stored() === 1);
  expect(relay.hellos.length).toBeGreaterThan(1);
});

test('work that holds this process for longer than a pong may take is not taken for a dead link', async () => {
  // The answer is in the socket when this process is held; the timer of the pong is due before
  // the socket is read again.
  let held = 0;
  relay.afterPong = () => {
    if ((held += 1) > 3) return;
    const end = Date.now() + 2 * timings.pongMs;
    while (Date.now() < end);
  };
  link.start();
  await until('heartbeats after it', () => held > 5);
  expect(relay.hellos).toHaveLength(1);
});

test('commands arrive, and one of a newer server that this runner does not know is ignored', async () => {
  link.start();
  await until('the link', () => link.connected);
  relay.sendText('{"type":"from_the_future"}');
  relay.command(aCommand('doctor/run', null, {}));
  await until('the command', () => commands.length === 1);
  expect(commands).toEqual(['doctor/run']);
});

test('a frame that cannot be read ends the connection, and a new one begins', async () => {
  link.start();
  await until('the link', () => link.connected);
  relay.sendText('{"type":"ack","cursors":"nonsense"}');
  await until('the next hello', () => relay.hellos.length === 2);
  expect(refusals).toEqual([]);
});

describe('a refusal', () => {
  const final = Object.entries(REFUSALS).filter(([, { reconnect }]) => !reconnect) as [
    RefusalReason,
    { closeCode: number },
  ][];

  test.each(final)('%s in a frame is final and comes with a sentence', async (reason) => {
    relay.refusal = { type: 'refused', reason, message: 'no' };
    link.start();
    await until('the refusal', () => refusals.length === 1);
    expect(refusals[0]?.[0]).toBe(reason);
    expect(refusals[0]?.[1]).toMatch(/[a-z]{3,}.*\.$/);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(relay.hellos).toHaveLength(1);
  });

  test.each(final)('%s as a close code is final too', async (reason, { closeCode }) => {
    link.start();
    await until('the link', () => link.connected);
    relay.closeWith(closeCode);
    await until('the refusal', () => refusals.length === 1);
    expect(refusals[0]?.[0]).toBe(reason);
  });

  test('of the token by the HTTP answer is final', async () => {
    relay.upgrade = 'unauthorized';
    link.start();
    await until('the refusal', () => refusals.length === 1);
    expect(refusals[0]?.[0]).toBe('unauthorized');
  });

  test.each([
    ['429', 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 600\r\n\r\n'],
    ['500', 'HTTP/1.1 500 Internal Server Error\r\n\r\n'],
    ['502 and a page', 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 6\r\n\r\n<html>'],
    ['200 and a page', 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>'],
    ['no HTTP at all', 'garbage\r\n\r\n'],
    ['nothing, and closes', ''],
  ])('by %s is no last word: it is tried again', async (_, says) => {
    relay.upgrade = { says };
    link.start();
    await until('a second attempt', () => relay.tokens.length >= 2);
    expect(refusals).toEqual([]);
    relay.upgrade = 'accept';
    await until('the link', () => link.connected);
  });

  test('for a protocol error is tried again', async () => {
    link.start();
    await until('the link', () => link.connected);
    relay.closeWith(REFUSALS.protocol_error.closeCode);
    await until('the next hello', () => relay.hellos.length === 2);
    expect(refusals).toEqual([]);
  });
});

test('deltas never hold back events, and a slow socket gets them joined', async () => {
  link.start();
  await until('the link', () => link.connected);
  const piece = 'x'.repeat(20);
  for (let index = 0; index < 2_000; index++) {
    link.pushDelta({
      sessionId: SESSION,
      turnId: null,
      blockId: 'b',
      parentToolId: null,
      kind: 'answer',
      offset: index * 20,
      text: piece,
    });
  }
  make(1);
  await until('the event', () => stored() === 1);
  await until(
    'the text',
    () => relay.deltas.reduce((sum, { text }) => sum + text.length, 0) === 40_000,
  );
  expect(relay.deltas.length).toBeLessThan(200);
});

test('facts that change while the connection opens are told when it is ready', async () => {
  relay.answeringHello = false;
  link.start();
  await until('the hello', () => relay.hellos.length === 1);
  link.sendMachine();
  relay.send({ type: 'initialized', version: 1, capabilities: [], cursors: [] });
  const facts = await until('the facts', () => relay.machine);
  expect(facts.hostname).toBe('box');
});

describe('what a newer server asks', () => {
  const later = { id: 'cmd_later1', epoch: 0, sessionId: null, deadlineAt: 9e12 };
  test.each([
    ['by a method of its own', { ...later, method: 'session/teleport', params: {} }],
    ['in a form of its own', { ...later, method: 'workspace/list', params: { root: '/' } }],
    ['about nothing that is a session', { ...later, sessionId: 7, method: 'doctor/run' }],
  ])('%s is refused as a result, and the link goes on', async (_how, command) => {
    link.start();
    await until('the link', () => link.connected);
    relay.sendText(JSON.stringify({ type: 'command', command }));
    const id = commandId.parse(later.id);
    expect(await relay.result(id)).toMatchObject({ ok: false, code: 'command_unknown' });
    relay.command(aCommand('doctor/run', null, {}));
    await until('the next command', () => commands.length === 1);
    expect(relay.hellos).toHaveLength(1);
  });
});

describe('a session whose events the server refuses', () => {
  const refuse = () =>
    relay.send({ type: 'sessionRefused', sessionId: OTHER, code: 'session_not_found' });

  test('is told once, and its events are kept and sent no more', async () => {
    relay.acking = false;
    link.start();
    await until('the link', () => link.connected);
    make(3, OTHER);
    await until('them to be sent', () => stored(OTHER) === 3);
    relay.stored.clear();
    refuse();
    refuse();
    await until('the runner to say so', () =>
      logged.some((line) => line.includes('does not take')),
    );
    make(2, OTHER);
    relay.drop();
    await until('the next connection', () => relay.hellos.length === 2 && link.connected);
    make(1);
    await until('another session’s event', () => stored() === 1);
    expect(stored(OTHER)).toBe(0);
    expect(relay.hellos[1]?.sessions).toEqual([]);
    expect(logged.filter((line) => line.includes('does not take'))).toHaveLength(1);
    expect(outbox.read(OTHER)).toMatchObject({ ackedUpTo: 0, lastSeq: 5 });
  });

  test('is sent whole as soon as the server speaks of it again, to a later runner too', async () => {
    make(3, OTHER);
    new SetAside(directory).add({ sessionId: OTHER, code: 'forbidden', at: 1 });
    link = makeLink();
    link.start();
    await until('the link', () => link.connected);
    expect(stored(OTHER)).toBe(0);
    relay.command(aCommand('session/interrupt', OTHER, {}));
    await until('its events', () => stored(OTHER) === 3);
    await until('the outbox to empty', () => outbox.list().length === 0);
    expect(new SetAside(directory).has(OTHER)).toBe(false);
  });
});
