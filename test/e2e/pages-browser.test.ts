import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MockServer } from '../../console/mock/server.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { NOON } from '../support/stand/noon.ts';
import { aHarbour } from '../support/stand/harbour.ts';
import { listPages } from '../support/stand/pages.ts';
import { startStand } from '../support/stand/stand.ts';
import {
  enterStand,
  follow,
  resize,
  showTheme,
  type Size,
  SIZES,
  visit,
} from '../support/stand/visit.ts';

const world = aHarbour();
const pages = listPages(world);
const sizes = Object.keys(SIZES) as Size[];
let stand: MockServer;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  stand = await startStand(world);
  browser = await openBrowser();
  watched = await enterStand(browser, stand.url, 'wide');
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await stand?.close();
});

/** What axe finds that keeps somebody from using the page, each with where it is. */
async function findSerious(rules: readonly string[] | null): Promise<string[]> {
  const has = await page.evaluate(() => 'axe' in globalThis);
  if (!has) await page.addScriptTag({ content: axe.source });
  const { looked, found } = await page.evaluate(async (only) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    const { passes, violations } = await loaded.run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    });
    const serious = violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    return {
      looked: passes.length,
      found: serious.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      ),
    };
  }, rules);
  expect(looked, 'what axe looked at').toBeGreaterThan(0);
  return found;
}

/** How far a page may move while it loads: half of what https://web.dev/articles/cls calls good. */
const MOVED_AT_MOST = 0.05;
/** A terminal is drawn in the size that it has, and then in the one that there is room for. */
const still = pages.filter(({ name }) => name !== 'terminal');

/** How far what was to be seen moved since the page was opened, as the browser sums it. */
const sumShifts = (on: Page): Promise<number> =>
  on.evaluate(async () => {
    const shifts: (PerformanceEntry & { value?: number })[] = [];
    const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    // The first callback after a drawn frame has all that came before it.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    shifts.push(...observer.takeRecords());
    observer.disconnect();
    return shifts.reduce((sum, { value = 0 }) => sum + value, 0);
  });

describe('every page', () => {
  it.each(pages)('$name keeps nobody out, in any size and theme', async (each) => {
    await resize(page, 'wide');
    await follow(page, each);
    for (const size of sizes) {
      await resize(page, size);
      await showTheme(page, 'light');
      expect(await findSerious(null), `${each.path}, ${size}`).toEqual([]);
      // The themes differ in colours alone.
      await showTheme(page, 'dark');
      expect(await findSerious(['color-contrast']), `${each.path}, ${size}, dark`).toEqual([]);
      const { width } = SIZES[size];
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
    }
  });

  it.each(still)('$name moves nothing while it is read', async (each) => {
    for (const size of sizes) {
      await resize(page, size);
      await visit(page, each);
      expect(await sumShifts(page), size).toBeLessThanOrEqual(MOVED_AT_MOST);
    }
  });

  it('keeps nobody from a file that is named after an @', async () => {
    await visit(page, { name: 'launch', path: '/launch', heading: 'Launch a session' });
    await page.getByLabel('Directory').fill('/home/sentinel/harbour');
    for (const size of sizes) {
      await resize(page, size);
      const field = page.getByLabel('Objective');
      await field.fill('Trim @sail');
      await page.getByRole('option', { name: /sail\.ts/ }).waitFor();
      expect(await findSerious(null), size).toEqual([]);
      await field.press('ArrowDown');
      await field.press('Enter');
      expect(await field.inputValue()).toMatch(/^Trim @?src\/sail\.ts $/);
      await field.fill('');
    }
  });

  it('told no error of its own', () => {
    expect(watched.faults).toEqual([]);
  });
});

describe('a chart on a page', () => {
  it('is printed with all of its page, in ink on paper', async () => {
    await resize(page, 'wide');
    await visit(page, { name: 'report', path: '/acts/report', heading: 'Report of acts' });
    await showTheme(page, 'dark');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    const scheme = await page.evaluate(
      () => getComputedStyle(document.documentElement).colorScheme,
    );
    expect(scheme).toBe('light');
    await page.emulateMedia({ media: null });
  });
});

describe('figures and times', () => {
  it.each([
    ['en-US', /\$\d+\.\d\d/, /[A-Z][a-z]{2} \d{1,2}, \d{4}/],
    ['de-DE', /\d+,\d\d\s\$/, /\d{1,2}\. [A-Z][a-z]{2}\p{L}*\.? \d{4}/u],
    ['ja-JP', /\$\d+\.\d\d/, /\d{4}年\d{1,2}月\d{1,2}日/],
    ['ar-EG', /[٠-٩]+٫[٠-٩]{2}/, /[٠-٩]{1,2} \p{L}+ [٠-٩]{4}/u],
  ])('are in the form of a browser of %s', async (locale, money, day) => {
    const storageState = await page.context().storageState();
    const context = await browser.newContext({ baseURL: stand.url, locale, storageState });
    await context.clock.setFixedTime(NOON);
    const { page: theirs } = await openPage(context);
    await theirs.goto('/spend?by=day');
    const table = theirs.getByRole('region', { name: 'Spend by group' });
    await table.getByRole('row').nth(1).waitFor();
    const said = (await table.innerText()).replaceAll(/[\u200e\u200f\u061c]/g, '');
    expect(said).toMatch(money);
    expect(said).toMatch(day);
    await context.close();
  });
});

describe('the first visit', () => {
  it('loads at most 250 KB of script, gzipped, in a few files, and neither terminal nor ledgers', async () => {
    const context = await browser.newContext({ baseURL: stand.url });
    const first = await context.newPage();
    const loaded = new Map<string, Promise<Buffer>>();
    first.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) loaded.set(pathname, response.body());
    });
    await first.goto('/');
    await first.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await first.waitForLoadState('networkidle');
    const sources = await Promise.all(loaded.values());
    await context.close();
    const bytes = sources.reduce((sum, source) => sum + gzipSync(source).length, 0);
    console.log(`first visit: ${sources.length} files, ${Math.round(bytes / 1_024)} KB gzipped`);
    // A browser asks for six at a time: more than a few wait for one another.
    expect(sources.length).toBeLessThanOrEqual(8);
    // A console that loads almost nothing was not looked at.
    expect(bytes).toBeGreaterThan(50 * 1_024);
    expect(bytes).toBeLessThanOrEqual(250 * 1_024);
    for (const source of sources) {
      expect(source.includes('xterm-helper-textarea')).toBe(false);
      expect(source.includes('Charged, by day')).toBe(false);
    }
  });
});
