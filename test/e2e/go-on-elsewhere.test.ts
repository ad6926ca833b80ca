import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runnerPage } from '../../protocol/http.ts';
import { OwnRunner } from '../faults/own-runner.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

/** Two machines: one that worked and is gone, and another one that goes on. */
let world: RehearsalWorld;
let other: OwnRunner;
const otherHome = mkdtempSync(join(tmpdir(), 'pilothouse-elsewhere-'));
let browser: Browser;
let watched: Watched;
let page: Page;
let before: string;

const usage = { do: 'usage', inputTokens: 1, outputTokens: 1, costUsd: 0 } as const;

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [[{ do: 'text', text: 'There are three masts.' }, usage]],
  });
  other = await OwnRunner.register(world, world.installation.url, {
    HOME: otherHome,
    PILOTHOUSE_DATA: join(otherHome, 'data'),
  });
  mkdirSync(join(otherHome, 'data'));
  await other.start();
  await until('both machines', async () => {
    const { items } = await world.get(runnerPage, '/v1/runners');
    return items.filter(({ presence, machine }) => presence === 'online' && machine).length === 2;
  });
  browser = await openBrowser();
  watched = await openPage(await browser.newContext({ baseURL: world.installation.url }));
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await other?.end('SIGTERM');
  await world?.stop();
  rmSync(otherHome, { recursive: true, force: true });
});

describe('a session', () => {
  it('goes on elsewhere from the command line: told, not resumed, and labelled so', async () => {
    before = await world.launch('Count the masts');
    await world.untilTurns(before, 1);
    await world.call(`/v1/sessions/${before}/stop`, {});
    await world.untilState(before, 'stopped');
    const id = await world.launch('Now the sails', '--from', before, '--runner', 'elsewhere');
    const { view, summary } = await world.untilTurns(id, 1);
    expect(summary.runnerName).toBe('elsewhere');
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', briefed: { turns: 1 } });
    expect(view.launch.from).toMatchObject({
      sessionId: before,
      story: [{ asked: 'Count the masts', answer: 'There are three masts.' }],
    });
    await world.cli('sessions', 'say', id, 'And the oars');
    expect((await world.untilTurns(id, 2)).view.turns[1]).toMatchObject({ briefed: null });
  });

  it('goes on elsewhere from its page, which says from where', async () => {
    await page.goto(world.installation.link);
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(`/sessions/${before}`);
    await page.getByRole('link', { name: 'Go on elsewhere' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Goes on from' }).textContent())
      .toContain('Briefed, not resumed: the engine is told a record of 1 turn');
    await page.getByRole('radio', { name: /elsewhere/ }).check();
    await page.getByRole('textbox', { name: 'Objective' }).fill('Now the oars');
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.waitForURL(/\/sessions\/ses_/);
    await page.getByText('Briefed, not resumed · 1 earlier turn in about').waitFor();
    await page.getByRole('link', { name: 'goes on from another session' }).click();
    await page.waitForURL(new RegExp(before));
    expect(watched.faults).toEqual([]);
  });
});
