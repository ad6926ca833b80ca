import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { actPage, sessionPage } from '../../protocol/http.ts';
import type { ScriptInput } from '../../runner/engines/rehearsal/script.ts';
import { aPng } from '../support/images.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { follow } from '../support/stand/visit.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const SLOW = Array.from({ length: 90 }, (_, index) => `word${index}`).join(' ');

/** Slow enough to be watched; otherwise what a session of a real engine does. */
const SCRIPT: ScriptInput = {
  turns: [
    [
      { do: 'text', text: `Looking at the tide. ${SLOW}`, chunkChars: 12, everyMs: 40 },
      {
        do: 'edit',
        path: 'src/tide.js',
        find: '/ (readings.length + 1)',
        replace: '/ readings.length',
        ask: false,
      },
      { do: 'bash', command: 'git commit -qam "Correct the average"', ask: false },
      { do: 'bash', command: 'git push origin HEAD', ask: true },
      { do: 'text', text: 'It is pushed.', when: 'allowed' },
      { do: 'text', text: 'It is not pushed.', when: 'denied' },
      { do: 'usage', inputTokens: 1_000, outputTokens: 100, costUsd: 0.25 },
    ],
    [
      { do: 'text', text: `Once more. ${SLOW}`, chunkChars: 8, everyMs: 40 },
      { do: 'text', text: 'That was all.' },
      { do: 'usage', inputTokens: 500, outputTokens: 50, costUsd: 0.25 },
    ],
  ],
};

let network: TcpProxy;
let world: RehearsalWorld;
let browser: Browser;
/** What a signed-in browser keeps. */
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
const opened: Watched[] = [];

beforeAll(async () => {
  network = await TcpProxy.listen();
  world = await RehearsalWorld.start(SCRIPT, '--allow-host', network.host);
  network.leadTo(world.installation.url);
  browser = await openBrowser();
});
afterEach(() => network.restore());
afterAll(async () => {
  await browser?.close();
  await network?.close();
  await world?.stop();
});

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

const openContext = (options: ContextOptions = {}) =>
  browser.newContext({
    baseURL: network.url,
    viewport: { width: 1400, height: 1600 },
    storageState: signedIn,
    ...options,
  });
/** The browser at the desk, which keeps the files of the console from page to page. */
let desk: Promise<BrowserContext> | undefined;

/** A signed-in page, at the address that leads through the breakable network. */
async function enter(path: string, options?: ContextOptions): Promise<Page> {
  const context = await (options ? openContext(options) : (desk ??= openContext()));
  const watched = await openPage(context);
  opened.push(watched);
  await watched.page.addInitScript(watchLiveText);
  await watched.page.goto(path);
  return watched.page;
}

