import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [
      [
        { do: 'bash', command: 'git push origin HEAD', ask: true },
        { do: 'text', text: 'It is pushed.', when: 'allowed' },
        { do: 'usage', inputTokens: 10, outputTokens: 1, costUsd: 0 },
      ],
      [{ do: 'text', text: 'That was all.' }],
    ],
  });
  browser = await openBrowser();
  watched = await openPage(
    await browser.newContext({
      baseURL: world.installation.url,
      viewport: { width: 1400, height: 900 },
    }),
  );
  ({ page } = watched);
  await page.goto(world.installation.link);
  await page
    .getByRole('link', { name: /launch/i })
    .first()
    .waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** In the page: what has the focus, by name, and whether a person can see that it has. */
function lookAtFocus(): { name: string; visible: boolean } {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body)
    return { name: 'nothing', visible: true };
  const name = `${element.tagName} ${element.getAttribute('aria-label') ?? (element.textContent || element.id)}`;
  const box = element.getBoundingClientRect();
  // A field may show its focus by the frame around it.
  const frames = [element.parentElement, element.parentElement?.parentElement ?? null];
  const around = [element, ...frames, element.closest('label')].filter((one) => one !== null);
  const drawn = around.some((one) => {
    const { outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(one);
    const before = document.createElement('i');
    before.style.color = 'var(--accent)';
    document.body.append(before);
    const accent = getComputedStyle(before).color;
    before.remove();
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || borderTopColor === accent;
  });
  return {
    name: name.trim().slice(0, 60),
    visible:
      drawn && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
  };
}

const stops: { name: string; visible: boolean }[] = [];

/** Presses Tab until what is in focus has that name, and looks at every stop on the way. */
async function tabTo(name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    const stop = await page.evaluate(lookAtFocus);
    stops.push(stop);
    passed.push(stop.name);
    if (name.test(stop.name)) return;
    await page.keyboard.press('Tab');
    // A ring may fade in.
    await page.waitForTimeout(30);
  }
  throw new Error(`sixty presses of Tab did not get to ${name}, only to ${passed.join(' | ')}`);
}

const composer = () => page.getByLabel('What to do next');
const openTranscript = () => page.getByRole('log', { name: 'Transcript' });

describe('without a mouse', () => {
  it('a session is launched, approved and stopped', async () => {
    await page.keyboard.press('n');
    await page.waitForURL(/\/launch/);
    await page.getByLabel('Objective').waitFor();
    await tabTo(/objective/i);
    await page.keyboard.type('Only keys');
    await tabTo(/^BUTTON\s+Launch/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/ses_/);
    await page.locator('section[data-request]').waitFor();
    await tabTo(/^BUTTON\s+Allow/);
    await page.keyboard.press('Enter');
    await openTranscript().getByText('It is pushed.').waitFor();
    await page.getByText('Turn done').first().waitFor();
    await tabTo(/^BUTTON\s+Stop/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(/^BUTTON\s+Stop the session/);
    await page.keyboard.press('Enter');
    await page.locator('[data-state="stopped"]:visible').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('[data-state="stopped"]:visible').count()).toBeGreaterThan(0);
  });

  it('every place where the focus stood could be seen', () => {
    expect(stops.length).toBeGreaterThan(15);
    expect(stops.filter(({ visible }) => !visible)).toEqual([]);
  });
});

describe('by the keys of the keyboard map', () => {
  it('a session is launched and allowed its push', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.waitForURL(/\/launch/);
    await tabTo(/objective/i);
    await page.keyboard.type('First');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/sessions\/ses_/);
    await page.locator('section[data-request]').waitFor();
    await tabTo(/^SECTION/);
    await page.keyboard.press('a');
    await openTranscript().getByText('It is pushed.').waitFor();
    expect(await page.locator('section[data-request]').count()).toBe(0);
  });
});

describe('what is typed and not sent', () => {
  it('is there again after a reload, after going elsewhere, and in no other session', async () => {
    const first = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const second = await world.launch('Second');
    await composer().fill('Not finished yet');
    await page.reload();
    expect(await composer().inputValue()).toBe('Not finished yet');
    await page.keyboard.press('Escape');
    await page
      .getByRole('link', { name: /^Sessions/ })
      .first()
      .click();
    await page.locator(`a[href$="${second}"]`).first().click();
    await page.waitForURL(new RegExp(second));
    await composer().waitFor();
    expect(await composer().inputValue()).toBe('');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('First');
    await page.getByRole('dialog').getByText('First').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(first));
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('form textarea')?.value !== '',
    );
    expect(await composer().inputValue()).toBe('Not finished yet');
    await page.goto(`/sessions/${second}`);
    await composer().waitFor();
    expect(await composer().inputValue()).toBe('');
  });
});

it('the page had no error of its own', () => {
  expect(watched.faults).toEqual([]);
});
