import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkoutPage } from '../../protocol/checkout.ts';
import { EXIT } from '../../runner/failure.ts';
import { openBrowser, openPage, type Watched, typeName } from '../support/browser.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

let world: RehearsalWorld;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [
      [
        {
          do: 'bash',
          command: 'echo work >work.txt && git add . && git commit -qm work',
          ask: false,
        },
        { do: 'usage', inputTokens: 1, outputTokens: 1, costUsd: 0 },
      ],
    ],
  });
  browser = await openBrowser();
  watched = await openPage(await browser.newContext({ baseURL: world.installation.url }));
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const list = async () => (await world.json(checkoutPage, 'checkouts', 'list')).items;
const find = async (session: string) =>
  (await list()).find(({ sessionId }) => sessionId === session);

/** A session that committed its work, and is over unless it is to stay open. */
async function aSession(objective: string, open = false): Promise<string> {
  const session = await world.launch(objective, '--dir', world.repository);
  await world.untilTurns(session, 1);
  await world.untilState(session, 'idle');
  if (open) return session;
  await world.call(`/v1/sessions/${session}/stop`, {});
  await world.untilState(session, 'stopped');
  return session;
}

/** Work that is in a checkout and nowhere else. */
async function leaveUnsaved(session: string): Promise<void> {
  writeFileSync(join((await find(session))?.directory ?? '', 'precious.txt'), 'x\n');
}

describe('checkouts on a machine', () => {
  let safe: string;
  let unsaved: string;
  let open: string;
  beforeAll(async () => {
    [safe, unsaved, open] = await Promise.all([
      aSession('Safe'),
      aSession('Unsaved'),
      aSession('Open', true),
    ]);
    await leaveUnsaved(unsaved);
  });

  it('are listed with whose they are, their size, and what removing each would lose', async () => {
    const items = await list();
    const standings = new Map(items.map(({ sessionId, standing }) => [sessionId, standing]));
    expect(standings).toEqual(
      new Map([
        [open, 'open'],
        [unsaved, 'unsaved'],
        [safe, 'safe'],
      ]),
    );
    expect(items.find(({ sessionId }) => sessionId === unsaved)).toMatchObject({
      title: 'Unsaved',
      repository: world.repository,
      losses: ['1 changed file is in no commit.'],
    });
    expect(items.every(({ bytes }) => (bytes ?? 0) > 10_000)).toBe(true);
    const { stdout } = await world.cli('checkouts', 'list');
    expect(stdout).toContain(`${unsaved}: 1 changed file is in no commit.`);
    expect(stdout).toMatch(/3 checkouts, .* 1 may go/);
  });

  it('stay while their session is not over, even when work is to be given up', async () => {
    const done = await world.cli('checkouts', 'remove', open, '--discard');
    expect([done.exitCode, done.stderr]).toEqual([
      EXIT.refused,
      expect.stringContaining('The session is not over'),
    ]);
  });

  it('stay when something would be lost, which is named', async () => {
    const done = await world.cli('checkouts', 'remove', unsaved);
    expect(done.exitCode).toBe(EXIT.refused);
    expect(done.stderr).toContain('1 changed file is in no commit.');
    expect(done.stderr).toContain('--discard');
  });

  it('go when they are safe, all of them at once, and the branch stays', async () => {
    const { directory, branch } = (await find(safe)) ?? { directory: '', branch: '' };
    const outcome = z.object({
      removed: z.array(z.object({ sessionId: z.string() })),
      kept: z.array(z.object({ sessionId: z.string(), reason: z.string() })),
    });
    const { removed, kept } = await world.json(outcome, 'checkouts', 'remove', '--all');
    expect(removed.map(({ sessionId }) => sessionId)).toEqual([safe]);
    expect(new Set(kept.map(({ sessionId }) => sessionId))).toEqual(new Set([open, unsaved]));
    expect(existsSync(directory)).toBe(false);
    expect(world.git('log', '-1', '--format=%s', branch)).toBe('work');
    expect((await world.cli('checkouts', 'remove', safe)).exitCode).toBe(EXIT.refused);
  });

  it('are not given up on request where the machine does not allow it', async () => {
    world.writeLimits('discard = false');
    const done = await world.cli('checkouts', 'remove', unsaved, '--discard');
    expect([done.exitCode, done.stderr]).toEqual([
      EXIT.refused,
      expect.stringContaining('discard = true'),
    ]);
    world.writeLimits('');
  });

  it('are seen and given up on the page of machines, after a word about what is lost', async () => {
    const { directory } = (await find(unsaved)) ?? { directory: '' };
    await page.goto(world.installation.link);
    await page.getByRole('link', { name: 'Machines' }).first().click();
    await page.getByRole('button', { name: 'Show checkouts' }).click();
    const rows = page.getByRole('list', { name: 'Checkouts' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    const row = rows.filter({ hasText: 'Unsaved' });
    expect(await row.textContent()).toContain('1 changed file is in no commit.');
    await row.getByRole('button', { name: /^Remove/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is nowhere else').waitFor();
    expect(existsSync(directory)).toBe(true);
    await typeName(page);
    await dialog.getByRole('button', { name: 'Give it up and remove' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect(existsSync(directory)).toBe(false);
    expect(await find(unsaved)).toBeUndefined();
    expect(watched.faults).toEqual([]);
  });
});
