import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../../protocol/http.ts';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { paneRecord, type PaneRecord } from '../../../protocol/panes.ts';
import { takenOver } from '../../../protocol/takeover.ts';
import { decodeKeys } from '../../../protocol/terminal-frames.ts';
import { REFUSALS } from '../../../protocol/version.ts';
import { ask, registerRunner } from '../support/http.ts';
import { type Installation, startOnline } from '../support/sessions.ts';
import { openSocket, type TestSocket, until } from '../support/socket.ts';
import { TerminalMachine, TerminalWindow } from '../support/terminals.ts';

let house: Installation;
let target: string;
let panes = 0;
const opened: TestSocket<{ type: string }>[] = [];

beforeAll(async () => {
  house = await startOnline();
});
afterEach(async () => {
  for (const each of opened) each.socket.close(1000);
  await Promise.all(opened.splice(0).map((each) => each.closed()));
});

/** Each test has a terminal of its own. */
function another(): void {
  target = `tmux:own:1.2:%${(panes += 1)}`;
}
function keep<T extends TestSocket<{ type: string }>>(socket: T): T {
  opened.push(socket);
  return socket;
}
const below = () => `panes/link?target=${encodeURIComponent(target)}`;
const address = (what: string) =>
  `/v1/runners/${house.runner.runnerId}/panes/${what}?target=${encodeURIComponent(target)}`;
const machine = async () => keep(await TerminalMachine.open(house.runner, below()));
const window = async (key: string | null = null) =>
  keep(await TerminalWindow.open(address('socket'), house.cli, key));
/** The machine answers what it is asked next of this terminal; windows of earlier ones may ask too. */
async function answer(result: Parameters<typeof house.peer.result>[1], drive = false) {
  for (;;) {
    const { command } = await house.peer.next('command');
    if (command.method !== 'terminal/watch' || command.params.target !== target) continue;
    if (command.params.drive === drive) return house.peer.result(command.id, result);
  }
}
const WATCHED = { ok: true as const, value: { watched: true } };
const refusal = (code: string) => ({ ok: false as const, code, message: 'No.' });

async function watching(desk: TerminalMachine, key: string | null = null) {
  const watcher = await window(key);
  const { viewer } = await desk.next('show');
  desk.send({ type: 'screen', viewer, columns: 80, rows: 24, data: 'so far' });
  expect(await watcher.next('screen')).toMatchObject({ data: 'so far' });
  return watcher;
}
async function post(what: 'drive' | 'let-go', body: object) {
  const path = `/v1/runners/${house.runner.runnerId}/panes/${what}`;
  return ask('POST', path, { bearer: house.cli, body: { target, ...body } });
}
async function drive(force = false): Promise<string> {
  const [done] = await Promise.all([post('drive', { force }), answer(WATCHED, true)]);
  return takenOver.parse(done.body).key;
}
async function records(): Promise<PaneRecord[]> {
  const path = address('records');
  const { body } = await ask('GET', path, { bearer: house.cli });
  return pageOf(paneRecord).parse(body).items.toReversed();
}

describe('who may open a terminal of a machine', () => {
  it('is a person or a tool as a window, and that machine as the machine', async () => {
    another();
    const other = await registerRunner();
    const statusOf = async (path: string, bearer?: string) =>
      (await openSocket(path, bearer === undefined ? {} : { bearer })).status;
    expect(await statusOf(address('socket'))).toBe(401);
    expect(await statusOf(address('socket'), house.runner.token)).toBe(403);
    expect(await statusOf(address('link'), house.cli)).toBe(403);
    expect(await statusOf(address('link'), other.token)).toBe(403);
    const nowhere = address('socket').replace(house.runner.runnerId, 'run_nowhere');
    expect(await statusOf(nowhere, house.cli)).toBe(404);
    expect(await statusOf(address('socket').replace('tmux', 'vim'), house.cli)).toBe(400);
  });
});

