import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { gateDecisionPage, gateRequestList } from '../../protocol/gate.ts';
import { madeMcpKey } from '../../protocol/mcp.ts';
import { instanceDetail } from '../../protocol/operator-http.ts';
import { terminalSession } from '../../protocol/terminal.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { claudeArgv } from '../support/claude-pane.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { runs, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

/**
 * The real claude in a pane that an operator made, over the whole product: what it asks is a
 * question on record that a person answers elsewhere, and no key is ever pressed for it.
 */
let world: ClaudeWorld;
let instanceId: string;
let mcp: Client;
let work: string;
const file = (name: string) => join(work, name);
const NAMES = [
  'allowed',
  'denied',
  'killed',
  'twice',
  'pane',
  'window',
  'gone',
  'worker',
  'browser',
];
const LONG = { withinMs: 60_000, tell: () => world.tell().slice(-1_500) };

beforeAll(async () => {
  const script = Object.fromEntries(
    NAMES.map((name) => [`make ${name}`, [runs(`touch ${name}`), says(`Over with ${name}.`)]]),
  );
  world = await ClaudeWorld.start(script, CANARY_KEY);
  world.writeLimits('[terminal]\nbackends = ["tmux"]');
  work = join(world.home, 'work');
  mkdirSync(work);
  const tools = ['list_sessions', 'create_session', 'capture_pane', 'run_command', 'send_keys'];
  const definition = {
    name: 'Starter',
    instructions: 'Start what is wanted.',
    ceiling: {
      tools: tools.map((tool) => `tmux_${tool}`),
      surfaceOptions: { tmux: { backends: ['tmux'], targets: 'any', prefix: null } },
    },
    brain: null,
  };
  writeFileSync(join(world.home, 'starter.json'), JSON.stringify(definition));
  await world.cli('operators', 'publish', join(world.home, 'starter.json'));
  instanceId = (await world.json(instanceDetail, 'operators', 'make', 'Starter')).instance.id;
  const all = ['--read', 'always', '--send', 'always', '--run', 'always', '--kill', 'always'];
  await world.cli('operators', 'consent', instanceId, ...all);
  const key = z.object({ ...madeMcpKey.shape, url: z.string() });
  const made = await world.json(key, 'mcp', 'keys', 'make', '--instance', instanceId);
  mcp = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${made.token}` };
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(made.url), { requestInit: { headers } }),
  );
});
afterAll(async () => {
  await mcp?.close();
  await world?.stop();
});

const call = async (name: string, input: Record<string, unknown>) => {
  const result = await mcp.callTool({ name, arguments: input });
  const [first] = z.array(z.object({ text: z.string() })).parse(result.content);
  return { text: first?.text ?? '', failed: result.isError === true };
};
/** Starts the real claude on one instruction; answers its pane. */
async function start(name: string): Promise<string> {
  const argv = claudeArgv(world.home, work, world.api.url, [`make ${name}`]);
  const { text } = await call('tmux_create_session', { name, argv, directory: work });
  const answer = z.object({ panes: terminalSession.shape.panes }).parse(JSON.parse(text));
  return answer.panes[0]?.target ?? '';
}
const screen = async (target: string) => (await call('tmux_capture_pane', { target })).text;
const shows = (target: string, what: RegExp) =>
  until(`${target} to show ${what}`, async () => what.test(await screen(target)), LONG);
const requests = async () =>
  (await world.get(gateRequestList, '/v1/gate/requests')).items.filter(
    ({ tool }) => tool === 'agent_permission',
  );
const asked = (name: string) =>
  until(
    `the question of ${name}`,
    async () => (await requests()).find(({ params }) => JSON.stringify(params).includes(name)),
    LONG,
  );
const answer = (callId: string, said: string) =>
  world.call(`/v1/instances/${instanceId}/calls/${callId}/answer`, { answer: said });
const closedAs = (callId: string, explanation: RegExp) =>
  until(
    `${callId} to be ${explanation}`,
    async () => {
      const { items } = await world.get(gateDecisionPage, `/v1/instances/${instanceId}/decisions`);
      return items.find((each) => each.callId === callId && explanation.test(each.explanation));
    },
    LONG,
  );

it('asks a person elsewhere, refuses what could answer it by keys, and goes on with their yes', async () => {
  const target = await start('allowed');
  const { callId, params, rule } = await asked('allowed');
  expect(rule).toBe('agent');
  expect(params).toMatchObject({ engine: 'claude', asks: 'Bash', directory: work });
  await shows(target, /Do you want to proceed\?/);
  for (const keys of [['Enter'], ['1'], ['y']]) {
    const sent = await call('tmux_send_keys', { target, keys });
    expect(sent.failed).toBe(true);
    expect(sent.text).toContain('terminal_asking');
  }
  expect(existsSync(file('allowed'))).toBe(false);
  expect((await answer(callId, 'once')).status).toBe(200);
  await shows(target, /Over with allowed\./);
  expect(existsSync(file('allowed'))).toBe(true);
  expect(await closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
  expect(await requests()).toEqual([]);
});

it('tells the agent a no with its reason, and runs nothing', async () => {
  await start('denied');
  const { callId } = await asked('denied');
  const said = await world.cli('operators', 'answer', instanceId, callId, 'deny');
  expect(said.exitCode).toBe(0);
  await closedAs(callId, /^closed: a person said no/);
  await until('its next request', () =>
    JSON.stringify(world.api.seen.at(-1)?.request).includes('A person said no to this'),
  );
  expect(existsSync(file('denied'))).toBe(false);
});

it('takes one of two answers at once', async () => {
  await start('twice');
  const { callId } = await asked('twice');
  const both = await Promise.all([answer(callId, 'deny'), answer(callId, 'once')]);
  const bodies = await Promise.all(both.map((response) => response.json()));
  const [one, other] = z.array(z.object({ answer: z.string() })).parse(bodies);
  expect(one?.answer).toBe(other?.answer);
  await closedAs(callId, one?.answer === 'deny' ? /^closed: a person said no/ : /^allowed/);
  const over = () => JSON.stringify(world.api.seen.at(-1)?.request).includes('make twice');
  await until('its next request', over, LONG);
  expect(existsSync(file('twice'))).toBe(one?.answer === 'once');
});

it('is found on Home and answered on the operator’s page, in a real browser', async () => {
  const browser = await openBrowser();
  try {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({ baseURL: world.installation.url, viewport });
    const { page, faults } = await openPage(context);
    await page.goto(world.installation.link);
    await page.waitForURL((url) => url.hash === '');
    await start('browser');
    const { callId } = await asked('browser');
    await page.goto('/');
    await page.getByRole('link', { name: /Starter.*claude asks to use Bash/ }).click();
    const card = page.getByRole('region', { name: 'claude waits for you' });
    await card.getByText('touch browser').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).click();
    await card.waitFor({ state: 'detached' });
    expect(await closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});

it('is answered in the terminal as well, which closes it elsewhere', async () => {
  const target = await start('pane');
  const { callId } = await asked('pane');
  await shows(target, /Do you want to proceed\?/);
  const [, , , pane] = target.split(':');
  const socket = join(world.layout.runner, 'terminal', 'tmux.sock');
  execFileSync('tmux', ['-S', socket, 'send-keys', '-t', pane ?? '', 'Enter']);
  await closedAs(callId, /^closed: it was answered in the terminal/);
  expect(await requests()).toEqual([]);
  const late = await answer(callId, 'deny');
  expect(late.status).toBe(409);
});

const pidIn = (path: string) => Number(readFileSync(path, 'utf8'));
async function kill(path: string): Promise<void> {
  const before = pidIn(path);
  process.kill(before, 'SIGKILL');
  await until('another process', () => existsSync(path) && pidIn(path) !== before, {
    ...LONG,
    withinMs: 90_000,
  });
}

it('outlives its runner, and takes an answer that came while that was away', async () => {
  const target = await start('killed');
  const { callId } = await asked('killed');
  const runner = pidIn(world.layout.runnerPidFile);
  process.kill(runner, 'SIGKILL');
  expect((await answer(callId, 'once')).status).toBe(200);
  await shows(target, /Over with killed\./);
  expect(existsSync(file('killed'))).toBe(true);
  await closedAs(callId, /^allowed/);
});

it('outlives its Worker', async () => {
  await start('worker');
  const { callId } = await asked('worker');
  await kill(world.layout.workerdPidFile);
  await until('it is there again', async () => (await requests().catch(() => [])).length > 0, LONG);
  await until(
    'the answer to be taken',
    async () => (await answer(callId, 'once').catch(() => null))?.status === 200,
    LONG,
  );
  expect(await closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
  await until('the file', () => existsSync(file('worker')), LONG);
});

it('is closed when the agent ends', async () => {
  const target = await start('gone');
  const { callId } = await asked('gone');
  const [, , , pane] = target.split(':');
  const socket = join(world.layout.runner, 'terminal', 'tmux.sock');
  execFileSync('tmux', ['-S', socket, 'kill-pane', '-t', pane ?? '']);
  expect(await closedAs(callId, /^closed: /)).toMatchObject({ outcome: null });
});

it('asks from a command in a window too, with nothing secret in an argument', async () => {
  await call('tmux_create_session', { name: 'shell', argv: null, directory: work });
  const { text } = await call('tmux_list_sessions', {});
  const sessions = z.object({ sessions: z.array(terminalSession) }).parse(JSON.parse(text));
  const target = sessions.sessions.find(({ name }) => name === 'shell')?.panes[0]?.target ?? '';
  // Behind `env -C DIRECTORY`, which a shell needs no program for.
  const line = [...claudeArgv(world.home, work, world.api.url).slice(3), "'make window'"];
  const running = call('tmux_run_command', { target, command: line.join(' '), timeoutMs: 20_000 });
  const { callId } = await asked('window');
  const processes = execFileSync('ps', ['-eo', 'args'], {
    encoding: 'utf8',
  });
  expect(processes).toContain('PermissionRequest');
  expect(processes).not.toContain('PILOTHOUSE_ASK');
  await answer(callId, 'once');
  await closedAs(callId, /^allowed/);
  await until('the file', () => existsSync(file('window')), LONG);
  await running;
});
