import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBody } from '../../protocol/errors.ts';
import { takenOver } from '../../protocol/takeover.ts';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { readProcess } from '../../runner/process/process-table.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { TerminalClient } from '../support/terminal-client.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const turn = (words: string) => [
  { do: 'text' as const, text: words },
  { do: 'usage' as const, inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 },
];
let world: RehearsalWorld;

beforeAll(async () => {
  world = await RehearsalWorld.start({ turns: [turn('First.'), turn('Second.'), turn('Third.')] });
});
afterAll(() => world?.stop());

const takeOver = async (sessionId: string, body: object = {}) => {
  const response = await world.call(`/v1/sessions/${sessionId}/takeover`, body);
  if (!response.ok) throw new Error(await response.text());
  return takenOver.parse(await response.json());
};
const refusalOf = async (path: string, body: object) => {
  const response = await world.call(path, body);
  return errorBody.parse(await response.json()).error.code;
};
const watch = (sessionId: string, key: string | null) =>
  TerminalClient.open(world.installation.url, world.cliToken, sessionId, key);
const launched = async () => {
  const sessionId = await world.launch('Rehearse');
  await world.untilTurns(sessionId, 1);
  return sessionId;
};

describe('a session taken over with keys', () => {
  it('goes on in the engine’s own terminal, and without it after it is handed back', async () => {
    const sessionId = await launched();
    const { key } = await takeOver(sessionId);
    const driver = await watch(sessionId, key);
    await driver.see('1 turns so far');
    await world.untilState(sessionId, 'taken_over');
    driver.type('hello\r');
    await driver.see('Second.');
    await driver.see('Turn 2 is over.');
    expect(await refusalOf(`/v1/sessions/${sessionId}/instructions`, { text: 'go on' })).toBe(
      'taken_over',
    );
    const released = await world.call(`/v1/sessions/${sessionId}/release`, { key });
    expect(released.status).toBe(202);
    await world.untilState(sessionId, 'parked');
    await driver.untilFrame('machine', (frame) => !frame.connected);
    await world.cli('sessions', 'say', sessionId, '--wait', 'go on');
    const { view } = await world.untilTurns(sessionId, 3);
    const texts = await world.events(sessionId, 'text/completed');
    expect(texts.map(({ text }) => text.text)).toEqual(['First.', 'Third.']);
    expect(view.turns.map(({ origin }) => origin)).toEqual([
      'instruction',
      'terminal',
      'instruction',
    ]);
    driver.close();
  });

  it('is driven by one person at a time, while others may watch', async () => {
    const sessionId = await launched();
    const first = await takeOver(sessionId);
    const driver = await watch(sessionId, first.key);
    await driver.see('1 turns so far');
    const viewer = await watch(sessionId, null);
    await viewer.see('1 turns so far');
    viewer.type('/exit\r');
    await viewer.untilFrame('dropped');
    const path = `/v1/sessions/${sessionId}`;
    expect(await refusalOf(`${path}/takeover`, {})).toBe('taken_over');
    expect(await refusalOf(`${path}/release`, {})).toBe('taken_over');
    const second = await takeOver(sessionId, { force: true });
    await driver.untilFrame('demoted');
    driver.type('/exit\r');
    await driver.untilFrame('dropped');
    const next = await watch(sessionId, second.key);
    next.type('mine');
    await next.see('> mine');
    next.send({ type: 'resize', size: { columns: 77, rows: 20 } });
    await next.see('77x20');
    await viewer.see('77x20');
    await world.call(`${path}/stop`, {});
    await world.untilState(sessionId, 'stopped');
    for (const each of [driver, viewer, next]) each.close();
  });

  it('takes a paste of a megabyte and a flood, and shows a slow window the screen instead', async () => {
    const sessionId = await launched();
    const { key } = await takeOver(sessionId);
    const driver = await watch(sessionId, key);
    await driver.see('1 turns so far');
    const slow = await watch(sessionId, null);
    await slow.see('1 turns so far');
    slow.acks = false;
    const part = 'x'.repeat(16 * 1024);
    driver.type('\u001b[200~');
    for (let sent = 0; sent < 64; sent++) driver.type(part);
    driver.type('\u001b[201~\r');
    await driver.see(`You said ${64 * part.length} characters.`);
    await driver.see('Turn 2 is over.');
    driver.type('/flood 4096\r');
    await driver.see('The flood is over.');
    expect(slow.bytes).toBeLessThan(512 * 1024);
    slow.acks = true;
    slow.ack(slow.bytes);
    await slow.see('The flood is over.');
    expect(slow.screens).toBe(2);
    driver.type('/exit\r');
    await world.untilState(sessionId, 'parked');
    const closed = await world.events(sessionId, 'terminal/closed');
    expect(closed).toMatchObject([{ reason: 'exited', exitCode: 0 }]);
    for (const each of [driver, slow]) each.close();
  });

  it('can be taken over with text alone, by whoever has the key', async () => {
    const sessionId = await launched();
    const { key } = await takeOver(sessionId, { form: 'text' });
    const path = `/v1/sessions/${sessionId}/instructions`;
    expect(await refusalOf(path, { text: 'not mine' })).toBe('taken_over');
    expect((await world.call(path, { text: 'mine', key })).status).toBe(202);
    await world.untilTurns(sessionId, 2);
    expect((await world.call(`/v1/sessions/${sessionId}/release`, { key })).status).toBe(202);
    expect((await world.call(path, { text: 'anybody’s' })).status).toBe(202);
    await world.untilTurns(sessionId, 3);
  });

  it('opens again with the next runner when the first one is killed', async () => {
    const sessionId = await launched();
    const { key } = await takeOver(sessionId);
    const driver = await watch(sessionId, key);
    await driver.see('1 turns so far');
    driver.type('hello\r');
    await driver.see('Turn 2 is over.');
    const [opened] = await world.events(sessionId, 'terminal/opened');
    process.kill(Number(readFileSync(world.layout.runnerPidFile, 'utf8')), 'SIGKILL');
    await driver.untilFrame('machine', (frame) => !frame.connected);
    await driver.see('2 turns so far');
    const all = await world.events(sessionId, 'terminal/opened');
    expect(all.map(({ reopened }) => reopened)).toEqual([false, true]);
    // One that ended and that nobody has waited for yet runs no more.
    expect(readProcess(opened?.process.pid ?? 0)?.zombie ?? true).toBe(true);
    driver.type('again\r');
    await driver.see('Turn 3 is over.');
    expect((await world.call(`/v1/sessions/${sessionId}/release`, { key })).status).toBe(202);
    await world.untilState(sessionId, 'parked');
    driver.close();
  });

  it('is driven from a shell, which is left as it was', async () => {
    const sessionId = await launched();
    const shell = spawn(
      process.execPath,
      [join(PRODUCT_ROOT, 'tools/bootstrap/pilothouse.mjs'), 'takeover', sessionId],
      { cols: 90, rows: 25, cwd: world.repository, env: world.installation.env },
    );
    let shown = '';
    shell.onData((text) => (shown += text));
    const code = new Promise<number>((resolve) =>
      shell.onExit(({ exitCode }) => resolve(exitCode)),
    );
    const see = (words: string) =>
      until(`the shell to show ${words}`, () => shown.includes(words), {
        withinMs: 60_000,
        tell: () => JSON.stringify(shown.slice(-1_000)),
      });
    await see('1 turns so far');
    shell.write('hello\r');
    await see('Turn 2 is over.');
    shell.resize(70, 20);
    await see('70x20');
    shell.write(String.fromCharCode(0x1d));
    await see('Handed back.');
    expect(await code).toBe(0);
    await world.untilState(sessionId, 'parked');
  });
});

