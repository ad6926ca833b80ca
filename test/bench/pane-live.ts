/**
 * `npm run bench:pane-live`: a terminal in a window elsewhere, through the relay of a running
 * installation: from a key to its echo, and from a program's output to the window. Beside them, in
 * turns, the way of many tools: a process for each key and a look every 200 ms, without any relay.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { paneList } from '../../protocol/panes.ts';
import { runnerPage } from '../../protocol/http.ts';
import { takenOver } from '../../protocol/takeover.ts';
import { World } from '../e2e/world.ts';
import { TerminalClient } from '../support/terminal-client.ts';
import { until } from '../support/until.ts';
import { type Latency, summarise } from './statistics.ts';

const quick = process.argv.includes('--quick');
const KEYS = quick ? 30 : 400;
const POLLED = quick ? 5 : 60;
const LINES = quick ? 20 : 300;
const POLL_MS = 200;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const world = new World((home) => ({ TMUX_TMPDIR: join(home, 'tmux') }));
const tmux = (...words: string[]): string =>
  execFileSync('tmux', words, {
    encoding: 'utf8',
    env: { ...process.env, TMUX: '', TMUX_TMPDIR: join(world.home, 'tmux') },
  });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A window on a session’s pane; with `drives` it has the keys. */
async function open(runnerId: string, session: string, drives: boolean): Promise<TerminalClient> {
  const below = `/v1/runners/${runnerId}/panes`;
  const { panes } = await world.get(paneList, below);
  const target = panes.find((pane) => pane.session === session)?.target ?? '';
  const taken = drives
    ? takenOver.parse(await (await world.call(`${below}/drive`, { target })).json())
    : null;
  const client = await TerminalClient.openAt(
    world.installation.url,
    world.cliToken,
    `${below}/socket?target=${encodeURIComponent(target)}`,
    taken?.key ?? null,
  );
  await client.untilFrame('screen');
  return client;
}

async function measureKeys(client: TerminalClient): Promise<Record<'live' | 'polled', Latency>> {
  const live: number[] = [];
  const polled: number[] = [];
  for (let press = 0; press < KEYS; press++) {
    const letter = LETTERS.charAt(press % LETTERS.length);
    const before = client.bytes;
    const from = performance.now();
    client.type(letter);
    while (client.bytes === before) await new Promise(setImmediate);
    live.push(performance.now() - from);
    if (press % Math.floor(KEYS / POLLED) === 0) polled.push(await pollOnce(letter));
  }
  return { live: summarise(live), polled: summarise(polled) };
}

async function pollOnce(letter: string): Promise<number> {
  const screen = () => tmux('capture-pane', '-p', '-t', '=echo:');
  const before = screen();
  const from = performance.now();
  tmux('send-keys', '-t', '=echo:', '-l', letter);
  // A poller looks when its time has come, not when a key was pressed.
  await sleep(Math.random() * POLL_MS);
  while (screen() === before) await sleep(POLL_MS);
  return performance.now() - from;
}

/** Each line holds the time at which it was written; the same clock reads it. */
async function measureOutput(client: TerminalClient): Promise<Latency> {
  const samples: number[] = [];
  let read = client.text.length;
  while (samples.length < LINES) {
    await new Promise(setImmediate);
    const fresh = client.text.slice(read);
    const end = fresh.lastIndexOf('\n');
    if (end === -1) continue;
    const nowMs = performance.timeOrigin + performance.now();
    for (const [, ns] of fresh.slice(0, end).matchAll(/^(\d{19})\r?$/gm))
      samples.push(nowMs - Number(ns) / 1e6);
    read += end + 1;
  }
  return summarise(samples);
}

const row = (what: string, { p50, p99 }: Latency) =>
  `| ${what} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`;

try {
  mkdirSync(join(world.home, 'tmux'));
  world.writeLimits('[terminal]\nbackends = ["tmux"]\ndefault_server = true');
  await world.up();
  const raw = ['sh', '-c', 'stty raw -echo; cat'];
  const clock = ['sh', '-c', 'while :; do date +%s%N; sleep 0.05; done'];
  tmux('new-session', '-d', '-s', 'echo', '-x', '100', '-y', '30', ...raw);
  tmux('new-session', '-d', '-s', 'clock', '-x', '100', '-y', '30', ...clock);
  const { items } = await world.get(runnerPage, '/v1/runners');
  const runnerId = items[0]?.runnerId ?? '';
  const echo = await open(runnerId, 'echo', true);
  await until('the keys', () => echo.frames.some((f) => f.type === 'attached' && f.driving));
  const keys = await measureKeys(echo);
  const output = await measureOutput(await open(runnerId, 'clock', false));
  console.log('| in ms | p50 | p99 |\n|---|---|---|');
  console.log(row('a key to its echo, through the relay', keys.live));
  console.log(row('a key to its echo, by a look every 200 ms', keys.polled));
  console.log(row('output to the window, through the relay', output));
  console.log(`\nratio of the two echoes: p50 ${(keys.polled.p50 / keys.live.p50).toFixed(1)}`);
  echo.close();
} finally {
  try {
    tmux('kill-server');
  } catch {
    // It never began.
  }
  await world.stop();
}
process.exit(0);
