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

/** Loads a page as its address does, waits until nothing on it is still being read, and looks there. */
export async function visit(page: Page, each: StandPage): Promise<void> {
  await page.goto(each.path);
  await arrive(page, each);
}

/**
 * Goes to a page as a link on another one does, which loads nothing anew. One with the same heading
 * could not be told from the one that is left, and is loaded.
 */
export async function follow(page: Page, each: StandPage): Promise<void> {
  if ((await headingOf(page, each).count()) > 0) return visit(page, each);
  await page.evaluate((path) => history.pushState(null, '', path), each.path);
  await arrive(page, each);
}

const headingOf = (page: Page, { heading }: StandPage) =>
  page.getByRole('heading', { name: heading, level: 1 });

async function arrive(page: Page, each: StandPage): Promise<void> {
  const { region } = each;
  await headingOf(page, each).first().waitFor();
  await settle(page);
  if (region === undefined) return;
  await page.getByRole('region', { name: region }).evaluate((part) => part.scrollIntoView());
}

const settle = (page: Page) =>
  page.locator('output[aria-label]').first().waitFor({ state: 'detached' });

/** Makes the window as large as that, and waits for what a page reads in this size alone. */
export async function resize(page: Page, size: Size): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await settle(page);
}

/** Shows the page in a theme, as the choice in the menu does. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
}
