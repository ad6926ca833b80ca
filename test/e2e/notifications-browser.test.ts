import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [[{ do: 'bash', command: 'git push origin HEAD', ask: true }]],
  });
  browser = await openBrowser();
  const context = await browser.newContext({ baseURL: world.installation.url });
  await context.grantPermissions(['notifications'], { origin: world.installation.url });
  watched = await openPage(context);
  ({ page } = watched);
  // The browser's own notifications, kept so that a test can read and click them.
  await page.addInitScript(() => {
    const made: Notification[] = [];
    const Own = globalThis.Notification;
    Object.assign(globalThis, { made });
    globalThis.Notification = new Proxy(Own, {
      construct(target, [title, options]: [string, NotificationOptions]) {
        const notification = new target(title, options);
        made.push(notification);
        return notification;
      },
    });
  });
  const link = await world.json(z.object({ url: z.string() }), 'link');
  await page.goto(link.url);
  await page.getByRole('button', { name: /need/ }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const made = () =>
  page.evaluate(() =>
    (globalThis as unknown as { made: Notification[] }).made.map(({ title, body, tag }) => ({
      title,
      body,
      tag,
    })),
  );
const tray = () => page.getByRole('button', { name: /need/i });

describe('a browser that was asked to notify', () => {
  it('tells nothing before, though the browser would allow it', async () => {
    const id = await world.launch('Push it quietly');
    await world.untilState(id, 'awaiting_approval');
    await page.getByRole('button', { name: '1 need you' }).waitFor();
    expect(await made()).toEqual([]);
    await tray().click();
    const choice = page.getByRole('checkbox', { name: /Notify me/ });
    expect(await choice.isChecked()).toBe(false);
    // It is on once the browser has said yes, which takes a moment.
    await choice.click();
    await until('it to be on', () => choice.isChecked());
    await page.keyboard.press('Escape');
    expect(await made()).toEqual([]);
  });

  it('tells what begins to wait, once, and a click on it opens the session', async () => {
    const id = await world.launch('Push it aloud');
    await world.untilState(id, 'awaiting_approval');
    const told = await until('it to be told', async () => {
      const all = await made();
      return all.length > 0 && all;
    });
    expect(told).toMatchObject([
      { title: 'Needs approval: Push it aloud', body: 'It waits for your yes or no.' },
    ]);
    await page.evaluate(() => {
      const [first] = (globalThis as unknown as { made: Notification[] }).made;
      first?.dispatchEvent(new Event('click'));
    });
    await page.waitForURL(`**/sessions/${id}`);
    await page.locator('section[data-request]').waitFor();
    expect(await made()).toHaveLength(1);
  });

  it('put no error on any page', () => {
    expect(watched.faults).toEqual([]);
  });
});