/** In the page: keeps every length at which text on its way was drawn. */
function watchLiveText(): void {
  const lengths = new Set<number>();
  Object.assign(globalThis, { liveLengths: lengths });
  new MutationObserver(() => {
    for (const live of document.querySelectorAll('[role="log"] [aria-busy="true"]'))
      lengths.add(live.textContent.length);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
const liveLengths = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { liveLengths: Set<number> }).liveLengths.size);
const transcript = (page: Page) => page.getByRole('log', { name: 'Transcript' });
const approvalIn = (page: Page) => page.locator('section[data-request]');
const sessionIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const scrollWidth = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Nothing on the page says that something is still under way. */
const expectRest = async (page: Page) => {
  await page.locator('[data-state="idle"]').first().waitFor();
  expect(await page.locator('[data-state="working"], [aria-busy="true"]').count()).toBe(0);
  expect(await transcript(page).locator('.animate-pulse-live').count()).toBe(0);
};
const count = (page: Page, words: string) =>
  transcript(page).getByText(words, { exact: false }).count();

describe('the console on a rehearsal', () => {
  it('signs in by the printed link once, and tells a second browser what to do', async () => {
    const link = world.installation.link.replace(world.installation.url, network.url);
    const context = await browser.newContext();
    const first = await openPage(context);
    opened.push(first);
    await first.page.goto(link);
    await first.page
      .getByRole('link', { name: /launch/i })
      .first()
      .waitFor();
    expect(first.page.url()).not.toContain('#');
    signedIn = await context.storageState();
    const { page } = await openPage(await browser.newContext());
    await page.goto(link);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/was used or has expired/);
    expect(await page.getByRole('main').textContent()).toContain('pilothouse link');
    expect(await page.context().cookies()).toEqual([]);
    await page.context().close();
  });

  it('launches from the form, streams, asks in place, and shows diff, act and figures', async () => {
    const page = await enter('/launch');
    await page.getByRole('radio', { name: /Rehearsal/ }).check();
    await page.getByLabel('Objective').fill('Correct the tide');
    // A person who double-clicks everything launches one session, and allows once.
    await page.getByRole('button', { name: 'Launch' }).dblclick();
    await page.waitForURL(/\/sessions\/ses_/);
    const card = approvalIn(page);
    await card.waitFor();
    expect(await card.textContent()).toContain('git push origin HEAD');
    expect(await liveLengths(page)).toBeGreaterThan(3);
    await card.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    await transcript(page).getByText('It is pushed.').waitFor();
    await transcript(page).getByText('Turn done').waitFor();
    expect((await world.get(sessionPage, '/v1/sessions')).items).toHaveLength(1);
    expect(await transcript(page).locator('[data-act="push"]').first().textContent()).toMatch(
      /push.*done/,
    );
    const footer = transcript(page).locator('[data-bucket]');
    expect(await footer.getAttribute('data-bucket')).toBe('rehearsal');
    expect(await page.locator('[data-bucket]:not([data-bucket="rehearsal"])').count()).toBe(0);
    await showDiff(page);
    const label = page.locator('header').getByTitle('Nothing is asked of a model');
    expect(await label.textContent()).toBe('rehearsal');
    const acts = await until('the ledger to follow the record', async () => {
      const { items } = await world.get(actPage, '/v1/acts');
      return items.some(({ outcome }) => outcome !== null) ? items : null;
    });
    expect(acts).toMatchObject([{ kind: 'push', outcome: 'done', rehearsal: true }]);
    await expectRest(page);
  });

  it('keeps a rehearsal out of every sum of money', async () => {
    const page = await enter('/spend');
    await page.locator('dl [data-bucket="rehearsal"]').waitFor();
    expect(await page.locator('dl [data-bucket]').count()).toBe(1);
    expect(await page.locator('dl').textContent()).toMatch(/rehearsal/i);
    await follow(page, { name: 'acts', path: '/acts', heading: 'Acts' });
    const row = page.locator('tr[data-act="push"]');
    await row.waitFor();
    expect(await row.textContent()).toMatch(/rehearsal.*done.*git push origin HEAD/);
  });

  it('loses nothing when it is loaded again in mid-turn, over a slow network', async () => {
    const page = await enter(await newestSession());
    await say(page, 'go on');
    await until('the turn to stream', async () => (await liveLengths(page)) > 0);
    // As on a bad connection: what is loaded comes late and in pieces, and so does the record.
    network.slow(60);
    await page.reload();
    await transcript(page).getByText('That was all.').waitFor();
    await until('two turns', async () => (await count(page, 'Turn done')) === 2);
    expect(await count(page, 'Once more. word0')).toBe(1);
    expect(await count(page, 'Looking at the tide.')).toBe(1);
    await expectRest(page);
  });

  it('shows no spinner and each entry once after a turn ended while it was offline', async () => {
    const page = await enter(await newestSession());
    await say(page, 'and again');
    await until('the turn to stream', async () => (await liveLengths(page)) > 0);
    await page.context().setOffline(true);
    network.cut();
    await page.getByText('No connection to Pilothouse').first().waitFor();
    await world.untilTurns(sessionIdOf(page), 3);
    network.restore();
    await page.context().setOffline(false);
    await until('the third turn', async () => (await count(page, 'Turn done')) === 3, {
      withinMs: 60_000,
    });
    await page.getByText('No connection to Pilothouse').first().waitFor({ state: 'detached' });
    expect(await count(page, 'Once more. word0')).toBe(2);
    expect(await count(page, 'That was all.')).toBe(2);
    await expectRest(page);
  });

  it('fits a phone, in the dark, where the approval is under the thumb', async () => {
    const id = await world.launch('From the phone');
    const page = await enter(`/sessions/${id}`, {
      viewport: { width: 375, height: 812 },
      isMobile: true,
      hasTouch: true,
      colorScheme: 'dark',
    });
    await approvalIn(page).waitFor();
    expect(await scrollWidth(page)).toBeLessThanOrEqual(375);
    await approvalIn(page).getByRole('button', { name: 'Allow', exact: true }).tap();
    await transcript(page).getByText('Turn done').waitFor();
    await nameFile(page);
    await showImage(page);
    await expectFit(page);
    for (const [path, heading] of [
      ['/', 'Home'],
      ['/sessions', 'Sessions'],
      ['/launch', 'Launch a session'],
      ['/spend', 'Spend'],
      ['/acts', 'Acts'],
      ['/machines', 'Machines'],
    ] as const) {
      await follow(page, { name: path, path, heading });
      await expectFit(page);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await lightness(page)).toBe('light');
  });

  it('had no error in its console and kept to its content policy', () => {
    expect(opened.length).toBeGreaterThan(5);
    expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
  });
});

