import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MockServer } from '../../console/mock/server.ts';
import { LINK_TOKEN } from '../../console/mock/sentinels.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { NOON } from '../support/stand/noon.ts';
import { aHarbour } from '../support/stand/harbour.ts';
import { listPages } from '../support/stand/pages.ts';
import { startStand } from '../support/stand/stand.ts';
import { enterStand, showTheme, type Size, SIZES, visit } from '../support/stand/visit.ts';

const world = aHarbour();
const pages = listPages(world);
let stand: MockServer;
let browser: Browser;
const opened = new Map<string, Watched>();

beforeAll(async () => {
  stand = await startStand(world);
  browser = await openBrowser();
  for (const size of ['wide', 'phone'] as const)
    opened.set(size, await enterStand(browser, stand.url, size));
});
afterAll(async () => {
  await browser?.close();
  await stand?.close();
});

const pageOf = (size: Size): Page => {
  const watched = opened.get(size);
  if (!watched) throw new Error(`no page of the size ${size} is open`);
  return watched.page;
};

/** What axe finds that keeps somebody from using the page, each with where it is. */
async function findSerious(page: Page, rules: readonly string[] | null): Promise<string[]> {
  const has = await page.evaluate(() => 'axe' in globalThis);
  if (!has) await page.addScriptTag({ content: axe.source });
  const results = await page.evaluate(async (only) => {
    const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
    return loaded.run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    });
  }, rules);
  expect(results.passes.length, 'what axe looked at').toBeGreaterThan(0);
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
}

describe.each(Object.keys(SIZES) as Size[])('every page, %s', (size) => {
  it.each(pages)('$name holds nothing that keeps somebody out, in either theme', async (each) => {
    const page = pageOf(size);
    await visit(page, each);
    await showTheme(page, 'light');
    expect(await findSerious(page, null), each.path).toEqual([]);
    // The themes differ in colours alone.
    await showTheme(page, 'dark');
    expect(await findSerious(page, ['color-contrast']), `${each.path}, dark`).toEqual([]);
    const { width } = SIZES[size];
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  });

  it('keeps nobody from a file that is named after an @', async () => {
    const page = pageOf(size);
    await visit(page, { name: 'launch', path: '/launch', heading: 'Launch a session' });
    await page.getByLabel('Directory').fill('/home/sentinel/harbour');
    const field = page.getByLabel('Objective');
    await field.fill('Trim @sail');
    await page.getByRole('option', { name: /sail\.ts/ }).waitFor();
    expect(await findSerious(page, null)).toEqual([]);
    await field.press('ArrowDown');
    await field.press('Enter');
    expect(await field.inputValue()).toMatch(/^Trim @?src\/sail\.ts $/);
    await field.fill('');
  });

  it('told no error of its own', () => {
    expect(opened.get(size)?.faults).toEqual([]);
  });
});

describe('a chart on a page', () => {
  it('is printed with all of its page, in ink on paper', async () => {
    const page = pageOf('wide');
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
    const context = await browser.newContext({ baseURL: stand.url, locale });
    await context.clock.setFixedTime(NOON);
    const { page } = await openPage(context);
    await page.goto(`/sign-in#${LINK_TOKEN}`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.goto('/spend?by=day');
    const table = page.getByRole('region', { name: 'Spend by group' });
    await table.getByRole('row').nth(1).waitFor();
    const said = (await table.innerText()).replaceAll(/[\u200e\u200f\u061c]/g, '');
    expect(said).toMatch(money);
    expect(said).toMatch(day);
    await context.close();
  });
});

describe('the first visit', () => {
  it('loads at most 250 KB of script, gzipped, and neither terminal nor ledgers', async () => {
    const context = await browser.newContext({ baseURL: stand.url });
    const page = await context.newPage();
    const loaded = new Map<string, Promise<Buffer>>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) loaded.set(pathname, response.body());
    });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const sources = await Promise.all(loaded.values());
    await context.close();
    const bytes = sources.reduce((sum, source) => sum + gzipSync(source).length, 0);
    console.log(`first visit: ${sources.length} files, ${Math.round(bytes / 1_024)} KB gzipped`);
    // A console that loads almost nothing was not looked at.
    expect(bytes).toBeGreaterThan(50 * 1_024);
    expect(bytes).toBeLessThanOrEqual(250 * 1_024);
    for (const source of sources) {
      expect(source.includes('xterm-helper-textarea')).toBe(false);
      expect(source.includes('Charged, by day')).toBe(false);
    }
  });
});
