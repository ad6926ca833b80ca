import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  identifyProcess,
  isRunning,
  type ProcessIdentity,
} from '../../../runner/process/process-table.ts';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import {
  aCommand,
  anInstruction,
  aSessionId,
  aStart,
  aTurnId,
} from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

aMachineForEachTest();

const family = `
  sleep 600 & echo $! >> pids
  setsid sleep 600 & echo $! >> pids
  setsid bash -c 'trap "" TERM; (setsid sleep 600 & echo $! >> pids); echo $$ >> pids; while :; do sleep 1; done' &
  sleep 600`;

async function listStarted(count: number): Promise<ProcessIdentity[]> {
  const pids = await until(
    `${count} processes`,
    () => {
      try {
        const lines = readFileSync(join(machine.work, 'pids'), 'utf8').trim().split('\n');
        return lines.length >= count ? lines.map(Number) : null;
      } catch {
        return null;
      }
    },
    { tell: () => relay.tell() },
  );
  return pids.map(identifyProcess);
}

test('stop, resume, stop again: no descendant of either engine remains (P1)', async () => {
  machine.play({
    turns: [
      [
        { do: 'text', text: 'hello' },
        { do: 'usage', costUsd: 0.01 },
      ],
      [{ do: 'bash', command: family }],
    ],
  });
  machine.startDaemon(relay, {
    timings: { interruptMs: 300 },
    terminateTimings: { inputMs: 100, termMs: 300 },
  });
  const session = aSessionId();
  relay.command(aStart(session, 'hello', { directory: machine.work }));
  relay.command(anInstruction(session, 'leave things running'));
  const first = await listStarted(4);
  expect(first.every(isRunning)).toBe(true);
  relay.command(aCommand('session/stop', session, {}));
  await relay.event(session, 'session/ended');
  expect(first.filter(isRunning)).toEqual([]);

  relay.command(aStart(session, 'once more', { directory: machine.work }));
  const second = (await listStarted(8)).slice(4);
  expect(second.every(isRunning)).toBe(true);
  relay.command(aCommand('session/stop', session, {}));
  await until('the second end', () => relay.ofType(session, 'session/ended').length === 2);
  expect(second.filter(isRunning)).toEqual([]);
  expect(
    relay.ofType(session, 'notice/raised').filter(({ code }) => code === 'process_survived'),
  ).toEqual([]);
});

test('what an engine that crashed left running is ended with it', async () => {
  machine.play({
    turns: [
      [
        { do: 'bash', command: family, background: true },
        { do: 'wait', ms: 60_000 },
      ],
    ],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'leave things running', { directory: machine.work }));
  const started = await listStarted(4);
  process.kill(relay.ofType(session, 'launch/staged')[0]?.process?.pid ?? 0, 'SIGKILL');
  await relay.event(session, 'engine/parked');
  expect(started.filter(isRunning)).toEqual([]);
});

test('a session that is stopped while its engine runs a tool says how each of them ended', async () => {
  machine.play({ turns: [[{ do: 'bash', command: 'sleep 600' }]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'long', { directory: machine.work }));
  await relay.event(session, 'tool/started');
  const stop = aCommand('session/stop', session, {});
  relay.command(stop);
  expect(await relay.result(stop.id)).toMatchObject({ ok: true });
  await relay.event(session, 'session/ended', ({ end }) => end === 'stopped');
  expect(relay.ofType(session, 'tool/ended')).toHaveLength(1);
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  expect(relay.ofType(session, 'engine/exited')).toMatchObject([{ expected: true }]);
});

test('a launch right after a stop waits until the earlier life has brought its commits back', async () => {
  machine.play({
    turns: [
      [
        { do: 'text', text: 'hello' },
        { do: 'usage', costUsd: 0.01 },
      ],
    ],
  });
  const real = createLaunchPorts(machine.data, machine.env);
  const { promise: slow, resolve: release } = Promise.withResolvers<void>();
  let broughtBack = 0;
  const bringBack: typeof real.bringBack = async () => {
    await slow;
    broughtBack += 1;
    return [];
  };
  machine.startDaemon(relay, { ports: { ...real, bringBack } });
  const session = aSessionId();
  relay.command(aStart(session, 'hello', { directory: machine.work }));
  await relay.event(session, 'turn/ended');
  relay.command(aCommand('session/stop', session, {}));
  await relay.event(session, 'session/ended');
  const again = aTurnId();
  relay.command(aStart(session, 'again', { directory: machine.work }, again));
  release();
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === again);
  await until('both to be brought back', () => broughtBack === 2);
  expect(relay.ofType(session, 'launch/failed')).toEqual([]);
});

test('a host that is killed leaves no engine behind: its runner ends them, and then itself', async () => {
  machine.play({ turns: [[{ do: 'bash', command: family }]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  const started = await listStarted(4);

  expect(await runner.abandon()).toBe(0);
  expect(started.filter(isRunning)).toEqual([]);
  expect(relay.ofType(session, 'engine/exited')).toMatchObject([{ expected: true }]);
});
