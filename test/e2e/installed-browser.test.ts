import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBrowser, openPage } from '../support/browser.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [[{ do: 'bash', command: 'git push origin HEAD', ask: true }]],
  });
  browser = await openBrowser();
  context = await browser.newContext({
    baseURL: world.installation.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  ({ page } = await openPage(context));
  const link = await world.json(z.object({ url: z.string() }), 'link');
  await page.goto(link.url);
  await page.getByRole('main').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** What is kept in the browser beside its cookies: the addresses in every store. */
const kept = () =>
  page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(stores.map((store) => store.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

describe('the console on a phone', () => {
  it('can be installed: its icons are what its manifest says', async () => {
    const icon = z.object({ src: z.string(), sizes: z.string(), purpose: z.string() });
    const answer = await page.request.get('/manifest.webmanifest');
    const { icons } = z.object({ icons: z.array(icon) }).parse(await answer.json());
    const drawn = await page.evaluate(
      (sources) =>
        Promise.all(
          sources.map(async (src) => {
            const image = new Image();
            image.src = src;
            await image.decode();
            return `${image.naturalWidth}x${image.naturalHeight}`;
          }),
        ),
      icons.filter(({ src }) => src.endsWith('.png')).map(({ src }) => src),
    );
    expect(drawn).toEqual(['192x192', '512x512', '512x512']);
    expect(icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
  });

  it('says what to do where the server is out of reach, keeps nothing else, and goes on', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect((await kept()).toSorted()).toEqual([
      '/icon.svg',
      '/offline',
      '/offline.js',
      '/theme.js',
    ]);
    await context.setOffline(true);
    await page.goto('/sessions');
    await page.getByRole('heading', { name: 'Pilothouse is out of reach' }).waitFor();
    await page.getByText('npm start').waitFor();
    expect((await kept()).filter((path) => path.startsWith('/v1/'))).toEqual([]);
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sessions');
  });

  it('leaves what is asked and what is written in sight of a keyboard', async () => {
    const id = await world.launch('Push it from a phone');
    await world.untilState(id, 'awaiting_approval');
    await page.goto(`/sessions/${id}`);
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    const composer = page.getByRole('textbox', { name: 'What to do next' });
    await allow.waitFor();
    await composer.focus();
    // As `interactive-widget=resizes-content` leaves it above a keyboard.
    await page.setViewportSize({ width: 390, height: 440 });
    for (const seen of [allow, composer]) {
      const box = await seen.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(440);
    }
    await allow.click();
    await allow.waitFor({ state: 'detached' });
  });
});
