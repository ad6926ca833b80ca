/**
 * `npm run bench:first-session`: what somebody new goes through, from a clone to a first session
 * that is over, in a browser and without reading anything: the time of each step, in seconds. Each is
 * told as it passes. It ends with 1 where the product ends, or ten minutes have gone by, before that.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';

/** How long the whole may take, and how long the product may take to stop, in ms. */
const WITHIN_MS = 10 * 60_000;
const STOP_WITHIN_MS = 30_000;

const place = mkdtempSync(join(tmpdir(), 'pilothouse-first-'));
const [clone, home] = [join(place, 'clone'), join(place, 'home')];
mkdirSync(home);
const begun = performance.now();
const steps: Record<string, number> = {};
const passed = (step: string) => {
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  steps[step] = seconds;
  process.stderr.write(`${seconds.toFixed(1).padStart(7)} s  ${step}\n`);
};

execFileSync('git', ['clone', '-q', PRODUCT_ROOT, clone]);
passed('cloned');
const product = spawn('npm', ['start', '--', '--port', '0'], {
  cwd: clone,
  // How this machine reaches the registry is its own; what Pilothouse and npm keep is new.
  env: { ...process.env, HOME: home, PILOTHOUSE_DATA: join(home, 'data') },
  // A group of its own, so that npm takes nothing of it along when it ends.
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
product.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
const closed = once(product, 'close');
const browser = await openBrowser();
const late = AbortSignal.timeout(WITHIN_MS);
try {
  await Promise.race([
    live(browser),
    closed.then(() => fail('it ended')),
    once(late, 'abort').then(() => fail(`${WITHIN_MS / 60_000} minutes went by`)),
  ]);
  process.stdout.write(`${JSON.stringify(steps, null, 2)}\n`);
} finally {
  await browser.close();
  await stop();
  rmSync(place, { recursive: true, force: true });
}

function fail(why: string): never {
  const last = Object.keys(steps).at(-1);
  throw new Error(`${why}, and nothing came after "${last}". It had said:\n${output}`);
}

async function live(over: Browser): Promise<void> {
  await heard('the packages', /Building/);
  passed('installed');
  const link = await heard('a link', /works once:\n\s+(http\S+)/);
  passed('link printed');
  await walk(over, link);
}

/** Waits until the product has said that, and gives the part in brackets. */
function heard(what: string, words: RegExp): Promise<string> {
  return until(what, () => words.exec(output)?.at(-1), { withinMs: WITHIN_MS });
}

async function stop(): Promise<void> {
  if (product.pid === undefined || product.exitCode !== null) return;
  process.kill(-product.pid, 'SIGINT');
  const stopped = await Promise.race([
    closed.then(() => true),
    setTimeout(STOP_WITHIN_MS, false, { ref: false }),
  ]);
  if (!stopped) process.kill(-product.pid, 'SIGKILL');
}

/** Opens the link and presses what is there to press. */
async function walk(over: Browser, link: string): Promise<void> {
  const page = await over.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(WITHIN_MS);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  passed('signed in');
  const launch = page.getByRole('main').getByRole('link', { name: /launch|rehearsal/i });
  await launch.first().click();
  // Which is there alone once the machine has said what it can run.
  await page.getByRole('radio', { name: /Rehearsal/ }).check();
  const objective = page.getByLabel('Objective');
  if ((await objective.inputValue()) === '') await objective.fill('Fix the failing test');
  await page.getByRole('button', { name: 'Launch' }).click();
  await page.waitForURL(/\/sessions\/ses_/);
  passed('launched');
  const card = page.locator('section[data-request]');
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  passed('allowed its push');
  await page.getByText('Turn done').first().waitFor();
  passed('finished');
}
