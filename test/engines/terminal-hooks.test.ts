import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_POLICY } from '../../protocol/merge-policy.ts';
import { terminalSession } from '../../protocol/terminal.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { runs, says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { AskingOperator } from './asking-operator.ts';

/**
 * The real claude in a pane that an operator made, over the whole product: what it asks is a
 * question on record that a person answers elsewhere, and no key is ever pressed for it.
 */
let operator: AskingOperator;
/** What it is told, as the model API looks it up at each question. */
const script: Script = {};
const file = (name: string) => join(operator.work, name);
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
  'late',
  'ruled',
];
/** What claude reads where it works is asked about by nobody; what a program opens is. */
const READS: Script = {
  'make reads': [
    {
      kind: 'message',
      content: [{ type: 'tool_use', name: 'Read', input: { file_path: '.env' } }],
    },
    says('Over with reading.'),
  ],
  'make opens': [
    runs('python3 -c "print(open(\'.env\').read())" > opened'),
    says('Over with opening.'),
  ],
};

beforeAll(async () => {
  for (const name of NAMES)
    script[`make ${name}`] = [runs(`touch ${name}`), says(`Over with ${name}.`)];
  Object.assign(script, READS);
  const tools = ['list_sessions', 'create_session', 'capture_pane', 'run_command', 'send_keys'];
  operator = await AskingOperator.start(script, {
    limits: 'backends = ["tmux"]',
    tools: tools.map((tool) => `tmux_${tool}`),
    surfaceOptions: { tmux: { backends: ['tmux'], targets: 'any', prefix: null } },
  });
});
afterAll(() => operator?.stop());

/** Starts the real claude on one instruction; answers its pane. */
async function start(name: string): Promise<string> {
  const argv = operator.claude(`make ${name}`);
  const input = { name, argv, directory: operator.work };
  const { text } = await operator.call('tmux_create_session', input);
  const answer = z.object({ panes: terminalSession.shape.panes }).parse(JSON.parse(text));
  return answer.panes[0]?.target ?? '';
}
const screen = async (target: string) =>
  (await operator.call('tmux_capture_pane', { target })).text;
const shows = (target: string, what: RegExp) =>
  until(`${target} to show ${what}`, async () => what.test(await screen(target)), operator.long);

