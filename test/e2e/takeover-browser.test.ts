import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

/** The windows of a person, and of another one, on one terminal that goes from hand to hand. */
let world: RehearsalWorld;
let network: TcpProxy;
let browser: Browser;
let desk: BrowserContext;
let sessionId: string;
const opened: Watched[] = [];
/** Who drives first, and who looks on. */
let driver: Page;
let other: Page;

const turn = (text: string) => [
  { do: 'text' as const, text },
  { do: 'usage' as const, inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 },
];

beforeAll(async () => {
  network = await TcpProxy.listen();
  const script = { turns: ['First.', 'Second.', 'Third.'].map(turn) };
  world = await RehearsalWorld.start(script, '--allow-host', network.host);
  network.leadTo(world.installation.url);
  browser = await openBrowser();
  desk = await browser.newContext({
    baseURL: world.installation.url,
    viewport: { width: 1280, height: 800 },
  });
  sessionId = await world.launch('Rehearse');
  await world.untilTurns(sessionId, 1);
  driver = await openOn(desk, world.installation.link);
  await driver.waitForURL((address) => address.hash === '');
  await driver.goto(`/sessions/${sessionId}`);
  other = await openOn(desk, `/sessions/${sessionId}`);
});
afterAll(async () => {
  await browser?.close();
  await network?.close();
  await world?.stop();
});

async function openOn(context: BrowserContext, path: string): Promise<Page> {
  const watched = await openPage(context);
  opened.push(watched);
  await watched.page.goto(path);
  return watched.page;
}
const shows = (page: Page, words: string | RegExp) =>
  page.locator('.xterm-rows').getByText(words).last().waitFor();
const pressed = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Escape, and its answer: what comes at once behind it would be read as one key with it. */
const clears = async (page: Page) => {
  await page.keyboard.press('Escape');
  // Earlier answers scroll out of a small window: this one stands last, above an empty prompt.
  await until('the answer', async () =>
    /Cleared\.\s*\n>\s*$/.test(await page.locator('.xterm-rows').innerText()),
  );
};
/** Resolves when the page says this, for however short a time. */
const tells = (page: Page, words: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const look = () => document.body.innerText.includes(wanted) && resolve();
        const all = { subtree: true, childList: true, characterData: true };
        new MutationObserver(look).observe(document.body, all);
      }),
    words,
  );
/** The size that the program was last told, in its own words. */
const sizeIn = async (page: Page) =>
  (await page.locator('.xterm-rows').innerText()).match(/\d+x\d+/g)?.at(-1);

it('is driven with letters, arrows, Backspace and Ctrl-C while another window looks on', async () => {
  await driver.getByRole('button', { name: 'Take over' }).click();
  await shows(driver, '1 turns so far');
  await shows(other, '1 turns so far');
  await driver.keyboard.type('helloo');
  await pressed(driver, 'Backspace');
  await shows(other, /^> hello\s*$/);
  await pressed(driver, 'Control+c');
  await shows(other, 'Cleared.');
  await driver.keyboard.type('ahoy');
  await pressed(driver, 'Enter');
  await shows(driver, 'Turn 2 is over.');
  await pressed(driver, 'ArrowUp', 'Backspace');
  await shows(other, /^> aho\s*$/);
  await clears(driver);
  await other.locator('.xterm-screen').click();
  await other.keyboard.type('not mine');
  expect(await other.locator('.xterm-rows').innerText()).not.toContain('not mine');
});

it('takes many pasted lines as one instruction', async () => {
  await driver.locator('.xterm-helper-textarea').evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'one\ntwo\nthree');
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await shows(other, /^> one two three\s*$/);
  await pressed(driver, 'Enter');
  await shows(driver, 'You said 13 characters.');
  await shows(driver, 'Turn 3 is over.');
  expect(await driver.locator('.xterm-rows').innerText()).not.toContain('Turn 4');
});

it('has the size of the window that drives, and of no other', async () => {
  const before = await sizeIn(driver);
  await driver.setViewportSize({ width: 900, height: 700 });
  const size = await until('the new size', async () => {
    const told = await sizeIn(driver);
    return told !== before && told;
  });
  await other.setViewportSize({ width: 700, height: 500 });
  await driver.keyboard.type('still');
  await shows(other, /^> still\s*$/);
  expect(await sizeIn(driver)).toBe(size);
  await clears(driver);
});

