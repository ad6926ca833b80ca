import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AdrReport } from '../../protocol/adr-report.ts';
import { aFinding, aRecord, aReport, aRule } from '../support/adr-reports.ts';
import { openBrowser, openPage, type Watched, typeName } from '../support/browser.ts';
import { runScript } from '../support/installation.ts';
import { World } from './world.ts';

const ADR = fileURLToPath(new URL('../../tools/adr/main.ts', import.meta.url));
const HOSTILE = '<img src=x onerror="document.title=`taken`"><script>taken()</script>';
const DAY_MS = 24 * 60 * 60_000;

let world: World;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let key = '';
const opened: Watched[] = [];

beforeAll(async () => {
  world = new World();
  await world.up('--no-runner');
  browser = await openBrowser();
  context = await browser.newContext({
    baseURL: world.installation.url,
    viewport: { width: 1280, height: 900 },
  });
  const watched = await openPage(context);
  opened.push(watched);
  ({ page } = watched);
  await page.goto(world.installation.link);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Posts as a build does: over HTTP, with nothing but the key. */
const post = (report: Partial<AdrReport>, branch = 'main', bearer = key) =>
  fetch(new URL(`/v1/decisions/reports?branch=${branch}`, world.installation.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify(aReport({ startedAt: Date.now(), ...report })),
  });
const record = (id: string) => page.locator(`li[data-record="${id}"]`);

describe('the page of decisions', () => {
  it('says how to begin, makes a key and shows it once', async () => {
    await page.getByRole('link', { name: 'Decisions' }).click();
    await page.getByText('pilothouse adr init').waitFor();
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByRole('textbox', { name: 'Repository' }).fill('acme/site');
    await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click();
    const made = page.getByRole('region', { name: 'The new key' });
    key = (await made.getByText(/^phd_[\w-]{43}$/).textContent()) ?? '';
    expect(await made.textContent()).toContain(`adr check --post ${world.installation.url}`);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'acme/site' }).click();
    await page.getByRole('heading', { name: 'No report yet' }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  it('shows a report that a build posts while it is looked at', async () => {
    const findings = [aFinding({ message: HOSTILE, excerpt: 'a\u202Eb' })];
    const response = await post({
      exitCode: 1,
      records: [
        aRecord({ rules: [aRule({ state: 'violated', findings })] }),
        aRecord({ id: '0002', title: HOSTILE, supersedes: ['0001'] }),
        aRecord({ id: '0003', rules: [aRule({ state: 'could_not_check', note: 'No parser.' })] }),
      ],
    });
    expect(response.status).toBe(200);
    await record('0001').waitFor();
    expect(await record('0001').getAttribute('data-verdict')).toBe('violated');
    expect(await record('0002').getAttribute('data-verdict')).toBe('passed');
    expect(await record('0003').textContent()).toContain('could not check');
    await record('0001').getByRole('button').first().click();
    const found = page.getByRole('list', { name: 'Findings of pool-importers' });
    expect(await found.textContent()).toContain('src/cart.ts:3:1');
    expect(await found.textContent()).toContain(HOSTILE);
    expect(await found.locator('pre').textContent()).toBe('a⟨U+202E⟩b');
    expect(await page.title()).toBe('acme/site · Pilothouse');
  });

  it('filters by the keyboard, and a link shows the same', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('0003');
    await record('0001').waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: /Violated/ }).click();
    await page.getByText('No record is left by this filter.').waitFor();
    await page.getByLabel('Filter records').fill('');
    await record('0001').waitFor();
    expect(new URL(page.url()).search).toBe('?show=failing');
    await page.reload();
    await record('0001').waitFor();
    expect(await page.locator('li[data-record]').count()).toBe(1);
  });

  it('keeps the later check when an older one is posted late, and says how old it is', async () => {
    await page.goto('/decisions/of/acme/site');
    await record('0003').waitFor();
    expect((await post({ startedAt: Date.now() - DAY_MS, records: [] })).status).toBe(200);
    await page.reload();
    await record('0003').waitFor();
    const old = { startedAt: Date.now() - 12 * DAY_MS, commit: 'feedfacefeed', mode: 'change' };
    await post({ ...old, mode: 'change' }, 'quiet');
    await page.goto('/decisions/of/acme/site?branch=quiet');
    await page.getByText(/Last checked 12 d ago, at feedface/).waitFor();
    await page.getByText('No full check of this branch is kept.').waitFor();
  });

  it('is posted to by a check of a real repository, and read by the command line', async () => {
    const repository = join(world.home, 'site');
    mkdirSync(repository);
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { env });
    const env = {
      ...world.installation.env,
      PILOTHOUSE_DECISIONS_KEY: key,
      GITHUB_REF_NAME: 'from-a-build',
    };
    git('init', '--quiet');
    await runScript(ADR, ['init', '--root', repository], env);
    git('add', '.');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Begin');
    const address = world.installation.url;
    const checked = await runScript(ADR, ['check', '--root', repository, '--post', address], env);
    expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('was posted') });
    const shown = await world.cli('decisions', 'show', 'acme/site', '--branch', 'from-a-build');
    expect(shown.stdout).toContain('from-a-build: clean');
  });

  it('stays quick with thousands of records and findings', async () => {
    const findings = Array.from({ length: 5_000 }, () => aFinding({ excerpt: null, message: 'x' }));
    const records = Array.from({ length: 2_000 }, (_, index) =>
      aRecord({
        id: String(index),
        rules: [aRule(index === 0 ? { state: 'violated', findings } : {})],
      }),
    );
    expect((await post({ records, exitCode: 1 }, 'huge')).status).toBe(200);
    await page.goto('/decisions/of/acme/site?branch=huge');
    await record('0').getByRole('button').first().click();
    await page.getByText('4,950 findings not shown').waitFor();
    await page.getByText('1,900 records not shown').waitFor();
    await page.getByLabel('Filter records').fill('1999');
    await record('1999').waitFor();
    expect(await page.locator('li[data-record]').count()).toBe(1);
  });

  it('fits a phone in the dark', async () => {
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const path of ['/decisions', '/decisions/of/acme/site']) {
      await page.goto(path);
      await page.getByRole('list').first().waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width]).toEqual([path, 375]);
    }
    await record('0001').getByRole('button').first().click();
    await page.getByRole('list', { name: 'Findings of pool-importers' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  });

  it('revokes the key, and the next build is refused', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await typeName(page);
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText(/^revoked/).waitFor();
    expect((await post({})).status).toBe(401);
  });

  it('had no error in its console and kept to its content policy', () => {
    expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
