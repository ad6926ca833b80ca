/**
 * `npm run bench:first-session`: what somebody new goes through, from a clone to a first session
 * that is over, in a browser and without reading anything: the time of each step, in seconds.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';

const WITHIN = { withinMs: 15 * 60_000 };

const place = mkdtempSync(join(tmpdir(), 'pilothouse-first-'));
const [clone, home] = [join(place, 'clone'), join(place, 'home')];
mkdirSync(home);
const begun = performance.now();
const steps: Record<string, number> = {};
const passed = (step: string) => {
  steps[step] = Math.round((performance.now() - begun) / 100) / 10;
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
const browser = await openBrowser();
try {
  await until('the packages', () => output.includes('Building'), WITHIN);
  passed('installed');
  const link = await until('a link', () => /works once:\n\s+(http\S+)/.exec(output)?.[1], WITHIN);
  passed('link printed');
  await walk(browser, link);
  process.stdout.write(`${JSON.stringify(steps, null, 2)}\n`);
} finally {
  await browser.close();
  if (product.pid !== undefined && product.exitCode === null) {
    process.kill(-product.pid, 'SIGINT');
    await once(product, 'close');
  }
  rmSync(place, { recursive: true, force: true });
}

/** Opens the link and presses what is there to press. */
async function walk(over: Browser, link: string): Promise<void> {
  const page = await over.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(WITHIN.withinMs);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  passed('signed in');
  await page
    .getByRole('link', { name: /launch/i })
    .first()
    .click();
  // Which is there alone once the machine has said what it can run.
  await page.getByRole('radio', { name: /Rehearsal/ }).check();
  await page.getByLabel('Objective').fill('Fix the failing test');
  await page.getByRole('button', { name: 'Launch' }).click();
  await page.waitForURL(/\/sessions\/ses_/);
  passed('launched');
  const card = page.locator('section[data-request]');
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  passed('allowed its push');
  await page.getByText('Turn done').first().waitFor();
  passed('finished');
}
