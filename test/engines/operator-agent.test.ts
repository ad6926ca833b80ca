import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brainKey } from '../../protocol/brain-keys.ts';
import { gateDecisionPage } from '../../protocol/gate.ts';
import { runnerPage } from '../../protocol/http.ts';
import { chatView, type ChatView } from '../../protocol/operator-chat.ts';
import { instanceDetail } from '../../protocol/operator-http.ts';
import { paneList } from '../../protocol/panes.ts';
import { World } from '../e2e/world.ts';
import { agentMessage } from '../support/model-api/agent-answers.ts';
import type { BrainReply } from '../support/model-api/brain-script.ts';
import { until } from '../support/until.ts';

/**
 * An operator’s agent in the whole product: real tmux, and a model that is a script. The Worker and
 * the runner are killed in the middle of its loop.
 */
let world: World;
let model: Server;
let instanceId: string;
let target: string;
/** How often the model was asked. */
let asked = 0;

const tmux = (...words: string[]): string =>
  execFileSync('tmux', words, {
    encoding: 'utf8',
    env: { ...process.env, TMUX: '', TMUX_TMPDIR: join(world.home, 'tmux') },
  }).trim();
const file = (name: string) => join(world.home, name);
/** Writes a line, and goes on only once it is let. */
const held = (word: string) => ({
  name: 'tmux_run_command',
  input: {
    command: `cd ${world.home}; echo ${word} >> count; until [ -e go-${word} ]; do sleep 0.1; done; echo ${word} >> ended`,
  },
});

/** What the model answers after so many results, so that a question that is asked again gets the same. */
const SCRIPT = (): Extract<BrainReply, { kind: 'calls' }>['calls'][] => [
  [{ name: 'tmux_capture_pane', input: {} }],
  [held('one')],
  [held('two')],
  [{ name: 'wait', input: { seconds: 600 } }],
];

function answer(body: Record<string, unknown>) {
  asked += 1;
  const messages = body['messages'] as { content: string | { type: string }[] }[];
  const results = messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result').length;
  return agentMessage(body, { kind: 'calls', calls: SCRIPT()[results] ?? [] }, results + 1);
}

async function serveModel(): Promise<string> {
  model = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer(body)));
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
}

