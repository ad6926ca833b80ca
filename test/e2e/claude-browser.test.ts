import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { runs, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { ClaudeWorld } from './claude-world.ts';

let world: ClaudeWorld;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  world = await ClaudeWorld.start(
    { 'publish my branch': [runs('git push origin HEAD:refs/heads/shipped'), says('Shipped it.')] },
    CANARY_KEY,
  );
  browser = await openBrowser();
  watched = await openPage(await browser.newContext({ viewport: { width: 1400, height: 1600 } }));
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

it('launches the real claude from the form, allows its push, and shows act and bill', async () => {
  const { page, faults } = watched;
  await page.goto(world.installation.link);
  await page
    .getByRole('link', { name: /launch/i })
    .first()
    .waitFor();
  await page.goto(new URL('/launch', world.installation.url).href);
  await page.getByRole('radio', { name: /Claude/ }).check();
  await page.getByRole('combobox', { name: 'Directory' }).fill(world.repository);
  await page.getByLabel('Objective').fill('publish my branch');
  await page.getByText('main', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Launch' }).click();
  await page.waitForURL(/\/sessions\/ses_/);
  const card = page.locator('section[data-request]');
  await card.waitFor();
  expect(await card.textContent()).toMatch(/push.*git push origin HEAD:refs\/heads\/shipped/s);
  expect(world.git('ls-remote', 'origin', 'refs/heads/shipped')).toBe('');
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  const transcript = page.getByRole('log', { name: 'Transcript' });
  await transcript.getByText('Shipped it.').waitFor();
  await transcript.getByText('Turn done').waitFor();
  expect(world.git('ls-remote', 'origin', 'refs/heads/shipped')).toMatch(/^[0-9a-f]{40}/);
  expect(await transcript.locator('[data-act="push"]').first().textContent()).toMatch(/push.*done/);
  // The bill is read where a person reads it: every digit is in the figure's explanation.
  const figure = transcript.locator('[data-bucket]');
  expect(await figure.getAttribute('data-bucket')).toBe('reported');
  await figure.focus();
  const dollars = (billOf(world.api.served) / 1_000_000).toFixed(6);
  await until('the whole figure', () => page.getByText(`$${dollars}`).first().isVisible());
  await page.goto(new URL('/acts', world.installation.url).href);
  const row = page.locator('tr[data-act="push"]');
  await row.waitFor();
  expect(await row.textContent()).toContain('git push origin HEAD:refs/heads/shipped');
  expect(faults).toEqual([]);
});
