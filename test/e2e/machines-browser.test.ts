import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { openBrowser, openPage, typeName, type Watched } from '../support/browser.ts';
import { runPilothouse } from '../support/installation.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
let browser: Browser;
let watched: Watched;
let page: Page;
/** The other machine: a home of its own, and the runner that a person starts there. */
let there: NodeJS.ProcessEnv;
let runner: ChildProcess | null = null;

beforeAll(async () => {
  // Its only turn waits for an answer, so that there is a session under way to be ended.
  world = await RehearsalWorld.start({
    turns: [[{ do: 'bash', command: 'git push origin HEAD', ask: true }]],
  });
  const home = join(world.home, 'attic');
  mkdirSync(home);
  there = { ...world.installation.env, HOME: home, PILOTHOUSE_DATA: join(home, 'data') };
  browser = await openBrowser();
  watched = await openPage(await browser.newContext());
  ({ page } = watched);
  await page.goto(world.installation.link);
  await page.getByRole('link', { name: 'Machines' }).first().click();
});
afterAll(async () => {
  runner?.kill();
  await browser?.close();
  await world?.stop();
});

const card = () => page.getByRole('region', { name: 'attic' });

/** Starts the runner of the other machine as a person does, and answers what ends it. */
function startThere(): Promise<number | null> {
  const started = spawn(
    process.execPath,
    [join(PRODUCT_ROOT, 'runner', 'main.ts'), 'runner', 'start'],
    { env: there, stdio: 'ignore' },
  );
  runner = started;
  return new Promise((resolve) => started.once('close', resolve));
}

async function pairThere(): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Waiting for it…|is paired. Waiting/).waitFor();
  const code = (await dialog.getByText(/^\w{4}-\w{4}-\w{4}$/).textContent()) ?? '';
  const command = await dialog.getByText(/^pilothouse runner pair /).textContent();
  const address = command?.split(' ').at(-1) ?? '';
  const env = { ...there, PILOTHOUSE_PAIRING_CODE: code };
  const paired = await runPilothouse(
    ['runner', 'pair', address, '--name', 'attic'],
    env,
    world.home,
  );
  expect(paired).toMatchObject({ exitCode: 0 });
}

describe('another machine', () => {
  let ended: Promise<number | null>;

  it('is paired from the page, and is there once its runner is started', async () => {
    await page.getByRole('button', { name: 'Pair a machine' }).click();
    await pairThere();
    ended = startThere();
    await page.getByText('attic is paired and online').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await card().getByText('online', { exact: true }).waitFor();
    await card().getByText('Rehearsal').first().waitFor();
    expect(await card().count()).toBe(1);
  });

  it('is shut out by its name: its runner stops, and its session ends on record', async () => {
    const session = await until('a launch there', async () => {
      const done = await world.cli(
        'launch',
        '--runner',
        'attic',
        '--engine',
        'rehearsal',
        '--json',
        'Push it',
      );
      return done.exitCode === 0 ? (JSON.parse(done.stdout) as { sessionId: string }) : null;
    });
    await world.untilState(session.sessionId, 'awaiting_approval');
    await page.reload();
    await page.getByRole('button', { name: 'Revoke the access of attic' }).click();
    await page.getByText('1 session of it is not over and ends').waitFor();
    await typeName(page);
    await page.getByRole('button', { name: 'Revoke its access' }).click();
    await card().getByText('access taken back').waitFor();
    expect(await ended).toBe(4);
    const { view } = await world.untilState(session.sessionId, 'lost');
    expect(view.reason).toContain('access was taken back');
  });

  it('comes again by a code of its own, as the same machine', async () => {
    await card().getByRole('button', { name: 'Pair again' }).click();
    await pairThere();
    void startThere();
    await page.getByText('attic is paired and online').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await card().count()).toBe(1);
    expect(watched.faults).toEqual([]);
  });
});
