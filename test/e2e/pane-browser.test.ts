import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageOf, runnerPage } from '../../protocol/http.ts';
import { paneList, paneRecord, type WatchablePane } from '../../protocol/panes.ts';
import { openBrowser, openPage, type Watched } from '../support/browser.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { McpOperator } from './mcp-operator.ts';
import { World } from './world.ts';

/** A person's own tmux, watched and typed into from windows elsewhere. */
let world: World;
let network: TcpProxy;
let browser: Browser;
let desk: BrowserContext;
let runnerId: string;
let pane: WatchablePane;
let address: string;
let watcher: Page;
let driver: Page;
let operator: McpOperator;
const opened: Watched[] = [];

const OPEN = '[terminal]\nbackends = ["tmux"]\ndefault_server = true\nprefixes = ["agent-"]';
const tmux = (...words: string[]): string =>
  execFileSync('tmux', words, {
    encoding: 'utf8',
    env: { ...process.env, TMUX: '', TMUX_TMPDIR: join(world.home, 'tmux') },
  }).trim();

beforeAll(async () => {
  network = await TcpProxy.listen();
  world = new World((home) => ({ TMUX_TMPDIR: join(home, 'tmux') }));
  mkdirSync(join(world.home, 'tmux'));
  world.writeLimits(OPEN);
  await world.up('--allow-host', network.host);
  network.leadTo(world.installation.url);
  const shell = ['bash', '--norc', '-i'];
  tmux('new-session', '-d', '-s', 'agent-build', '-x', '100', '-y', '30', ...shell);
  tmux('new-session', '-d', '-s', 'private', '-x', '100', '-y', '30', ...shell);
  const { items } = await world.get(runnerPage, '/v1/runners');
  runnerId = items[0]?.runnerId ?? '';
  browser = await openBrowser();
  desk = await browser.newContext({
    baseURL: world.installation.url,
    viewport: { width: 1280, height: 800 },
  });
});
afterAll(async () => {
  await browser?.close();
  await operator?.close();
  await network?.close();
  try {
    tmux('kill-server');
  } catch {
    // It is gone already.
  }
  await world?.stop();
});

async function openOn(context: BrowserContext, path: string): Promise<Page> {
  const watched = await openPage(context);
  opened.push(watched);
  await watched.page.goto(path);
  return watched.page;
}
const rows = (page: Page) => page.locator('.xterm-rows');
const shows = (page: Page, words: string | RegExp) => rows(page).getByText(words).last().waitFor();
const typesIn = async (page: Page, text: string) => {
  await page.locator('.xterm-screen').click();
  await page.keyboard.type(text);
};
const size = () =>
  tmux('display-message', '-p', '-t', '=agent-build:', '#{window_width}x#{window_height}');

it('is found on the page of the machines, as far as its limits open it', async () => {
  watcher = await openOn(desk, world.installation.link);
  await watcher.waitForURL((url) => url.hash === '');
  await watcher.goto('/machines');
  await watcher.getByRole('button', { name: 'Show terminals' }).click();
  const list = watcher.getByRole('list', { name: 'Terminals' });
  await list.getByText('agent-build').waitFor();
  expect(await list.innerText()).not.toContain('private');
  const { panes } = await world.get(paneList, `/v1/runners/${runnerId}/panes`);
  const found = panes.find(({ session }) => session === 'agent-build');
  if (!found) throw new Error('the terminal is not listed');
  pane = found;
  tmux('send-keys', '-t', '=agent-build:', 'echo already $((40+2))', 'Enter');
  await list.getByRole('link', { name: /agent-build/ }).click();
  await shows(watcher, 'already 42');
  address = new URL(watcher.url()).pathname + new URL(watcher.url()).search;
});

