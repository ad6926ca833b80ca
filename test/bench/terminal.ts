/**
 * `npm run bench:terminal`: from a key to its echo, and what looking on costs, by control mode as
 * the runner does it, by `capture-pane` every 200 ms, and by a bare `tmux attach` in a terminal.
 * The three take turns in one run, so that whatever else the machine does meets all of them.
 */
import { spawn } from '@lydell/node-pty';
import { ownServerArgv } from '../../runner/terminal/tmux/create.ts';
import { ControlClient } from '../../runner/terminal/tmux/control-client.ts';
import { listPanes, type PaneFacts } from '../../runner/terminal/tmux/panes.ts';
import { TmuxServer, tmuxEnvironment } from '../../runner/terminal/tmux/server.ts';
import { TerminalHouse } from '../support/terminal-house.ts';
import { summarise, type Latency } from './statistics.ts';
import { cpuShare } from './terminal-cpu.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 2 : 10;
const KEYS_A_ROUND = quick ? 10 : 50;
const POLLED_A_ROUND = quick ? 2 : 8;
const POLL_MS = 200;
const IDLE = quick ? 5 : 50;
const BUSY = quick ? 2 : 10;
const CPU_MS = quick ? 2_000 : 10_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

type Way = 'control' | 'polling' | 'bare';
type Echo = { press(letter: string): Promise<void>; close(): void };

const house = new TerminalHouse();
const server = new TmuxServer(
  'own',
  ownServerArgv(house.root, `${house.root}/tmux.sock`),
  tmuxEnvironment(house.env),
);

async function factsOf(name: string): Promise<PaneFacts> {
  const found = (await listPanes(server)).find(({ session }) => session === name);
  if (!found) throw new Error(`there is no session ${name}`);
  return found;
}
const attach = (facts: PaneFacts) =>
  ControlClient.attach({
    argv: server.argv,
    env: server.env,
    session: facts.sessionId,
    output: true,
  });

/** Waits for one letter of output. */
function waiter() {
  let wanted: { letter: string; seen(): void } | null = null;
  return {
    take: (text: string) => {
      if (wanted && text.includes(wanted.letter)) wanted.seen();
    },
    next: (letter: string) =>
      new Promise<void>((resolve) => {
        wanted = { letter, seen: () => ((wanted = null), resolve()) };
      }),
  };
}

async function byControl(facts: PaneFacts): Promise<Echo> {
  const client = await attach(facts);
  const { take, next } = waiter();
  client.onOutput((pane, data) => pane === facts.pane && take(data.toString()));
  return {
    press: async (letter) => {
      const seen = next(letter);
      const hex = letter.charCodeAt(0).toString(16);
      await Promise.all([client.run(['send-keys', '-t', facts.pane, '-H', hex]), seen]);
    },
    close: () => client.close(),
  };
}

/** The way of many tools: a process for each key, and a look at the screen five times a second. */
function byPolling(facts: PaneFacts): Echo {
  return {
    press: async (letter) => {
      const before = await screen(facts);
      await server.demand(['send-keys', '-t', facts.pane, '-l', letter]);
      // A poller looks when its time has come, not when a key was pressed.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * POLL_MS));
      while ((await screen(facts)) === before)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    },
    close: () => undefined,
  };
}
const screen = async (facts: PaneFacts) =>
  (await server.demand(['capture-pane', '-p', '-t', facts.pane])).toString();

function byBareClient(facts: PaneFacts): Echo {
  const [file, ...before] = server.argv;
  const child = spawn(file, [...before, 'attach-session', '-t', facts.sessionId], {
    cols: 120,
    rows: 40,
    env: { ...server.env },
  });
  const { take, next } = waiter();
  child.onData(take);
  return {
    press: async (letter) => {
      const seen = next(letter);
      child.write(letter);
      await seen;
    },
    close: () => child.kill(),
  };
}

