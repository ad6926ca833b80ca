import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
let browser: Browser;
let watched: Watched;
let page: Page;
let origin: string;

const usage = { do: 'usage', inputTokens: 1, outputTokens: 1, costUsd: 0 } as const;
const does = (command: string) => [{ do: 'bash', command, ask: false } as const, usage];

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [
      does('echo one >a.txt; git commit -qam one; echo loose >loose.txt'),
      does('echo two >loose.txt; rm a.txt'),
      [{ do: 'text', text: 'The third thing that this conversation did.' }, usage],
    ],
  });
  browser = await openBrowser();
  watched = await openPage(await browser.newContext({ baseURL: world.installation.url }));
  ({ page } = watched);
  origin = await world.launch('Move the masts', '--dir', world.repository, '--budget', '3');
  await world.untilTurns(origin, 1);
  await world.cli('sessions', 'say', origin, 'And the sails');
  await world.untilTurns(origin, 2);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** What is in a session's checkout. */
async function filesOf(session: string) {
  const { view } = await world.untilTurns(session, 1);
  const place = view.checkout?.directory ?? '';
  const read = (name: string) =>
    existsSync(join(place, name)) ? readFileSync(join(place, name), 'utf8').trim() : null;
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: place, encoding: 'utf8' }).trim();
  return {
    a: read('a.txt'),
    loose: read('loose.txt'),
    subject: git('log', '-1', '--format=%s'),
    changed: git('status', '--porcelain'),
  };
}

const saidIn = async (session: string) =>
  (await world.events(session, 'text/completed')).map(({ text }) => text.text);

describe('a fork of a session', () => {
  it('has its files, commits and conversation as they are now, from the command line', async () => {
    const { sessionId: fork } = await world.json(
      z.object({ sessionId: z.string() }),
      'sessions',
      'fork',
      origin,
      'Now the oars',
    );
    const { view } = await world.untilTurns(fork, 1);
    expect(await filesOf(fork)).toEqual({
      a: null,
      loose: 'two',
      subject: 'one',
      changed: 'D a.txt\n?? loose.txt',
    });
    // It plays the third part: it goes on where the other one was, and was not told of it.
    expect(await saidIn(fork)).toEqual(['The third thing that this conversation did.']);
    expect(view.turns[0]?.briefed).toBeNull();
    expect(view.launch).toMatchObject({ budgetMicroUsd: 3_000_000, from: { fork: { number: 2 } } });
    const { view: before } = await world.untilTurns(origin, 2);
    expect(before.forks).toMatchObject([{ sessionId: fork, number: 2 }]);
    expect(view.engine?.engineSessionId).not.toBe(before.engine?.engineSessionId);
  });

  it('leaves the session that it is of as it was, which goes on', async () => {
    expect(await filesOf(origin)).toMatchObject({ a: null, loose: 'two' });
    await world.cli('sessions', 'say', origin, 'And the rudder');
    await world.untilTurns(origin, 3);
    expect(await saidIn(origin)).toEqual(['The third thing that this conversation did.']);
  });

  it('begins where the session was after a turn, told of that where it cannot go on', async () => {
    await page.goto(world.installation.link);
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(`/sessions/${origin}`);
    await page.getByRole('link', { name: 'forked into another at turn 2' }).waitFor();
    await page.getByRole('link', { name: 'Fork here, after turn 1' }).click();
    const facts = page.getByRole('region', { name: 'Fork of' });
    await expect.poll(() => facts.textContent()).toContain('as they were after turn 1');
    const budget = page.getByRole('textbox', { name: 'Budget in dollars' });
    expect(await budget.inputValue()).toBe('3');
    await page.getByRole('textbox', { name: 'Objective' }).fill('Another way');
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.getByText('Briefed, not resumed · 1 earlier turn in about').waitFor();
    await page.getByRole('link', { name: 'forked from another session at turn 1' }).waitFor();
    const fork = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { view } = await world.untilTurns(fork, 1);
    expect(view.launch.from?.story.map(({ asked }) => asked)).toEqual(['Move the masts']);
    expect(await filesOf(fork)).toMatchObject({ subject: 'one', changed: expect.any(String) });
    expect(watched.faults).toEqual([]);
  });
});
