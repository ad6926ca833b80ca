/**
 * `npm run bench:pilot`: what a Pilot adds to a turn, without its brain, and what sessions cost
 * whose Pilots only wait. The runner at the other end does nothing and answers at once.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launched } from '../../protocol/http.ts';
import { pilotView } from '../../protocol/pilot-view.ts';
import { buildParts, CONSOLE_PART, outputOf, WORKER_PART } from '../../runner/host/build.ts';
import { startEmbeddedWorker } from '../../runner/host/embedded-worker.ts';
import { createHostApi } from '../../runner/host/host-api.ts';
import { PRODUCT_ROOT } from '../../runner/host/layout.ts';
import { claimPort, LOOPBACK } from '../../runner/host/port.ts';
import { workerdEnvironment } from '../../runner/host/workerd.ts';
import { BareRunner } from './bare-runner.ts';
import { describePilotBench } from './pilot-report.ts';
import { summarise } from './statistics.ts';

const HELP = `Usage: npm run bench:pilot -- [options]

Options:
  --turns N     turns that are measured (100)
  --idle N      sessions that wait (1000)
  --seconds N   how long they are looked at (30)
  --json        the report as JSON
  --help        this text`;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '100' },
    idle: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Jiffies of processor time, and resident KiB, of a process (proc(5)). */
function costOf(pid: number): { cpuMs: number; rssMib: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const jiffies = Number(fields[11]) + Number(fields[12]);
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuMs: jiffies * 10, rssMib: Number(rss) / 1024 };
}

async function main(): Promise<void> {
  const count = { turns: Number(values.turns), idle: Number(values.idle) };
  const seconds = Number(values.seconds);
  await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
  const top = mkdtempSync(join(tmpdir(), 'pilothouse-bench-pilot-'));
  const port = await claimPort(0, LOOPBACK);
  const hostToken = randomBytes(32).toString('base64url');
  const pidFile = join(top, 'workerd.pid');
  Object.assign(process.env, workerdEnvironment(pidFile));
  const worker = await startEmbeddedWorker({
    bundleDirectory: outputOf(PRODUCT_ROOT, WORKER_PART),
    consoleDirectory: outputOf(PRODUCT_ROOT, CONSOLE_PART),
    dataDirectory: join(top, 'data'),
    port,
    bindings: { HOST_TOKEN: hostToken, ALLOWED_HOSTS: `${LOOPBACK}:${port}` },
    onLog: () => undefined,
    onRestart: () => console.error('bench: workerd ended by itself'),
  });
  const api = createHostApi(worker.url, hostToken);
  const token = await api.createCliToken('bench');
  const registered = await api.registerRunner(null, 'bench');
  const runner = await BareRunner.connect(worker.url, registered);
  const call = async (path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(new URL(path, worker.url), { headers, ...init });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const launch = async (maxTurns: number) => {
    const pilot = {
      mode: 'pilot',
      brain: { kind: 'checklist', steps: [{ title: 'Check', check: 'true' }] },
      bounds: { maxTurns },
    };
    const body = {
      runnerId: registered.runnerId,
      engineId: 'rehearsal',
      directory: null,
      objective: 'Go',
      pilot,
    };
    return launched.parse(await call('/v1/sessions', body));
  };
  try {
    const { sessionId } = await launch(count.turns + 1);
    const samples = await runner.playTurns(sessionId, count.turns);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const before = costOf(pid);
    const startedAt = performance.now();
    let last = sessionId;
    for (let index = 0; index < count.idle; index++) last = (await launch(5)).sessionId;
    const launchMs = (performance.now() - startedAt) / Math.max(1, count.idle);
    await sleep(15_000);
    const waiting = pilotView.parse(await call(`/v1/sessions/${last}/pilot`));
    if (waiting.status !== 'waiting_turn') throw new Error(`the last Pilot is ${waiting.status}`);
    const from = costOf(pid);
    await sleep(seconds * 1_000);
    const to = costOf(pid);
    const report = {
      overhead: summarise(samples),
      idle: count.idle,
      launchMs,
      rssMib: { before: before.rssMib, idle: to.rssMib },
      cpuShare: (to.cpuMs - from.cpuMs) / (seconds * 1_000),
    };
    console.log(values.json ? JSON.stringify(report, null, 2) : describePilotBench(report));
  } finally {
    runner.close();
    await worker.stop();
    rmSync(top, { recursive: true, force: true });
  }
}

if (values.help) console.log(HELP);
else await main();