async function measureKeys(name: string): Promise<Record<Way, Latency>> {
  await house.session(name, ['sh', '-c', 'stty raw -echo; cat']);
  const facts = await factsOf(name);
  const samples: Record<Way, number[]> = { control: [], polling: [], bare: [] };
  const ways: [Way, Echo, number][] = [
    ['control', await byControl(facts), KEYS_A_ROUND],
    ['bare', byBareClient(facts), KEYS_A_ROUND],
    ['polling', byPolling(facts), POLLED_A_ROUND],
  ];
  await new Promise((resolve) => setTimeout(resolve, 500));
  let at = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [way, echo, count] of ways) {
      for (let press = 0; press < count; press++) {
        const from = performance.now();
        await echo.press(LETTERS.charAt(at++ % LETTERS.length));
        // The first round warms up and is left out.
        if (round > 0) samples[way].push(performance.now() - from);
      }
    }
  }
  for (const [, echo] of ways) echo.close();
  return {
    control: summarise(samples.control),
    polling: summarise(samples.polling),
    bare: summarise(samples.bare),
  };
}

/** Keys in one pane while another one floods, over clients of their own as the runner has them. */
async function measureFlood(): Promise<Latency> {
  await house.session('flood', ['sh', '-c', 'yes']);
  await house.session('calm', ['sh', '-c', 'stty raw -echo; cat']);
  const flooded = await attach(await factsOf('flood'));
  let bytes = 0;
  flooded.onOutput((_pane, data) => void (bytes += data.length));
  const echo = await byControl(await factsOf('calm'));
  const samples: number[] = [];
  for (let press = 0; press < ROUNDS * KEYS_A_ROUND; press++) {
    const from = performance.now();
    await echo.press(LETTERS.charAt(press % LETTERS.length));
    samples.push(performance.now() - from);
  }
  if (bytes === 0) throw new Error('nothing flooded: the figure would mean nothing');
  echo.close();
  flooded.close();
  house.tmux('own', 'kill-session', '-t', '=flood');
  return summarise(samples);
}

async function measureCpu(
  kind: string,
  count: number,
  argv: string[],
): Promise<Record<Way, number>> {
  const names = Array.from({ length: count }, (_, index) => `${kind}-${index}`);
  for (const name of names) await house.session(name, argv);
  const panes = await Promise.all(names.map(factsOf));
  const serverPid = Number(panes[0]?.server.split('.')[0]);
  const bare = await cpuShare(() => [serverPid], CPU_MS);
  const clients = await Promise.all(panes.map(attach));
  const clientPids = () =>
    house.tmux('own', 'list-clients', '-F', '#{client_pid}').trim().split('\n').map(Number);
  const pids = [serverPid, ...clientPids()];
  const control = await cpuShare(() => pids, CPU_MS);
  for (const client of clients) client.close();
  let polls = 0;
  const polling = await cpuShare(
    () => [serverPid],
    CPU_MS,
    async () => {
      const end = performance.now() + CPU_MS;
      while (performance.now() < end) {
        const next = new Promise((resolve) => setTimeout(resolve, POLL_MS));
        for (const pane of panes) await screen(pane);
        polls += 1;
        await next;
      }
    },
  );
  if (polls === 0) throw new Error('nothing was polled: the figure would mean nothing');
  for (const name of names) house.tmux('own', 'kill-session', '-t', `=${name}`);
  return { control, polling, bare };
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const percent = (value: number): string => `${value.toFixed(1)} %`;

try {
  const keys = await measureKeys('keys');
  for (const [way, { p50, p99, samples }] of Object.entries(keys))
    console.log(`key to echo, ${way}: p50 ${ms(p50)}, p99 ${ms(p99)} of ${samples}`);
  console.log(`  polling / control: ${(keys.polling.p50 / keys.control.p50).toFixed(0)} at p50`);
  console.log(`  control / bare: ${(keys.control.p50 / keys.bare.p50).toFixed(2)} at p50`);
  const flood = await measureFlood();
  console.log(
    `key to echo beside a flood: p50 ${ms(flood.p50)}, p99 ${ms(flood.p99)}, max ${ms(flood.max)}`,
  );
  const idle = await measureCpu('idle', IDLE, ['sleep', '600']);
  const log = 'while :; do echo "building a part of it $$"; sleep 0.02; done';
  const busy = await measureCpu('busy', BUSY, ['sh', '-c', log]);
  for (const [what, count, cpu] of [
    ['idle', IDLE, idle],
    ['busy', BUSY, busy],
  ] as const) {
    const ratio = (cpu.polling / Math.max(cpu.control, 0.1)).toFixed(0);
    const parts = Object.entries(cpu).map(([way, share]) => `${way} ${percent(share)}`);
    console.log(`CPU, ${count} ${what}: ${parts.join(', ')}; polling / control: ${ratio}`);
  }
} finally {
  house.close();
}
