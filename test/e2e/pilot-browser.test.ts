import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const CHECK = 'test -f done.txt';
/** Pushes past every hook where its repository holds a script that does; the second turn passes the check. */
const SCRIPT = {
  turns: [
    [
      { do: 'bash' as const, command: '[ ! -f leak.sh ] || sh leak.sh', ask: false },
      { do: 'bash' as const, command: 'echo begun >> progress.txt', ask: true },
      { do: 'usage' as const, inputTokens: 10, outputTokens: 1, costUsd: 0.01 },
    ],
    [
      { do: 'bash' as const, command: 'echo done > done.txt', ask: false },
      { do: 'usage' as const, inputTokens: 10, outputTokens: 1, costUsd: 0.01 },
    ],
  ],
};

let world: RehearsalWorld;
let browser: Browser;
let context: BrowserContext;
const opened: Watched[] = [];

beforeAll(async () => {
  world = await RehearsalWorld.start(SCRIPT);
  const checklist = join(world.home, 'done.yaml');
  writeFileSync(checklist, `steps:\n  - title: It is done\n    check: ${CHECK}\n`);
  await world.json(z.unknown(), 'checks', 'approve', checklist, '--yes');
  browser = await openBrowser();
  context = await browser.newContext({
    baseURL: world.installation.url,
    viewport: { width: 1400, height: 1600 },
  });
  const page = await open(world.installation.link);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function open(address: string): Promise<Page> {
  const watched = await openPage(context);
  opened.push(watched);
  await watched.page.goto(address);
  return watched.page;
}
const allow = (page: Page) =>
  page.locator('section[data-request]').getByRole('button', { name: 'Allow', exact: true }).click();

it('a Pilot that is launched from the form is paused, told another objective, resumed, and finishes with a report', async () => {
  const page = await open('/launch');
  await page.getByRole('radio', { name: /Rehearsal/ }).check();
  await page.getByRole('combobox', { name: 'Directory' }).fill(world.repository);
  await page.getByLabel('Objective').fill('Sail to the island');
  await page.getByRole('radio', { name: /^A Pilot/ }).check();
  await page.getByLabel('Check of step 1').fill(CHECK);
  await page.getByRole('button', { name: 'Launch', exact: true }).click();
  await page.waitForURL(/\/sessions\/ses_/);
  const pilot = page.getByRole('tabpanel', { name: 'Pilot' });
  await pilot.getByText('The engine works.').first().waitFor();
  // Its turn waits for the person, so that all of this comes while it is under way.
  await page.locator('section[data-request]').waitFor();
  await pilot.getByRole('button', { name: 'Pause' }).click();
  await pilot.getByRole('button', { name: 'Resume' }).waitFor();
  await pilot.getByRole('button', { name: 'Change the objective' }).click();
  await pilot.getByRole('textbox', { name: 'Objective' }).fill('Sail to the other island');
  await pilot.getByRole('button', { name: 'Change it' }).click();
  await pilot.locator('dd').getByText('Sail to the other island').waitFor();
  await allow(page);
  await pilot.getByText('Paused.').waitFor();
  await pilot.getByRole('button', { name: 'Resume' }).click();
  await pilot.getByText('Finished.').waitFor();
  const [first, second] = (await world.detail(sessionIdOf(page))).view.turns;
  expect(first?.text).toContain('Sail to the island');
  expect(second?.text).toContain('Sail to the other island');
  await page.getByRole('tab', { name: 'Diagnostics' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the report' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk);
  const report = Buffer.concat(chunks).toString();
  expect(report).toContain('Sail to the island');
  expect(report).toContain('rehearsal');
});

it('a push that its policy forbids is a red card, with the commands that undo it', async () => {
  const before = world.git('rev-parse', 'origin/main').trim();
  const leak =
    'git commit -q --allow-empty -m leak\ngit -c core.hooksPath=/dev/null push -q origin HEAD:main\n';
  writeFileSync(join(world.repository, 'leak.sh'), leak);
  world.git('add', 'leak.sh');
  world.git('commit', '-qm', 'A script that leaks');
  const id = await world.launch('leak', '--dir', world.repository, '--grade', 'open');
  const page = await open(`/sessions/${id}`);
  await allow(page);
  const card = page.getByRole('region', { name: 'Forbidden by its policy' });
  await card.waitFor();
  expect(await card.textContent()).toMatch(/Forbidden, and done:.*main/);
  // The commands name the commit to which main goes back.
  await card.locator('code').filter({ hasText: before }).waitFor();
  await card.getByRole('button', { name: 'Copy the commands that undo it' }).waitFor();
  await page.goto('/');
  await page.getByRole('button', { name: /need you/ }).click();
  expect(await page.getByRole('dialog').textContent()).toContain('1 forbidden act');
});

it('no page of it had an error in its console', () => {
  expect(opened).toHaveLength(3);
  expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
});

const sessionIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';
