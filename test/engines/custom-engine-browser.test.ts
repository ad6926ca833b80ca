import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { engineDetail } from '../../protocol/engines.ts';
import { findFaults } from '../faults/record.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { World } from '../e2e/world.ts';

/**
 * A coding agent of the poorest kind: reads, prints, sometimes works long, sometimes fails. What it
 * is asked stands last, behind what it is told of the turns before.
 */
const SCRIPT = `#!/bin/sh
words=$(tail -n 1)
case "$words" in
  *fail*) echo "no such model" >&2; exit 3 ;;
  *long*) setsid sleep 300 & echo $! > "$HOME/hidden.pid"; echo working; wait ;;
  *) printf '\\033[1mYou said:\\033[0m %s\\nline two\\n' "$words"; echo made > made.txt ;;
esac
`;

let world: World;
let browser: Browser;
let page: Page;
let watched: Watched;
const script = () => join(world.home, 'agent.sh');

beforeAll(async () => {
  world = new World();
  writeFileSync(script(), SCRIPT);
  chmodSync(script(), 0o755);
  await world.up();
  browser = await openBrowser();
  const context = await browser.newContext({
    baseURL: world.installation.url,
    viewport: { width: 1400, height: 1100 },
  });
  watched = await openPage(context);
  ({ page } = watched);
  const link = await world.json(z.object({ url: z.string() }), 'link');
  await page.goto(link.url);
  await page.getByRole('link', { name: 'Machines' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const shot = (name: string) => {
  const directory = process.env['PILOTHOUSE_SHOTS'];
  return directory ? page.screenshot({ path: join(directory, `${name}.png`) }) : undefined;
};
const isRunning = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('an engine of a person’s own', () => {
  it('is described on its page, where every field says what it needs', async () => {
    await page.goto('/machines/engines');
    await page.getByText('No engine of your own yet').waitFor();
    await shot('engines-empty');
    await page.getByRole('button', { name: 'Add an engine' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Id').fill('My Agent');
    await form.getByRole('button', { name: 'Save the engine' }).click();
    await form.getByText('This must be lower-case letters').waitFor();
    await form.getByText('Name the program, then its words').waitFor();
    await shot('engines-form-problems');
    await form.getByLabel('Id').fill('my-agent');
    await form.getByLabel('What it is called').fill('My agent');
    await form.getByLabel('Command, a word a line').fill(script());
    await form.getByRole('button', { name: 'Save the engine' }).click();
    const row = page.getByRole('list', { name: 'Your own engines' }).getByRole('listitem');
    await row.getByText('version 1').waitFor();
    await row.getByText('unmetered').waitFor();
    expect(await row.textContent()).toContain(script());
    await shot('engines-own');
  });

  it('does not run on the machine before it was approved there, and says what to do', async () => {
    await page.goto('/machines');
    await page.getByText('is not approved on this machine').waitFor();
    await shot('machines-not-approved');
    const refused = await world.cli('launch', '--engine', 'my-agent', 'hello');
    expect(refused.exitCode).toBe(4);
    expect(refused.stderr).toMatch(/not approved on the machine.*engines approve/);
  });

  it('is approved in a terminal of the machine, for exactly what was read', async () => {
    const shown = await world.json(z.object({ sha256: z.string() }), 'engines', 'show', 'my-agent');
    const asked = await world.cli('engines', 'approve', 'my-agent');
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('--hash')]);
    const wrong = await world.cli('engines', 'approve', 'my-agent', '--hash', 'f'.repeat(64));
    expect([wrong.exitCode, wrong.stderr]).toEqual([4, expect.stringContaining(shown.sha256)]);
    const done = await world.cli('engines', 'approve', 'my-agent', '--hash', shown.sha256);
    expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining(script())]);
  });

  let id = '';
  it('is launched from the form, shows what it prints and is labelled unmetered', async () => {
    await page.goto('/launch?engine=my-agent');
    await page
      .getByRole('combobox', { name: /Directory/ })
      .or(page.getByLabel(/Directory/))
      .first()
      .fill(world.repository);
    const choice = page.getByRole('radio', { name: /My agent/ });
    await choice.check();
    await page.getByText('It asks nobody').waitFor();
    await page.getByLabel('Budget in dollars').fill('5');
    await page.getByText('does not tell what it uses').first().waitFor();
    await page.getByLabel('Budget in dollars').fill('');
    await page.getByLabel('Objective').fill('hello there');
    await shot('launch-own');
    await page.getByRole('button', { name: 'Launch' }).click();
    await page.waitForURL(/\/sessions\/ses_/);
    await page.getByText('You said: hello there').waitFor();
    await page.getByText('Each turn is a new conversation').waitFor();
    await page.getByText('unmetered').first().waitFor();
    id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'unobservable' });
    expect(view.spend.unmetered?.entries).toBe(1);
    expect(Object.keys(view.spend)).toEqual(['unmetered']);
    await shot('session-own');
  });

  it('that exits with 3 has failed, with its last words', async () => {
    await page.getByLabel('What to do next').fill('please fail');
    await page.keyboard.press('Enter');
    await page.getByText('exit code 3').first().waitFor();
    await page.getByText('no such model').first().waitFor();
    expect((await world.untilTurns(id, 2)).view.turns[1]).toMatchObject({ outcome: 'failed' });
    await shot('session-failed');
  });

  it('is interrupted with all that it started', async () => {
    await page.getByLabel('What to do next').fill('work long');
    await page.keyboard.press('Enter');
    await page.getByText('working', { exact: true }).first().waitFor();
    const file = join(world.home, 'hidden.pid');
    const pid = await until(
      'the hidden process',
      () => existsSync(file) && readFileSync(file, 'utf8').trim(),
    );
    expect(isRunning(pid)).toBe(true);
    await page.getByRole('button', { name: /Interrupt/ }).click();
    expect((await world.untilTurns(id, 3)).view.turns[2]).toMatchObject({ outcome: 'interrupted' });
    await until('nothing of it to run', () => !isRunning(pid));
    await until('its exit', async () => (await world.events(id, 'engine/exited')).length === 3);
    expect(findFaults(await world.entries(id))).toEqual([]);
  });

  it('is edited, exported, removed and imported, and a changed command needs a new approval', async () => {
    const edited = await world.cli('engines', 'edit', 'my-agent', '--', script(), '--fast');
    expect(edited.stdout).toContain('version 2');
    expect((await world.cli('launch', '--engine', 'my-agent', 'again')).exitCode).toBe(4);
    const file = join(world.home, 'my-agent.json');
    expect((await world.cli('engines', 'export', 'my-agent', '--output', file)).exitCode).toBe(0);
    expect((await world.cli('engines', 'export', 'my-agent', '--output', file)).exitCode).toBe(1);
    await world.cli('engines', 'remove', 'my-agent');
    expect((await world.cli('engines', 'show', 'my-agent')).stdout).toContain('was removed');
    expect((await world.cli('engines', 'import', file)).stdout).toContain('version 4');
    const detail = await world.json(engineDetail, 'engines', 'show', 'my-agent');
    expect(detail.versions.map(({ preset }) => preset?.command.length ?? null)).toEqual([
      2,
      null,
      2,
      1,
    ]);
    const list = await world.cli('engines', 'list');
    expect(list.stdout).toMatch(/my-agent .*unmetered +yours, version 4 +not approved/);
    expect(list.stdout).toMatch(/ollama .*unverified +not approved/);
    const bad = await world.cli('engines', 'add', 'Bad Id', '--', './x');
    expect([bad.exitCode, bad.stderr]).toEqual([
      2,
      expect.stringMatching(/id must be.*command 1 must/),
    ]);
  });

  it('put no error on any page', () => {
    expect(watched.faults).toEqual([]);
  });
});
