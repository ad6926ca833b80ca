import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptInput } from '../../runner/engines/rehearsal/script.ts';
import { RehearsalWorld } from '../e2e/rehearsal-world.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { OwnRunner } from './own-runner.ts';
import { findFaults } from './record.ts';

const SLOW = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
const SCRIPT: ScriptInput = {
  turns: [
    [
      { do: 'text', text: 'It begins.' },
      { do: 'text', text: SLOW, chunkChars: 6, everyMs: 50 },
      { do: 'usage', inputTokens: 700, outputTokens: 70, costUsd: 0.5 },
    ],
    [{ do: 'text', text: 'Next.' }],
  ],
};

/** The network between a runner and the Worker, as a piece that breaks when told to. */
let network: TcpProxy;
let world: RehearsalWorld;
let runner: OwnRunner;

beforeEach(async () => {
  network = await TcpProxy.listen();
  world = await RehearsalWorld.start(SCRIPT, '--no-runner', '--allow-host', network.host);
  network.leadTo(world.installation.url);
  runner = await OwnRunner.register(world, network.url);
  await runner.start();
});
afterEach(async () => {
  network.restore();
  await runner.end('SIGTERM');
  await world.stop();
  await network.close();
});

async function launchIntoMidTurn(): Promise<string> {
  const id = await world.launch('work');
  await until(
    'the turn to be under way',
    async () => (await world.events(id, 'text/completed')).length > 0,
    { withinMs: 60_000, tell: () => `${world.tell()} ${runner.output}` },
  );
  return id;
}

describe('the link between a runner and the Worker', () => {
  it('may be gone for 0.3 s in mid-turn: the session is not failed and nothing is repeated (D9)', async () => {
    const id = await launchIntoMidTurn();
    const connections = network.accepted;
    network.cut();
    // The length of the gap is the case itself, not a wait for something.
    await new Promise((resolve) => setTimeout(resolve, 300));
    network.restore();
    const { view } = await world.untilTurns(id, 1);
    expect(network.accepted).toBeGreaterThan(connections);
    expect(view.turns[0]?.outcome).toBe('ok');
    const { view: rest } = await world.untilState(id, 'idle');
    expect(rest.failure).toBeNull();
    expect(findFaults(await world.entries(id))).toEqual([]);
  });

  it('may be gone when the engine dies: that is told once it is back', async () => {
    const id = await launchIntoMidTurn();
    const staged = await world.events(id, 'launch/staged');
    const pid = staged.find((event) => event.process)?.process?.pid ?? 0;
    network.cut();
    await runner.untilPresence('offline');
    process.kill(pid, 'SIGKILL');
    network.restore();
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
    await world.untilState(id, 'parked');
    expect(findFaults(await world.entries(id))).toEqual([]);
  });

  it('may be gone with the whole runner: an instruction waits, and is delivered once', async () => {
    const id = await launchIntoMidTurn();
    await world.untilState(id, 'idle');
    await runner.end('SIGKILL');
    await runner.untilPresence('offline');
    const said = await world.cli('sessions', 'say', id, 'while you were away');
    expect(said.exitCode).toBe(0);
    const before = await world.detail(id);
    expect(before.view.turns[1]).toMatchObject({ state: 'accepted', delivery: null });
    await runner.start();
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]).toMatchObject({ delivery: 'confirmed', outcome: 'ok' });
    expect((await world.events(id, 'turn/started')).length).toBe(2);
    const texts = (await world.events(id, 'text/completed')).map((event) => event.text.text);
    expect(texts.filter((text) => text === 'Next.')).toHaveLength(1);
    expect(findFaults(await world.entries(id))).toEqual([]);
  });
});
