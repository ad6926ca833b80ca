import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { findFaults } from '../../faults/record.ts';
import { says, type Script } from '../../support/model-api/script.ts';
import { until } from '../../support/until.ts';
import { MATRIX } from './matrix.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './record.ts';
import { withBeside } from './record-pass.ts';
import { RECORDS } from './records.ts';

const PERSISTENT = ENGINES.flatMap((engine): [string, EngineRecord][] => {
  const key = keyOf(engine);
  const record = RECORDS[key];
  const { turnEnd, approvals } = engine.capabilities;
  return record?.kind === 'proven' && turnEnd === 'event' && approvals ? [[key, record]] : [];
});

const MY_FILE = 'test/engines/conformance/runner-crash-persistent.test.ts';

/** Of a command these tell that it is over, and nothing of what it printed. */
const SILENT_TOOLS = ['gemini-acp'];

/** The order in which the turn is told, whoever read it. */
const TOLD = [
  'approval/requested',
  'tool/ended',
  'approval/requested',
  'tool/ended',
  'text/completed',
  'turn/ended',
] as const;

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const scriptOf = ({ runs }: EngineRecord): Script => ({
  'and now': [says('Here.')],
  'work on': [
    runs('echo first > one.txt; sleep 2; echo second'),
    runs('echo third >> three.txt'),
    says('All three are done.'),
  ],
});

it('has every engine of many turns that the matrix leaves to it', () => {
  const left = Object.entries(MATRIX).flatMap(([key, { crash }]) =>
    crash.by === 'test' && crash.file === MY_FILE ? [key] : [],
  );
  expect(left.length).toBeGreaterThan(0);
  expect(PERSISTENT.map(([key]) => key)).toEqual(expect.arrayContaining(left));
});

describe.each(PERSISTENT)('the real %s, whose runner is killed with -9', (key, record) => {
  it('works on and asks unread, is answered once by the next runner, and goes on in the same process', async () => {
    const started = await record.start(scriptOf(record));
    world = started;
    const host = started.installation.pid;
    const id = await started.launch('work on', '--approvals', 'ask');
    const ask = (count: number) =>
      until(
        `request ${count}`,
        async () => {
          const asked = await started.events(id, 'approval/requested');
          return asked.length >= count ? asked : null;
        },
        { withinMs: 60_000, tell: () => started.tell() },
      );
    const approve = async (requestId: string) =>
      expect((await started.cli('sessions', 'approve', id, requestId)).exitCode).toBe(0);
    const kill = () => {
      const pid = Number.parseInt(readFileSync(started.layout.runnerPidFile, 'utf8'), 10);
      process.kill(pid, 'SIGKILL');
    };

    const [first] = await ask(1);
    await approve(first?.request.requestId ?? '');
    await until(
      'the command to run',
      async () => (await started.events(id, 'approval/resolved')).length === 1,
      { withinMs: 60_000 },
    );
    // The host would start another at once: what follows is to happen without one.
    process.kill(host, 'SIGSTOP');
    kill();
    const spool = join(started.layout.runner, 'spools', `${id}.1.out`);
    const before = readFileSync(spool).length;
    const unread = () => readFileSync(spool).subarray(before).toString();
    await until('the next request, unread', () => unread().includes('three.txt'), {
      withinMs: 60_000,
    });
    expect(await started.events(id, 'approval/requested')).toHaveLength(1);
    process.kill(host, 'SIGCONT');

    const [, second] = await ask(2);
    // Nobody answers, and the runner is killed once more.
    kill();
    await approve(second?.request.requestId ?? '');
    const { view } = await started.untilTurns(id, 1);
    expect(view.turns[0]?.outcome).toBe('ok');
    const resolved = await started.events(id, 'approval/resolved');
    expect(resolved.map(({ requestId, resolution }) => [requestId, resolution])).toEqual([
      [first?.request.requestId, 'allowed'],
      [second?.request.requestId, 'allowed'],
    ]);
    const again = await started.cli('sessions', 'deny', id, second?.request.requestId ?? '');
    expect(again.exitCode).not.toBe(0);
    const outputs = (await started.events(id, 'tool/ended')).map(({ output }) =>
      JSON.stringify(output),
    );
    expect(outputs).toHaveLength(2);
    if (!SILENT_TOOLS.includes(key)) expect(outputs[0]).toMatch(/second/);
    // What was said while nobody read stands where it was said.
    const told = new Set<string>(TOLD);
    const order = (await started.entries(id)).flatMap(({ event: { type } }) =>
      told.has(type) ? [type] : [],
    );
    expect(order).toEqual(TOLD);

    await started.cli('sessions', 'say', id, 'and now');
    expect((await started.untilTurns(id, 2)).view.turns[1]?.outcome).toBe('ok');
    const launches = await started.events(id, 'launch/staged');
    expect(launches.filter(({ stage }) => stage === 'spawned')).toHaveLength(1);
    expect(await started.events(id, 'engine/exited')).toEqual([]);
    expect(findFaults(await started.entries(id))).toEqual([]);

    // A process that this runner did not begin: how it ended is known all the same.
    await started.cli('sessions', 'stop', id);
    await started.untilState(id, 'stopped');
    const exits = await started.events(id, 'engine/exited');
    expect(exits).toMatchObject([{ expected: true }]);
    expect(exits[0]?.exitCode ?? exits[0]?.signal).not.toBeNull();
  });

  // The last: it looks at what is before it.
  it('has passed, which is recorded: `-u` writes it', async ({ task }) => {
    const { text, path } = withBeside(key, 'crash', task);
    await expect(text).toMatchFileSnapshot(path);
  });
});