it('comes back by itself when the Worker was killed, with what was typed before', async () => {
  await driver.keyboard.type('half');
  await shows(other, /^> half\s*$/);
  process.kill(Number(readFileSync(world.layout.workerdPidFile, 'utf8')), 'SIGKILL');
  await driver.getByText('The connection is lost').waitFor();
  await driver.getByText('The connection is lost').waitFor({ state: 'detached' });
  await driver.getByText('Every key reaches the engine.').waitFor();
  await shows(driver, /^> half\s*$/);
  await driver.keyboard.type(' whole');
  await shows(driver, /^> half whole\s*$/);
  await shows(other, /^> half whole\s*$/);
  expect(await world.events(sessionId, 'terminal/opened')).toHaveLength(1);
  await clears(driver);
});

it('says within seconds that its connection broke, and comes back by itself', async () => {
  // A page beside the other two, on a network of its own that can be cut.
  network.restore();
  const far = await browser.newContext({ storageState: await desk.storageState() });
  await far.addCookies(
    (await desk.cookies()).map((cookie) => ({ ...cookie, domain: '127.0.0.1', path: '/' })),
  );
  const { page } = await openPage(far);
  await page.goto(`${network.url}/sessions/${sessionId}`);
  await shows(page, /^> /);
  network.cut();
  await page.getByText('The connection is lost').waitFor({ timeout: 5_000 });
  network.restore();
  await page.getByText('The connection is lost').waitFor({ state: 'detached' });
  await driver.keyboard.type('back');
  await shows(page, /^> back\s*$/);
  const told = tells(page, 'The connection is lost');
  network.freeze();
  await told;
  await page.getByText('The connection is lost').waitFor({ state: 'detached' });
  await driver.keyboard.type(' again');
  await shows(page, /^> back again\s*$/);
  expect(await world.events(sessionId, 'terminal/opened')).toHaveLength(1);
  await far.close();
  await clears(driver);
});

it('goes to another window by force, which the first one is told', async () => {
  await other.getByRole('button', { name: 'Take over' }).click();
  await other.getByRole('button', { name: 'Take over with keys' }).click();
  await driver.getByText('Somebody else took the session over. You watch.').waitFor();
  await other.getByText('Every key reaches the engine.').waitFor();
  await other.keyboard.type('mine');
  await shows(driver, /^> mine\s*$/);
  await driver.locator('.xterm-screen').click();
  await driver.keyboard.type('yours');
  await other.keyboard.type(' alone');
  await shows(driver, /^> mine alone\s*$/);
  expect(await driver.getByText('You drive').count()).toBe(0);
  await clears(other);
});

it('is driven from a phone by the keys that its keyboard lacks, and handed back from there', async () => {
  const phone = await browser.newContext({
    baseURL: world.installation.url,
    storageState: await desk.storageState(),
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await openOn(phone, `/sessions/${sessionId}`);
  await page.getByRole('button', { name: 'Take over' }).tap();
  await page.getByRole('button', { name: 'Take over with keys' }).tap();
  await page.getByText('Every key reaches the engine.').waitFor();
  const bar = page.getByRole('toolbar', { name: 'Keys' });
  await bar.getByRole('button', { name: 'Up' }).tap();
  await shows(page, /^> one two three\s*$/);
  await bar.getByRole('button', { name: 'Esc' }).tap();
  await shows(page, /three\s*Cleared\./);
  await page.keyboard.type('x');
  await bar.getByRole('button', { name: 'Ctrl' }).tap();
  await page.keyboard.type('c');
  await page.keyboard.type('phone');
  await shows(page, /^> phone\s*$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  if (process.env['PILOTHOUSE_TEST_SCREENSHOT'])
    await page.screenshot({ path: process.env['PILOTHOUSE_TEST_SCREENSHOT'] });
  await page.getByRole('button', { name: 'Hand back' }).tap();
  await world.untilState(sessionId, 'parked');
  const field = page.getByRole('textbox', { name: 'What to do next' });
  await field.fill('go on');
  await page.getByRole('button', { name: 'Send' }).tap();
  const { view } = await world.untilTurns(sessionId, 3);
  expect(view.turns.map(({ origin }) => origin)).toEqual([
    'instruction',
    'terminal',
    'instruction',
  ]);
});

it('had no error in any window', () => {
  expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
});