async function post(path: string, body: object): Promise<unknown> {
  const response = await world.call(path, body);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

beforeAll(async () => {
  world = new World((home) => ({ TMUX_TMPDIR: join(home, 'tmux') }));
  mkdirSync(file('tmux'));
  world.writeLimits('[terminal]\nbackends = ["tmux"]\ndefault_server = true');
  await world.up();
  tmux('new-session', '-d', '-s', 'agent-build', '-x', '100', '-y', '30', 'bash', '--norc', '-i');
  const { items } = await world.get(runnerPage, '/v1/runners');
  const runnerId = items[0]?.runnerId ?? '';
  const { panes } = await world.get(paneList, `/v1/runners/${runnerId}/panes`);
  target = panes[0]?.target ?? '';
  const baseUrl = await serveModel();
  const key = { name: 'script', provider: 'anthropic', baseUrl, secret: 'no-secret-at-all' };
  const { keyId } = brainKey.parse(await post('/v1/brain-keys', key));
  const made = await post('/v1/instances', {
    operatorId: 'opr_tmux',
    runnerId,
    agreedVersion: 1,
    name: 'watcher',
    boundTarget: { target, label: 'build' },
    consents: { read: 'always', send: 'ask', run: 'ask', kill: 'never' },
    brain: { keyId, model: 'claude-opus-5-5' },
    budgetMicroUsd: 1_000_000,
  });
  instanceId = instanceDetail.parse(made).instance.id;
});
afterAll(async () => {
  model?.closeAllConnections();
  model?.close();
  try {
    tmux('kill-server');
  } catch {
    // It is gone already.
  }
  await world?.stop();
});

const pidIn = (path: string) => Number(readFileSync(path, 'utf8'));
async function kill(path: string): Promise<void> {
  const before = pidIn(path);
  process.kill(before, 'SIGKILL');
  await until('another process', () => existsSync(path) && pidIn(path) !== before, LONG);
}
const LONG = { withinMs: 90_000, tell: () => world.tell() };
const lines = (name: string) =>
  existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim().split('\n') : [];

let last: ChatView | null = null;
/** Waits through the time in which nobody answers. */
const untilChat = (what: string, holds: (view: ChatView) => boolean) =>
  until(
    what,
    async () => {
      const path = `/v1/instances/${instanceId}/chat`;
      const view = await world.get(chatView, path).catch(() => null);
      last = view ?? last;
      return view && holds(view) ? view : null;
    },
    { ...LONG, tell: () => `${JSON.stringify(last)} ${world.tell()}` },
  );
const untilWaiting = (results: number) =>
  untilChat(
    `a question after ${results} results`,
    ({ state, entries }) => state === 'waiting' && resultsOf(entries).length === results,
  );
const resultsOf = (entries: ChatView['entries']) =>
  entries.flatMap(({ event }) => (event.type === 'called' ? [event.outcome] : []));
const say = (text: string) => post(`/v1/instances/${instanceId}/chat`, { text });

it('asks before it runs anything, and the question outlives the Worker', async () => {
  await say('Count for me.');
  await untilWaiting(1);
  await kill(world.layout.workerdPidFile);
  const { waiting } = await untilWaiting(1);
  expect(lines('count')).toEqual([]);
  await post(`/v1/instances/${instanceId}/calls/${waiting?.callId ?? ''}/answer`, {
    answer: 'once',
  });
  await until('the first command', () => lines('count').length === 1, LONG);
});

it('runs a command once, whose Worker is killed while it runs', async () => {
  await kill(world.layout.workerdPidFile);
  await untilChat('it to ask again what became of it', ({ state }) => state === 'calling');
  writeFileSync(file('go-one'), '');
  const { entries, waiting } = await untilWaiting(2);
  expect(resultsOf(entries)).toEqual(['done', 'done']);
  await post(`/v1/instances/${instanceId}/calls/${waiting?.callId ?? ''}/answer`, {
    answer: 'once',
  });
  await until('the second command', () => lines('count').length === 2, LONG);
});

it('runs none again whose runner is killed while it runs, and says that nobody knows', async () => {
  await kill(world.layout.runnerPidFile);
  const { entries } = await untilChat('it to rest', ({ state }) => state === 'resting');
  expect(resultsOf(entries)).toEqual(['done', 'done', 'unknown']);
  writeFileSync(file('go-two'), '');
  await until('the second command to end', () => lines('ended').length === 2, LONG);
  expect(lines('count')).toEqual(['one', 'two']);
  expect(tmux('capture-pane', '-p', '-t', '=agent-build:')).not.toContain('echo');
  const { items } = await world.get(gateDecisionPage, `/v1/instances/${instanceId}/decisions`);
  const ends = items.filter(({ effect }) => effect === 'allow').map(({ outcome }) => outcome);
  expect(ends.toReversed()).toEqual(['done', 'done', 'unknown']);
});

it('stops in the middle of its loop, and asks its model no more than its budget lets it', async () => {
  const before = asked;
  await post(`/v1/instances/${instanceId}/chat/stop`, {});
  const stopped = await untilChat('it to stop', ({ state }) => state === 'stopped');
  // Each answer of the model is charged once, however often it was asked.
  expect(stopped.spentMicroUsd).toBe(4 * (900 * 4 + 40 * 20));
  await post(`/v1/instances/${instanceId}/changes`, { change: 'budget', budgetMicroUsd: 1_000 });
  await say('Go on.');
  const { entries } = await untilChat('it to halt', ({ state }) => state === 'halted');
  expect(entries.at(-1)?.event).toMatchObject({
    type: 'halted',
    reason: expect.stringContaining('the budget is'),
  });
  expect(asked).toBe(before);
  expect(lines('count')).toEqual(['one', 'two']);
});
