import { expect, test } from 'vitest';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import { anInstruction, aSessionId, aStart, aTurnId } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;
const link = {
  timings: { handshakeMs: 400, heartbeatMs: 30, pongMs: 100 },
  backoff: { baseMs: 20, capMs: 100 },
};

aMachineForEachTest();

const texts = Array.from({ length: 10 }, (_, index) => `part ${index}`);
const talk = {
  turns: [
    [
      ...texts.flatMap((text) => [
        { do: 'text' as const, text },
        { do: 'wait' as const, ms: 30 },
      ]),
      usage,
    ],
  ],
};

test('a network that drops in mid-turn fails nothing and repeats nothing', async () => {
  machine.play(talk);
  machine.startDaemon(relay, { link });
  const session = aSessionId();
  relay.command(aStart(session, 'talk', { directory: machine.work }));
  for (const text of ['part 1', 'part 4', 'part 7']) {
    await relay.event(session, 'text/completed', (event) => event.text.text === text);
    relay.drop();
  }
  expect(await relay.event(session, 'turn/ended')).toMatchObject({ outcome: 'ok' });
  expect(relay.ofType(session, 'text/completed').map(({ text }) => text.text)).toEqual(texts);
  expect(relay.ofType(session, 'engine/exited')).toEqual([]);
  expect(relay.faults).toEqual([]);
});

test('an engine that dies while the runner is disconnected is reported as soon as it is back (L1)', async () => {
  machine.play({
    turns: [
      [
        { do: 'text', text: 'working' },
        { do: 'wait', ms: 60_000 },
      ],
    ],
  });
  machine.startDaemon(relay, { link });
  const session = aSessionId();
  relay.command(aStart(session, 'long', { directory: machine.work }));
  await relay.event(session, 'text/completed');
  const pid = relay.ofType(session, 'launch/staged')[0]?.process?.pid ?? 0;
  relay.upgrade = 'hang';
  relay.drop();
  process.kill(pid, 'SIGKILL');
  relay.upgrade = 'accept';
  expect(await relay.event(session, 'engine/exited')).toMatchObject({
    signal: 'SIGKILL',
    expected: false,
  });
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([
    { outcome: 'killed', usage: 'unsettled' },
  ]);
});

test('an instruction sent while the machine was away is delivered once when it is back', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay, { link });
  const session = aSessionId();
  relay.command(aStart(session, 'one', { directory: machine.work }));
  await relay.event(session, 'turn/ended');
  relay.upgrade = 'hang';
  relay.drop();
  const turn = aTurnId();
  relay.command(anInstruction(session, 'meanwhile', turn));
  relay.upgrade = 'accept';
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === turn);
  const delivered = relay.ofType(session, 'turn/delivered').filter(({ turnId }) => turnId === turn);
  expect(delivered.map(({ delivery }) => delivery)).toEqual(['received', 'handed', 'confirmed']);
});

test('events that were sent and not acked when the link died are stored once', async () => {
  relay.acking = false;
  machine.play(talk);
  machine.startDaemon(relay, { link });
  const session = aSessionId();
  relay.command(aStart(session, 'talk', { directory: machine.work }));
  await relay.event(session, 'text/completed', (event) => event.text.text === 'part 3');
  relay.acking = true;
  relay.drop();
  await relay.event(session, 'turn/ended');
  expect(relay.ofType(session, 'text/completed').map(({ text }) => text.text)).toEqual(texts);
  expect(relay.faults).toEqual([]);
});

test('heartbeats go on while a launch takes long to prepare (L3)', async () => {
  const real = createLaunchPorts(machine.data, machine.env);
  let release = (): void => undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  const ports = {
    ...real,
    prepare: async (request: Parameters<typeof real.prepare>[0]) =>
      slow.then(() => real.prepare(request)),
  };
  machine.startDaemon(relay, { link, ports });
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  await relay.event(session, 'turn/delivered');
  const before = relay.pings;
  await until('heartbeats meanwhile', () => relay.pings > before + 5);
  release();
  await relay.event(session, 'turn/ended');
  expect(relay.hellos).toHaveLength(1);
});

test('heartbeats go on while a flood of output is read', async () => {
  machine.play({
    turns: [[{ do: 'flood', kind: 'blocks', count: 20_000, text: 'y'.repeat(100) }, usage]],
  });
  const patient = { ...link, timings: { ...link.timings, pongMs: 3_000 } };
  machine.startDaemon(relay, { link: patient });
  const session = aSessionId();
  relay.command(aStart(session, 'flood', { directory: machine.work }));
  await relay.event(session, 'turn/ended', () => true, 25_000);
  expect(relay.ofType(session, 'text/completed').length).toBeGreaterThanOrEqual(20_000);
  expect(relay.pings).toBeGreaterThan(10);
  expect(relay.hellos).toHaveLength(1);
  expect(relay.faults).toEqual([]);
});

test('what engines there are is told when it is known, and the link does not wait for it', async () => {
  machine.startDaemon(relay, { link });
  await until('the hello', () => relay.hellos.length === 1);
  expect(relay.hellos[0]?.machine.engines).toEqual([]);
  const facts = await until('the engines', () => relay.machine);
  expect(facts.engines.map(({ engineId }) => engineId)).toContain('rehearsal');
});

test('a runner whose token is refused ends with a sentence and no second attempt', async () => {
  relay.upgrade = 'unauthorized';
  const runner = machine.startRunner(relay);
  expect(await runner.closed).toBe(4);
  expect(runner.output).toContain('does not accept this runner’s token');
  expect(relay.tokens).toHaveLength(1);
});
