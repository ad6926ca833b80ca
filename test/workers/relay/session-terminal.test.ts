import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, sessionId } from '../../../protocol/ids.ts';
import { machineFacts } from '../../../protocol/machine.ts';
import { takenOver } from '../../../protocol/takeover.ts';
import {
  decodeKeys,
  INPUT_FRAME_BYTES,
  OUTPUT_FRAME_BYTES,
} from '../../../protocol/terminal-frames.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { sha256Hex } from '../../../workers/lib/crypto.ts';
import { MACHINE } from '../support/peers.ts';
import { ask, makeCliToken, registerRunner } from '../support/http.ts';
import {
  type Launched,
  launchOn,
  readyEvents,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';
import { openSocket, type TestSocket, until } from '../support/socket.ts';
import { TerminalMachine, TerminalWindow } from '../support/terminals.ts';

let session: Launched;
const opened: TestSocket<{ type: string }>[] = [];

beforeAll(async () => {
  const engine = {
    engineId: 'rehearsal',
    label: 'Rehearsal',
    ready: true,
    version: null,
    payer: 'unknown',
    credential: null,
    approvals: ['ask'],
    keys: true,
    problem: null,
    remedy: null,
  };
  session = await launchOn(
    await startOnline(
      machineFacts.parse({
        ...MACHINE,
        engines: [engine, { ...engine, engineId: 'deaf', keys: false }],
      }),
    ),
  );
  await session.peer.stored(session.sessionId, 1, [
    ...readyEvents(session.turnId),
    turnEnded(session.turnId),
  ]);
});
// A close is answered when the terminal has seen it: the next test finds nobody there.
afterEach(async () => {
  for (const each of opened) each.socket.close(1000);
  await Promise.all(opened.splice(0).map((each) => each.closed()));
});

function keep<T extends TestSocket<{ type: string }>>(socket: T): T {
  opened.push(socket);
  return socket;
}
const window = async (key: string | null = null) =>
  keep(await TerminalWindow.attached(session.sessionId, session.cli, key));
const machine = async () => keep(await TerminalMachine.connect(session.runner, session.sessionId));
async function drive(form: 'keys' | 'text' = 'keys'): Promise<string> {
  const path = `/v1/sessions/${session.sessionId}/takeover`;
  const body = { form, columns: 80, rows: 24, force: true };
  return takenOver.parse((await ask('POST', path, { bearer: session.cli, body })).body).key;
}
/** A window that has its screen, so that output reaches it. */
async function watching(desk: TerminalMachine, key: string | null = null) {
  const watcher = await window(key);
  const { viewer } = await desk.next('show');
  desk.send({ type: 'screen', viewer, columns: 80, rows: 24, data: 'so far' });
  expect(await watcher.next('screen')).toMatchObject({ data: 'so far' });
  return watcher;
}

describe('who may open a terminal', () => {
  const statusOf = async (path: string, bearer?: string) =>
    (await openSocket(path, bearer === undefined ? {} : { bearer })).status;

  it('is a person or a tool as a window, and the session’s own machine as the machine', async () => {
    const other = await registerRunner();
    const link = `/v1/runners/${session.runner.runnerId}/terminals/${session.sessionId}`;
    const viewer = `/v1/sessions/${session.sessionId}/terminal`;
    expect(await statusOf(viewer)).toBe(401);
    expect(await statusOf(viewer, session.runner.token)).toBe(403);
    expect(await statusOf(link, session.cli)).toBe(403);
    expect(await statusOf(link, other.token)).toBe(403);
    expect(
      await statusOf(`/v1/runners/${other.runnerId}/terminals/${session.sessionId}`, other.token),
    ).toBe(403);
    expect(await statusOf('/v1/sessions/ses_nowhere/terminal', session.cli)).toBe(404);
  });
});

describe('a terminal', () => {
  it('shows each window its own screen, and then what follows', async () => {
    const desk = await machine();
    const first = await watching(desk);
    const second = await window();
    const { viewer } = await desk.next('show');
    desk.output('before the second’s screen');
    desk.send({ type: 'screen', viewer, columns: 80, rows: 24, data: 'later' });
    await second.next('screen');
    desk.output('for both');
    await until(() => second.text === 'for both', 'the output');
    await until(() => first.text === 'before the second’s screenfor both', 'both outputs');
    const acked = await desk.next('ack');
    expect(acked.bytes).toBe(new TextEncoder().encode('before the second’s screen').byteLength);
  });

  it('of a new machine’s connection replaces the one before, and asks for its screens', async () => {
    const earlier = await machine();
    const watcher = await watching(earlier);
    const later = await machine();
    expect(await earlier.closed()).toBe(REFUSALS.replaced.closeCode);
    expect(await watcher.next('machine')).toEqual({ type: 'machine', connected: true });
    await later.next('show');
    expect(watcher.frames.some((frame) => frame.type === 'machine' && !frame.connected)).toBe(
      false,
    );
    later.socket.close(1000);
    await until(
      () => watcher.frames.some((frame) => frame.type === 'machine' && !frame.connected),
      'the machine to be gone',
    );
  });

  it('takes keys from whoever drives, under their epoch, and from nobody else', async () => {
    const desk = await machine();
    const driver = await watching(desk, await drive());
    const watcher = await watching(desk);
    watcher.type('rm -rf');
    expect((await watcher.next('dropped')).bytes).toBe(6);
    driver.type('ls');
    await until(() => desk.binary.length > 0, 'keys');
    const [frame] = desk.binary;
    const keys = frame && decodeKeys(frame);
    expect(keys && new TextDecoder().decode(keys.keys)).toBe('ls');
    expect(keys?.epoch).toBeGreaterThan(1);
    await drive();
    await driver.next('demoted');
    driver.type('stale');
    expect((await driver.next('dropped')).bytes).toBe(5);
    expect(desk.binary).toHaveLength(1);
  });

  it('takes its size from the driver alone', async () => {
    const desk = await machine();
    const watcher = await watching(desk);
    watcher.send({ type: 'resize', size: { columns: 10, rows: 10 } });
    const driver = await watching(desk, await drive());
    driver.send({ type: 'resize', size: { columns: 77, rows: 20 } });
    await until(
      () => desk.frames.some((frame) => frame.type === 'resize' && frame.size.columns === 77),
      'the size',
    );
    expect(desk.frames.some((frame) => frame.type === 'resize' && frame.size.columns === 10)).toBe(
      false,
    );
  });

  it('tells the machine when nobody watches any more', async () => {
    const desk = await machine();
    const watcher = await watching(desk);
    watcher.socket.close(1000);
    expect(await desk.next('quiet')).toEqual({ type: 'quiet' });
  });

  it('keeps its windows, and who of them drives, while the object sleeps', async () => {
    const desk = await machine();
    const driver = await watching(desk, await drive());
    await evictDurableObject(
      env.SESSION_TERMINAL.getByName(`${LOCAL_ACCOUNT}/${session.sessionId}`),
    );
    driver.type('awake');
    await until(() => desk.binary.length > 0, 'keys');
    desk.output('lost with the sleep');
    expect((await desk.next('show')).viewer).not.toBe('');
    expect(driver.text).toBe('');
  });

  it('refuses keys of a session that is driven by text, whoever sends them', async () => {
    const key = await drive('text');
    // Its key drives, and not by keys: its window is not told that it does.
    await expect(window(key)).rejects.toThrow('not what its key says');
    const watcher = await window();
    watcher.type('ls');
    expect((await watcher.next('failed')).code).toBe('keys_unsupported');
  });

  it('refuses keys of a session whose engine has no terminal, whoever has taken it over or nobody', async () => {
    const without = await launchOn(session, { engineId: 'deaf' });
    const watcher = keep(await TerminalWindow.attached(without.sessionId, without.cli, null));
    watcher.type('ls');
    expect((await watcher.next('failed')).code).toBe('keys_unsupported');
  });

  it('says that keys are lost where no machine is connected', async () => {
    const driver = await window(await drive());
    driver.type('nobody');
    expect((await driver.next('dropped')).bytes).toBe(6);
  });
});

describe('what is not a terminal’s word', () => {
  it.each([
    ['a frame that is none', '{"type":"attach"}', 'bad_request'],
    ['no JSON', 'hello', 'bad_request'],
    ['more keys than a frame holds', new Uint8Array(INPUT_FRAME_BYTES + 1), 'payload_too_large'],
  ])('ends a window: %s', async (_name, message, code) => {
    const watcher = await window();
    watcher.socket.send(message);
    expect((await watcher.next('failed')).code).toBe(code);
    expect(await watcher.closed()).toBe(REFUSALS.protocol_error.closeCode);
  });

  it.each([
    ['a frame that is none', '{"type":"screen"}'],
    ['more output than a frame holds', new Uint8Array(OUTPUT_FRAME_BYTES + 1)],
  ])('ends the machine’s connection: %s', async (_name, message) => {
    const desk = await machine();
    desk.socket.send(message);
    expect(await desk.closed()).toBe(REFUSALS.protocol_error.closeCode);
  });

  it('of a kind that is not known yet is passed over on both sides', async () => {
    const desk = await machine();
    const watcher = await watching(desk);
    desk.send({ type: 'tomorrow' });
    watcher.send({ type: 'tomorrow' });
    desk.output('still here');
    await until(() => watcher.text === 'still here', 'the output');
    expect([watcher.closeCode, desk.closeCode]).toEqual([null, null]);
  });
});

describe('a window whose credential was withdrawn', () => {
  it('is closed with the reason once it is looked at again', async () => {
    const cli = await makeCliToken();
    const watcher = keep(await TerminalWindow.attached(session.sessionId, cli, null));
    await env.DB.prepare('DELETE FROM credentials WHERE token_hash = ?')
      .bind(await sha256Hex(cli))
      .run();
    // Awake again, nothing is known of when it was looked at last.
    await evictDurableObject(
      env.SESSION_TERMINAL.getByName(`${LOCAL_ACCOUNT}/${session.sessionId}`),
    );
    watcher.send({ type: 'ack', bytes: 1 });
    expect((await watcher.next('failed')).code).toBe('unauthenticated');
    expect(await watcher.closed()).toBe(REFUSALS.unauthorized.closeCode);
  });
});

it('a session that is not there has no terminal to drive', async () => {
  const body = { form: 'text' };
  const path = `/v1/sessions/${sessionId.parse('ses_none')}/takeover`;
  expect((await ask('POST', path, { bearer: session.cli, body })).status).toBe(404);
});