it('asks a person elsewhere, refuses what could answer it by keys, and goes on with their yes', async () => {
  const target = await start('allowed');
  const { callId, params, rule } = await operator.asked('allowed');
  expect(rule).toBe('agent');
  expect(params).toMatchObject({ engine: 'claude', asks: 'Bash', directory: operator.work });
  await shows(target, /Do you want to proceed\?/);
  for (const keys of [['Enter'], ['1'], ['y']]) {
    const sent = await operator.call('tmux_send_keys', { target, keys });
    expect(sent.failed).toBe(true);
    expect(sent.text).toContain('terminal_asking');
  }
  expect(existsSync(file('allowed'))).toBe(false);
  expect((await operator.answer(callId, 'once')).status).toBe(200);
  await shows(target, /Over with allowed\./);
  expect(existsSync(file('allowed'))).toBe(true);
  expect(await operator.closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
  expect(await operator.requests()).toEqual([]);
});

it('tells the agent a no with its reason, and runs nothing', async () => {
  await start('denied');
  const { callId } = await operator.asked('denied');
  const said = await operator.world.cli('operators', 'answer', operator.instanceId, callId, 'deny');
  expect(said.exitCode).toBe(0);
  await operator.closedAs(callId, /^closed: a person said no/);
  await until('its next request', () =>
    JSON.stringify(operator.world.api.seen.at(-1)?.request).includes('A person said no to this'),
  );
  expect(existsSync(file('denied'))).toBe(false);
});

it('takes one of two answers at once', async () => {
  await start('twice');
  const { callId } = await operator.asked('twice');
  const both = await Promise.all([
    operator.answer(callId, 'deny'),
    operator.answer(callId, 'once'),
  ]);
  const bodies = await Promise.all(both.map((response) => response.json()));
  const [one, other] = z.array(z.object({ answer: z.string() })).parse(bodies);
  expect(one?.answer).toBe(other?.answer);
  await operator.closedAs(
    callId,
    one?.answer === 'deny' ? /^closed: a person said no/ : /^allowed/,
  );
  const words = ['make twice', 'tool_result'];
  const over = () =>
    operator.world.api.seen.some(({ request }) =>
      words.every((each) => JSON.stringify(request).includes(each)),
    );
  await until('its next request', over, operator.long);
  expect(existsSync(file('twice'))).toBe(one?.answer === 'once');
});

it('is found on Home and answered on the operator’s page, in a real browser', async () => {
  const browser = await openBrowser();
  try {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({
      baseURL: operator.world.installation.url,
      viewport,
    });
    const { page, faults } = await openPage(context);
    await page.goto(operator.world.installation.link);
    await page.waitForURL((url) => url.hash === '');
    await start('browser');
    const { callId } = await operator.asked('browser');
    await page.goto('/');
    await page.getByRole('link', { name: /Starter.*claude asks to use Bash/ }).click();
    const card = page.getByRole('region', { name: 'claude waits for you' });
    await card.getByText('touch browser').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).click();
    await card.waitFor({ state: 'detached' });
    expect(await operator.closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});

/** What the person in front of the terminal does, and what they see. */
const atHand = (...words: string[]) => {
  const socket = join(operator.world.layout.runner, 'terminal', 'tmux.sock');
  return execFileSync('tmux', ['-S', socket, ...words], { encoding: 'utf8' });
};
const paneOf = (target: string) => target.split(':')[3] ?? '';
const press = (target: string, key: string) => atHand('send-keys', '-t', paneOf(target), key);

it('reads no file that the rules of tools deny, also where claude asks nobody', async () => {
  writeFileSync(file('.env'), 'SECRET=canary-of-the-file\n');
  const target = await start('reads');
  await shows(target, /Over with reading\./);
  expect(JSON.stringify(operator.world.api.seen)).toContain('make reads');
  expect(JSON.stringify(operator.world.api.seen)).not.toContain('canary-of-the-file');
});

it('changes nothing where the rules lie that it is held to, and asks nobody whether it may', async () => {
  const kept = join(operator.world.layout.runner, 'terminal', 'agents');
  const loose = join(kept, 'loose.json');
  const input = { file_path: loose, content: '{}' };
  script['make loose'] = [
    { kind: 'message', content: [{ type: 'tool_use', name: 'Write', input }] },
    says('Over with loosening.'),
  ];
  const target = await start('loose');
  await shows(target, /Over with loosening\./);
  expect(readdirSync(kept)).not.toContain('loose.json');
  expect(await operator.requests()).toEqual([]);
});

it('is denied by the rules of tools before a person is asked, and is told so', async () => {
  const target = await start('opens');
  await shows(target, /Over with opening\./);
  const told = JSON.stringify(operator.world.api.seen.at(-1)?.request);
  expect(told).toContain('Denied: merge policy: **/.env. Go on without it');
  expect(existsSync(file('opened'))).toBe(false);
  expect(await operator.decisions()).toContainEqual(
    expect.objectContaining({ tool: 'agent_permission', rule: 'policy', effect: 'deny' }),
  );
});

it('is allowed by a rule of tools only where the consent of the instance covers it', async () => {
  const tools = [
    ...DEFAULT_POLICY.tools,
    { effect: 'allow', on: 'command', pattern: 'touch ruled*' },
  ];
  const policy = { scope: { kind: 'account' }, part: { tools }, widens: 'tried here', basedOn: 0 };
  expect((await operator.world.call('/v1/policy', policy)).status).toBe(201);
  await shows(await start('ruled'), /Over with ruled\./);
  expect(existsSync(file('ruled'))).toBe(true);
  await until('its record', async () =>
    (await operator.decisions()).some(
      ({ explanation, outcome }) =>
        /^allowed: merge policy allows it .*took it$/.test(explanation) && outcome === 'done',
    ),
  );
});

it('is answered in the terminal as well, which closes it elsewhere', async () => {
  const target = await start('pane');
  const { callId } = await operator.asked('pane');
  await shows(target, /Do you want to proceed\?/);
  press(target, 'Enter');
  await operator.closedAs(callId, /^closed: it was answered in the terminal/);
  expect(await operator.requests()).toEqual([]);
  const late = await operator.answer(callId, 'deny');
  expect(late.status).toBe(409);
});

const pidIn = (path: string) => Number(readFileSync(path, 'utf8'));
async function kill(path: string): Promise<void> {
  const before = pidIn(path);
  process.kill(before, 'SIGKILL');
  await until('another process', () => existsSync(path) && pidIn(path) !== before, {
    ...operator.long,
    withinMs: 90_000,
  });
}

it('outlives its runner, and takes an answer that came while that was away', async () => {
  const target = await start('killed');
  const { callId } = await operator.asked('killed');
  const runner = pidIn(operator.world.layout.runnerPidFile);
  process.kill(runner, 'SIGKILL');
  expect((await operator.answer(callId, 'once')).status).toBe(200);
  await shows(target, /Over with killed\./);
  expect(existsSync(file('killed'))).toBe(true);
  await operator.closedAs(callId, /^allowed/);
});

it('outlives its Worker', async () => {
  await start('worker');
  const { callId } = await operator.asked('worker');
  await kill(operator.world.layout.workerdPidFile);
  await until(
    'it is there again',
    async () => (await operator.requests().catch(() => [])).length > 0,
    operator.long,
  );
  await until(
    'the answer to be taken',
    async () => (await operator.answer(callId, 'once').catch(() => null))?.status === 200,
    operator.long,
  );
  expect(await operator.closedAs(callId, /^allowed/)).toMatchObject({ outcome: 'done' });
  await until('the file', () => existsSync(file('worker')), operator.long);
});

it('is closed when the agent ends', async () => {
  const target = await start('gone');
  const { callId } = await operator.asked('gone');
  atHand('kill-pane', '-t', paneOf(target));
  expect(await operator.closedAs(callId, /^closed: /)).toMatchObject({ outcome: null });
});

it('asks from a command in a window too, with nothing secret in an argument', async () => {
  await operator.call('tmux_create_session', {
    name: 'shell',
    argv: null,
    directory: operator.work,
  });
  const { text } = await operator.call('tmux_list_sessions', {});
  const sessions = z.object({ sessions: z.array(terminalSession) }).parse(JSON.parse(text));
  const target = sessions.sessions.find(({ name }) => name === 'shell')?.panes[0]?.target ?? '';
  // Behind `env -C DIRECTORY`, which a shell needs no program for.
  const line = [...operator.claude().slice(3), "'make window'"];
  const running = operator.call('tmux_run_command', {
    target,
    command: line.join(' '),
    timeoutMs: 20_000,
  });
  const { callId } = await operator.asked('window');
  const processes = execFileSync('ps', ['-eo', 'args'], {
    encoding: 'utf8',
  });
  expect(processes).toMatch(/--settings \S+\/terminal\/agents\/\w+\.json/);
  expect(processes).not.toContain('PILOTHOUSE_ASK');
  await operator.answer(callId, 'once');
  await operator.closedAs(callId, /^allowed/);
  await until('the file', () => existsSync(file('window')), operator.long);
  await running;
});

it('is closed when nobody answers in time, and stands in the terminal from then on', async () => {
  const target = await start('late');
  const { callId } = await operator.asked('late');
  await shows(target, /Do you want to proceed\?/);
  // Its hour is over while nothing of Pilothouse runs.
  await operator.world.installation.end('SIGINT');
  const store = new DatabaseSync(join(operator.world.layout.runner, 'runner.db'));
  store
    .prepare("UPDATE questions SET json = json_set(json, '$.question.expiresAt', 1) WHERE id = ?")
    .run(callId);
  store.close();
  await operator.world.up();
  const closed = await operator.closedAs(callId, /^closed: nobody answered in time/);
  expect(closed).toMatchObject({ outcome: null });
  expect(await operator.requests()).toEqual([]);
  expect((await operator.answer(callId, 'once')).status).toBe(409);
  expect(existsSync(file('late'))).toBe(false);
  const shown = () => atHand('capture-pane', '-p', '-t', paneOf(target));
  expect(shown()).toMatch(/Do you want to proceed\?/);
  press(target, 'Enter');
  await until('claude to go on', () => shown().includes('Over with late.'), operator.long);
  expect(existsSync(file('late'))).toBe(true);
});