describe('the page of a session', () => {
  it('takes it over, types, reloads and hands it back, while another page looks on', async () => {
    const sessionId = await launched();
    const browser = await openBrowser();
    const context = await browser.newContext({ baseURL: world.installation.url });
    const driver = await openPage(context);
    const viewer = await openPage(context);
    const shows = (words: string) =>
      [driver, viewer].map(({ page }) => page.locator('.xterm-rows').getByText(words).waitFor());
    await driver.page.goto(world.installation.link);
    await driver.page.waitForURL((address) => address.hash === '');
    for (const { page } of [driver, viewer]) await page.goto(`/sessions/${sessionId}`);
    await driver.page.getByRole('button', { name: 'Take over' }).click();
    await Promise.all(shows('1 turns so far'));
    await viewer.page.getByText('Somebody drives in another window').waitFor();
    await viewer.page.locator('.xterm-screen').click();
    await viewer.page.keyboard.type('not mine');
    await driver.page.keyboard.type('half');
    await Promise.all(shows('> half'));
    await driver.page.keyboard.press('Escape');
    await Promise.all(shows('Cleared.'));
    await driver.page.keyboard.type('hello');
    await driver.page.keyboard.press('Enter');
    await Promise.all(shows('Turn 2 is over.'));
    await driver.page.reload();
    await Promise.all(shows('Turn 2 is over.'));
    await driver.page.keyboard.type('again');
    await driver.page.keyboard.press('Enter');
    await Promise.all(shows('Turn 3 is over.'));
    await driver.page.keyboard.press('Control+]');
    await driver.page.keyboard.press('Enter');
    await world.untilState(sessionId, 'parked');
    const field = driver.page.getByRole('textbox', { name: 'What to do next' });
    await field.fill('go on');
    await field.press('Enter');
    await world.untilTurns(sessionId, 3);
    expect([...driver.faults, ...viewer.faults]).toEqual([]);
    await browser.close();
  });
});