it('is shown as it is written, to windows of any size, which change nothing there', async () => {
  const before = size();
  driver = await openOn(desk, address);
  await shows(driver, 'already 42');
  await driver.setViewportSize({ width: 700, height: 500 });
  tmux('send-keys', '-t', '=agent-build:', 'echo größe 漢字 $((1+1))', 'Enter');
  await shows(driver, 'größe 漢字 2');
  await shows(watcher, 'größe 漢字 2');
  expect(size()).toBe(before);
  await typesIn(driver, 'nobody asked');
  tmux('send-keys', '-t', '=agent-build:', 'echo after', 'Enter');
  await shows(driver, /^after/);
  expect(await rows(driver).innerText()).not.toContain('nobody asked');
});

it('is typed into by one, whom the others see, and takes no answers of their windows for keys', async () => {
  await driver.getByRole('button', { name: 'Type here' }).click();
  await driver.getByText('Every key reaches the terminal.').waitFor();
  await watcher.getByText('Somebody types in another window').waitFor();
  await typesIn(driver, 'echo typed $((3+4))\n');
  await shows(watcher, 'typed 7');
  // What a program asks of its terminal is answered once: by tmux.
  const asks =
    "stty raw -echo; printf '\\033[c'; sleep 2; n=$(dd bs=1000 count=1 2>/dev/null | tr -cd c | wc -c)";
  await typesIn(driver, `${asks}; stty sane; echo answers: $n.\n`);
  await shows(watcher, /^answers: 1\./);
  expect(await driver.getByText('You type here').count()).toBe(1);
});

it('comes back by itself when the Worker was killed, with the same one typing', async () => {
  process.kill(Number(readFileSync(world.layout.workerdPidFile, 'utf8')), 'SIGKILL');
  await driver.getByText('The connection is lost').waitFor();
  tmux('send-keys', '-t', '=agent-build:', 'echo meanwhile', 'Enter');
  await driver.getByText('Every key reaches the terminal.').waitFor({ timeout: 60_000 });
  await shows(driver, /^meanwhile/);
  await typesIn(driver, 'echo still $((5+5))\n');
  await shows(watcher, 'still 10');
  expect(await watcher.getByText('You watch').count()).toBe(0);
});

it('shows a flood to its end, beside a window that is cut off and comes back', async () => {
  network.restore();
  const far = await browser.newContext({ storageState: await desk.storageState() });
  await far.addCookies(
    (await desk.cookies()).map((cookie) => ({ ...cookie, domain: '127.0.0.1', path: '/' })),
  );
  const { page } = await openPage(far);
  await page.goto(`${network.url}${address}`);
  await shows(page, 'still 10');
  network.cut();
  await page.getByText('The connection is lost').waitFor();
  await typesIn(driver, 'yes flood | head -c 5000000; echo flood over $((6+6))\n');
  await shows(watcher, 'flood over 12');
  network.restore();
  await shows(page, 'flood over 12');
  expect(await page.getByText('The connection is lost').count()).toBe(0);
  await far.close();
});

