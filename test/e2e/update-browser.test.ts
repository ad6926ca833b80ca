import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildParts, CONSOLE_PART, outputOf, WORKER_PART } from '../../runner/host/build.ts';
import { startEmbeddedWorker, type EmbeddedWorker } from '../../runner/host/embedded-worker.ts';
import { createHostApi } from '../../runner/host/host-api.ts';
import { layoutOf, PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { claimPort, LOOPBACK } from '../../runner/host/port.ts';
import { serveConsole } from '../../runner/host/serve-console.ts';
import { workerdEnvironment } from '../../runner/host/workerd.ts';
import { openBrowser, openPage } from '../support/browser.ts';

const top = mkdtempSync(join(tmpdir(), 'pilothouse-update-'));
const layout = layoutOf(join(top, 'data'));
const hostToken = randomBytes(32).toString('base64url');
let port: number;
let worker: EmbeddedWorker;
let browser: Browser;
/** What a signed-in browser keeps. */
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;

/** Starts the installation with one build of the console, as the host does. */
async function startWith(build: string): Promise<void> {
  worker = await startEmbeddedWorker({
    bundleDirectory: outputOf(PRODUCT_ROOT, WORKER_PART),
    consoleDirectory: serveConsole(build, layout.console, Date.now()),
    dataDirectory: layout.worker,
    port,
    bindings: { HOST_TOKEN: hostToken, ALLOWED_HOSTS: `${LOOPBACK}:${port}` },
    onLog: () => undefined,
    onRestart: () => undefined,
  });
}

/** Another build of the same sources, in which no file with code has the name of the first. */
function buildOther(): string {
  const output = join(top, 'other');
  const command = [...CONSOLE_PART.command(output), '--minify=false'];
  execFileSync(process.execPath, command, {
    cwd: PRODUCT_ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
  return output;
}

beforeAll(async () => {
  port = await claimPort(0, LOOPBACK);
  Object.assign(process.env, workerdEnvironment(join(top, 'workerd.pid')));
  await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  rmSync(top, { recursive: true, force: true });
});

/** What a person sees of an element, and on which colour. */
const seenOf = async (page: Page, text: string) => {
  await page.getByText(text).waitFor();
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
};

it('before its files are here the page says so, in the colours of the theme', async () => {
  await startWith(outputOf(PRODUCT_ROOT, CONSOLE_PART));
  for (const [colorScheme, paper] of [
    ['light', 'rgb(250, 249, 247)'],
    ['dark', 'rgb(18, 20, 22)'],
  ] as const) {
    const { page, faults } = await openPage(await browser.newContext({ colorScheme }));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', (route) => void held.then(() => route.continue()));
    await page.goto(worker.url, { waitUntil: 'commit' });
    expect(await seenOf(page, 'Loading…')).toBe(paper);
    release();
    await page.getByText('Loading…').waitFor({ state: 'hidden' });
    await page.getByRole('main').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  }
  const still = await browser.newContext({ javaScriptEnabled: false });
  const page = await still.newPage();
  await page.goto(worker.url);
  await page.locator('noscript p').waitFor();
  expect(await page.locator('.scripted').first().isVisible()).toBe(false);
  await worker.stop();
});

it('a page that was open during an update goes on to pages that it had not loaded', async () => {
  const first = outputOf(PRODUCT_ROOT, CONSOLE_PART);
  const other = buildOther();
  const scripts = (build: string) => readdirSync(join(build, 'assets')).filter(isScript);
  const gone = scripts(first).filter((name) => !scripts(other).includes(name));
  expect(gone).toEqual(expect.arrayContaining([expect.stringMatching(/^machines-/)]));

  await startWith(first);
  const link = await createHostApi(worker.url, hostToken).createLink();
  const { page, faults } = await openPage(await browser.newContext());
  const loaded: string[] = [];
  page.on('response', (response) => {
    if (response.ok()) loaded.push(new URL(response.url()).pathname.replace('/assets/', ''));
  });
  await page.goto(new URL(link, worker.url).href);
  const toMachines = page.getByRole('link', { name: 'Machines' }).first();
  await toMachines.waitFor();
  signedIn = await page.context().storageState();
  expect(loaded.filter((name) => gone.includes(name))).not.toEqual([]);
  expect(loaded.filter((name) => name.startsWith('machines-'))).toEqual([]);

  // What is on its way when the server goes is a fault of its own.
  await page.waitForLoadState('networkidle');
  await worker.stop();
  await startWith(other);
  await toMachines.click();
  await page.getByRole('heading', { name: 'Machines' }).waitFor();
  expect(gone).toEqual(
    expect.arrayContaining(loaded.filter((name) => name.startsWith('machines-'))),
  );
  expect(loaded.some((name) => name.startsWith('machines-'))).toBe(true);
  expect(faults).toEqual([]);

  await page.reload();
  await page.getByRole('heading', { name: 'Machines' }).waitFor();
  expect(loaded.filter((name) => name.startsWith('machines-')).at(-1)).toSatisfy((name: string) =>
    scripts(other).includes(name),
  );
});

it('a page whose code is not here when the server goes away says so, and comes when it is back', async () => {
  const { page, faults } = await openPage(await browser.newContext({ storageState: signedIn }));
  await page.goto(worker.url);
  const toMachines = page.getByRole('link', { name: 'Machines' }).first();
  await toMachines.waitFor();
  await worker.stop();
  await toMachines.click();
  await page.getByRole('alert').getByText('Pilothouse did not answer.').waitFor();
  // What is around the page is still there.
  expect(await toMachines.isVisible()).toBe(true);
  expect(page.url()).toBe(`${worker.url}/machines`);
  await startWith(outputOf(PRODUCT_ROOT, CONSOLE_PART));
  await page.getByRole('heading', { name: 'Machines' }).waitFor();
  expect(faults.filter((fault) => !/Pilothouse did not answer/.test(fault))).toEqual([]);
});

const isScript = (name: string): boolean => name.endsWith('.js');