describe('a window', () => {
  it('has the machine asked, and is shown what that shows', async () => {
    another();
    const watcher = await window();
    await answer(WATCHED);
    const desk = await machine();
    expect(await desk.next('lease')).toEqual({ type: 'lease', epoch: null });
    expect(await watcher.next('machine')).toMatchObject({ connected: true });
    const { viewer } = await desk.next('show');
    desk.send({ type: 'screen', viewer, columns: 80, rows: 24, data: 'hello' });
    expect(await watcher.next('screen')).toMatchObject({ data: 'hello' });
    desk.output(' there');
    await until(() => watcher.text === ' there', 'the output');
    expect(await records()).toMatchObject([{ kind: 'watched', channel: 'cli', bytes: null }]);
  });

  it('is told what the machine refuses, and does not come back by itself', async () => {
    another();
    const watcher = await window();
    await answer(refusal('terminal_watch_not_allowed'));
    expect(await watcher.next('failed')).toMatchObject({ code: 'terminal_watch_not_allowed' });
    expect(await watcher.closed()).toBe(REFUSALS.revoked.closeCode);
  });

  it('waits for a machine that is only late, which is asked again', async () => {
    another();
    await window();
    await answer(refusal('runner_timeout'));
    await answer(WATCHED);
    expect(await (await machine()).next('lease')).toMatchObject({ epoch: null });
  });

  it('gets its screen again when the machine says that something was left out', async () => {
    another();
    const desk = await machine();
    const watcher = await watching(desk);
    desk.send({ type: 'resync' });
    const { viewer } = await desk.next('show');
    desk.output('between');
    desk.send({ type: 'screen', viewer, columns: 80, rows: 24, data: 'anew' });
    expect(await watcher.next('screen')).toMatchObject({ data: 'anew' });
    expect(watcher.text).toBe('');
  });

  it('is closed with the reason when the terminal is gone', async () => {
    another();
    const desk = await machine();
    const watcher = await watching(desk);
    desk.send({ type: 'ended', code: 'terminal_gone' });
    expect(await watcher.next('failed')).toMatchObject({ code: 'terminal_gone' });
  });
});

describe('the keys', () => {
  it('go to the machine from whoever took them, with everybody told, and are on record as a count', async () => {
    another();
    const desk = await machine();
    const watcher = await watching(desk);
    const key = await drive();
    expect(await desk.next('lease')).toMatchObject({ epoch: 1 });
    expect(await watcher.next('lease')).toMatchObject({ driver: { channel: 'cli' } });
    watcher.type('not mine');
    expect(await watcher.next('dropped')).toMatchObject({ bytes: 8 });
    const driver = await watching(desk, key);
    driver.type('secret words');
    await until(() => desk.binary.length === 1, 'the keys');
    const keys = decodeKeys(Uint8Array.from(desk.binary[0] ?? []));
    expect(keys?.epoch).toBe(1);
    expect(new TextDecoder().decode(keys?.keys)).toBe('secret words');
    expect((await post('let-go', { key })).status).toBe(202);
    await driver.next('demoted');
    expect(await desk.next('lease')).toMatchObject({ epoch: null });
    await until(async () => (await records()).length === 5, 'the record');
    const all = await records();
    expect(all.map(({ kind }) => kind).toSorted()).toEqual([
      'let_go',
      'took',
      'typed',
      'watched',
      'watched',
    ]);
    expect(all.find(({ kind }) => kind === 'typed')).toMatchObject({ bytes: 12, batches: 1 });
    expect(all.find(({ kind }) => kind === 'let_go')).toMatchObject({ reason: 'handed_back' });
    expect(JSON.stringify(all)).not.toContain('secret');
  });

  it('are refused to a second person without force, and to everybody where the limits say no', async () => {
    another();
    const [refused] = await Promise.all([
      post('drive', {}),
      answer(refusal('terminal_drive_not_allowed'), true),
    ]);
    expect(refused).toMatchObject({ status: 422 });
    expect((await post('let-go', { force: true })).status).toBe(409);
    await drive();
    const [second] = await Promise.all([post('drive', {}), answer(WATCHED, true)]);
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'terminal_driven' } } });
    expect((await post('let-go', {})).status).toBe(409);
    await drive(true);
    expect((await post('let-go', { force: true })).status).toBe(202);
  });

  it('stay with whoever has them when the object was put to sleep, under the same epoch', async () => {
    another();
    const desk = await machine();
    const key = await drive();
    const driver = await watching(desk, key);
    driver.type('a');
    await until(() => desk.binary.length === 1, 'the first key');
    await evictDurableObject(
      env.PANE_TERMINAL.getByName(`${LOCAL_ACCOUNT}/${house.runner.runnerId}/${target}`),
    );
    driver.type('b');
    await until(() => desk.binary.length === 2, 'the second key');
    expect(decodeKeys(Uint8Array.from(desk.binary[1] ?? []))?.epoch).toBe(1);
    await until(
      async () => (await records()).filter(({ kind }) => kind === 'typed').length > 0,
      'what was typed to be on record by itself',
    );
    expect((await post('let-go', { key })).status).toBe(202);
  });
});

describe('a machine whose access is taken back', () => {
  it('shows nothing more: its own socket ends, and every window with the reason', async () => {
    another();
    const watcher = await window();
    await answer(WATCHED);
    const desk = await machine();
    expect(await watcher.next('machine')).toMatchObject({ connected: true });
    const path = `/v1/runners/${house.runner.runnerId}/revoke`;
    expect((await ask('POST', path, { bearer: house.cli, body: {} })).status).toBe(200);
    expect(await watcher.next('failed')).toMatchObject({ code: 'runner_revoked' });
    expect(await watcher.closed()).toBe(REFUSALS.revoked.closeCode);
    expect(await desk.closed()).toBe(REFUSALS.revoked.closeCode);
  });
});
