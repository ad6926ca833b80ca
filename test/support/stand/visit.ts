import type { Browser, Page } from 'playwright-core';
import { LINK_TOKEN } from '../../../console/mock/sentinels.ts';
import { openPage, type Watched } from '../browser.ts';
import { NOON } from './noon.ts';
import type { StandPage } from './pages.ts';

export const SIZES = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;
export const THEMES = ['light', 'dark'] as const;
export type Size = keyof typeof SIZES;
export type Theme = (typeof THEMES)[number];

/** A signed-in page of one size before a stand, at the harbour's own time and without motion. */
export async function enterStand(browser: Browser, url: string, size: Size): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZES[size],
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await context.clock.setFixedTime(NOON);
  const watched = await openPage(context);
  await watched.page.goto(`/sign-in#${LINK_TOKEN}`);
  await watched.page.getByRole('heading', { name: 'Home' }).waitFor();
  return watched;
}

/** Goes to a page as a link does, waits until nothing on it is still being read, and looks there. */
export async function visit(page: Page, { path, heading, region }: StandPage): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { name: heading, level: 1 }).first().waitFor();
  await page.locator('output[aria-label]').first().waitFor({ state: 'detached' });
  if (region === undefined) return;
  await page.getByRole('region', { name: region }).evaluate((part) => part.scrollIntoView());
}

/** Shows the page in a theme, as the choice in the menu does. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
}
