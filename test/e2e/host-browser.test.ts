import { networkInterfaces } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAddresses } from '../../runner/host/open-address.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

/** An address by which another machine reaches this one; a machine on no network has none. */
const ADDRESS = listAddresses(networkInterfaces())[0];
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };
/** Where a person who looks into it finds what the phone showed. */
const SCREENSHOT = process.env['PILOTHOUSE_TEST_SCREENSHOT'];

describe.skipIf(ADDRESS === undefined)('a phone on the same network', () => {
  let world: RehearsalWorld;
  let browser: Browser;
  const opened: Watched[] = [];
  /** The link of the line under the code to scan. */
  let link: string;

  beforeAll(async () => {
    world = await RehearsalWorld.start(
      { turns: [[{ do: 'text', text: 'Done.' }]] },
      '--host',
      '0.0.0.0',
    );
    await world.installation.printed(/Scan to sign in on a phone/);
    const port = new URL(world.installation.url).port;
    link =
      new RegExp(`http://${ADDRESS}:${port}/\\S+`).exec(world.installation.output())?.[0] ?? '';
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  const openOn = async (path: string): Promise<Page> => {
    const watched = await openPage(await browser.newContext(PHONE));
    opened.push(watched);
    await watched.page.goto(path);
    return watched.page;
  };

  it('signs in by the printed link and sees home, without a word that the page is broken', async () => {
    expect(world.installation.output()).toContain('the traffic is not encrypted');
    const page = await openOn(link);
    await page
      .getByRole('link', { name: /launch/i })
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).host).toBe(new URL(link).host);
    expect(page.url()).not.toContain('#');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', path: '/' }]);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    if (SCREENSHOT) await page.screenshot({ path: SCREENSHOT });
  });

  it('watches a session live over that address', async () => {
    const page = opened[0]?.page;
    expect(page).toBeDefined();
    const id = await world.launch('From the phone');
    await page?.goto(new URL(`/sessions/${id}`, link).href);
    await page?.getByRole('log', { name: 'Transcript' }).getByText('Done.').waitFor();
  });

  it('is told what to do by a link that was used', async () => {
    const page = await openOn(link);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/was used or has expired/);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('had no error in its console but the refused link', () => {
    expect(
      opened.flatMap(({ faults }) => faults).filter((fault) => !fault.includes('401')),
    ).toEqual([]);
  });
});