/** Nothing is beyond the edge of the phone, and it is dark as its system is. */
async function expectFit(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  expect([pathname, await scrollWidth(page)]).toEqual([pathname, 375]);
  expect([pathname, await lightness(page)]).toEqual([pathname, 'dark']);
}

/** A file of the checkout after an `@`: the list is seen whole above the field, and tapped. */
async function nameFile(page: Page): Promise<void> {
  const field = page.getByLabel('What to do next');
  await field.tap();
  await page.keyboard.type('Look at @tidejs');
  const option = page.getByRole('option', { name: /tide\.js/ });
  await option.waitFor();
  expect(await page.getByRole('listbox', { name: 'Files' }).boundingBox()).toMatchObject({
    y: expect.toSatisfy((top: number) => top > 0),
  });
  const active = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-activedescendant'));
  // Until the last letter is answered, it may stand further down among more.
  await until(
    'it to be the one that Enter takes',
    async () => (await active()) === (await option.getAttribute('id')),
  );
  await option.tap();
  expect(await field.inputValue()).toBe('Look at src/tide.js ');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await field.fill('');
}

/** An image that is chosen on the phone is shown before it is sent, and in the record afterwards. */
async function showImage(page: Page): Promise<void> {
  const file = { name: 'tide.png', mimeType: 'image/png', buffer: aPng(64) };
  await page.locator('input[type="file"]').setInputFiles(file);
  const strip = page.getByRole('list', { name: 'Images of this instruction' });
  await strip.getByRole('img', { name: 'tide.png' }).waitFor();
  await page.reload();
  await strip.getByRole('img', { name: 'tide.png' }).waitFor();
  await say(page, 'What is this');
  const shown = transcript(page).getByRole('img', { name: 'Image 1 of the instruction' });
  await shown.waitFor();
  const width = () => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await until('the picture to be drawn', async () => (await width()) === 64);
  // The record may be told before the answer to the sender is.
  await strip.waitFor({ state: 'detached' });
  await until('its turn', async () => (await count(page, 'Turn done')) === 2);
}

async function showDiff(page: Page): Promise<void> {
  const edit = transcript(page).getByRole('button', { name: /Edit.*tide\.js/ });
  if ((await edit.getAttribute('aria-expanded')) !== 'true') await edit.click();
  const change = transcript(page).locator('[data-file$="tide.js"]');
  expect(await change.locator('[data-line="removed"]').textContent()).toContain(
    '/ (readings.length + 1)',
  );
  expect(await change.locator('[data-line="added"]').textContent()).toContain('/ readings.length');
}

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel('What to do next').fill(words);
  await page.getByRole('button', { name: 'Send' }).click();
}

async function newestSession(): Promise<string> {
  const response = await world.call('/v1/sessions?limit=1');
  const { items } = (await response.json()) as { items: { sessionId: string }[] };
  return `/sessions/${items[0]?.sessionId}`;
}

/** Whether the page is dark: by the colour that is really behind its text. */
function lightness(page: Page): Promise<'dark' | 'light'> {
  return page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    if (!canvas) throw new Error('no canvas');
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return red + green + blue < 3 * 128 ? 'dark' : 'light';
  });
}