it('is typed into from a phone by force, with the keys that its keyboard lacks', async () => {
  const phone = await browser.newContext({
    baseURL: world.installation.url,
    storageState: await desk.storageState(),
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await openOn(phone, address);
  await shows(page, 'flood over 12');
  await page.getByRole('button', { name: 'Type instead of them' }).tap();
  await page.getByText('Every key reaches the terminal.').waitFor();
  await driver.getByText('You type here no more').waitFor();
  const bar = page.getByRole('toolbar', { name: 'Keys' });
  await bar.getByRole('button', { name: 'Ctrl' }).tap();
  await page.keyboard.type('c');
  // A shell throws away what is typed before it has a prompt again.
  await until('a new prompt', async () =>
    /\^C\s+bash\S+[$#]\s*$/.test(await rows(watcher).innerText()),
  );
  await page.keyboard.type('echo phone $((7+7))\n');
  await shows(watcher, 'phone 14');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Let go' }).tap();
  await watcher.getByText('You watch').waitFor();
  await phone.close();
});

it('has on record who watched and typed how much, and not a word of it', async () => {
  const path = `/v1/runners/${runnerId}/panes/records?limit=100&target=${encodeURIComponent(pane.target)}`;
  const read = async () => (await world.get(pageOf(paneRecord), path)).items;
  await until(
    'all of it',
    async () => (await read()).filter(({ kind }) => kind === 'let_go').length === 2,
  );
  const records = await read();
  expect(new Set(records.map(({ kind }) => kind))).toEqual(
    new Set(['watched', 'took', 'typed', 'let_go']),
  );
  expect(records.filter(({ kind }) => kind === 'let_go').map(({ reason }) => reason)).toEqual([
    'handed_back',
    'forced',
  ]);
  const bytes = records.reduce((sum, record) => sum + (record.bytes ?? 0), 0);
  expect(bytes).toBeGreaterThan(100);
  expect(JSON.stringify(records)).not.toContain('echo');
});

it('halts the operator that broke the policy in it, until a person answers for that', async () => {
  // Beside the repository: what lies in it is looked through before it is sent.
  const tidy = join(world.home, 'tidy.sh');
  writeFileSync(tidy, 'git commit -qam x\ngit push -q origin main\n');
  writeFileSync(join(world.repository, 'a.txt'), 'tidied\n');
  tmux('new-session', '-d', '-s', 'agent-tidy', '-c', world.repository, 'bash', '--norc', '-i');
  operator = await McpOperator.make(world, {
    tools: ['list_sessions', 'capture_pane', 'run_command'].map((tool) => `tmux_${tool}`),
    surfaceOptions: { tmux: { backends: ['tmux'], targets: 'any', prefix: 'agent-' } },
  });
  const { panes } = await world.get(paneList, `/v1/runners/${runnerId}/panes`);
  const target = panes.find(({ session }) => session === 'agent-tidy')?.target;
  const run = (command: string) => operator.call('tmux_run_command', { target, command });
  // Nothing in these words says that they push.
  expect((await run(`sh ${tidy}`)).failed).toBe(false);
  await until('its writes to be halted', async () =>
    (await run('true')).text.includes('writes nothing until a person says'),
  );
  expect((await operator.call('tmux_capture_pane', { target })).failed).toBe(false);

  const page = await openOn(desk, '/');
  const card = page.getByRole('list', { name: 'Operators held by a breach' });
  await card.getByText('1 forbidden act').waitFor();
  await card.getByRole('link', { name: /Starter/ }).click();
  const breach = page.getByRole('region', { name: 'Forbidden by the merge policy' });
  await breach.getByText('Forbidden, and done:').waitFor();
  const before = world.git('rev-parse', 'main~1');
  const undo = breach.getByText(/git .*push/).first();
  expect(await undo.innerText()).toContain(before);
  execFileSync('sh', ['-ec', await undo.innerText()], { cwd: world.home, stdio: 'ignore' });
  expect(world.git('ls-remote', 'origin', 'refs/heads/main')).toContain(before);
  await breach.getByLabel('Why may it go on?').fill('undone by hand');
  await breach.getByRole('button', { name: 'Let it go on' }).click();
  await breach.waitFor({ state: 'detached' });
  expect(JSON.parse((await run('echo on')).text)).toMatchObject({ exitCode: 0, text: 'on' });
  await page.goto('/');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await card.waitFor({ state: 'detached' });
});

it('is closed with the reason as soon as the machine’s limits say so', async () => {
  world.writeLimits(`${OPEN}\nwatch = false`);
  await watcher.getByText('let nobody watch its terminals').first().waitFor();
  await watcher.goto('/machines');
  await watcher.getByRole('button', { name: 'Show terminals' }).click();
  await watcher.getByText('let nobody watch its terminals').waitFor();
  expect(await watcher.getByRole('list', { name: 'Terminals' }).count()).toBe(0);
  world.writeLimits(`${OPEN}\ndrive = false`);
  await driver.reload();
  await shows(driver, 'phone 14');
  const button = driver.getByRole('button', { name: 'Type here' });
  await until('the reason', async () =>
    (await button.getAttribute('title'))?.includes('let nobody type into its terminals'),
  );
});

it('had no error in any window', () => {
  expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
});
