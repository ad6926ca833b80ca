import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { findFaults } from '../../faults/record.ts';
import { says, type Script } from '../../support/model-api/script.ts';
import { until } from '../../support/until.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './record.ts';
import { withBeside } from './record-pass.ts';
import { RECORDS } from './records.ts';

const ONE_SHOT = ENGINES.flatMap((engine): [string, EngineRecord][] => {
  const key = keyOf(engine);
  const record = RECORDS[key];
  const oneShot = engine.capabilities.turnEnd === 'exit';
  return record?.kind === 'proven' && oneShot ? [[key, record]] : [];
});

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const scriptOf = ({ runs }: EngineRecord): Script => ({
  'work on': [
    runs('echo first; sleep 2; echo second'),
    runs('echo third > made.txt; cat made.txt'),
    says('All three are done.'),
  ],
  'and now': [says('Here.')],
});

/** Whether a process of this id runs; one that ended and was not waited for does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

it('has one-shot engines to prove', () => {
  expect(ONE_SHOT.length).toBeGreaterThan(1);
});

describe.each(ONE_SHOT)(
  'the real %s, whose runner is killed with -9 in mid-turn',
  (key, record) => {
    it('ends its turn unread, and the next runner tells all of it in order, with the exit code', async () => {
      const started = await record.start(scriptOf(record));
      world = started;
      const id = await started.launch('work on', ...record.unasked);
      await until(
        'the first tool',
        async () => (await started.events(id, 'tool/started')).length > 0,
        { withinMs: 60_000, tell: () => started.tell() },
      );
      const staged = (await started.events(id, 'launch/staged')).find(({ process }) => process);
      const engine = staged?.process?.pid ?? 0;
      const runner = Number.parseInt(readFileSync(started.layout.runnerPidFile, 'utf8'), 10);
      expect(isRunning(engine)).toBe(true);

      // The host would start another at once: everything that follows is to happen without one.
      process.kill(started.installation.pid, 'SIGSTOP');
      process.kill(runner, 'SIGKILL');
      await until('the engine to end by itself', () => !isRunning(engine), { withinMs: 60_000 });
      expect(await started.events(id, 'turn/ended')).toEqual([]);
      const unread = await started.events(id, 'tool/ended');
      process.kill(started.installation.pid, 'SIGCONT');

      const { view } = await started.untilTurns(id, 1);
      expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
      const tools = await started.events(id, 'tool/ended');
      expect([unread.length, tools.length]).toEqual([0, 2]);
      const outputs = tools.map(({ output }) => JSON.stringify(output));
      expect(outputs[0]).toMatch(/first.*second/);
      expect(outputs[1]).toMatch(/third/);
      const order = (await started.entries(id)).map(({ event }) => event.type);
      expect(order.lastIndexOf('tool/ended')).toBeLessThan(order.indexOf('text/completed'));
      expect(order.indexOf('text/completed')).toBeLessThan(order.indexOf('turn/ended'));
      const exited = await until('the exit to be told', async () => {
        const events = await started.events(id, 'engine/exited');
        return events.length > 0 ? events : null;
      });
      expect(exited).toMatchObject([{ exitCode: 0, signal: null, expected: true }]);
      expect(findFaults(await started.entries(id))).toEqual([]);
      const bill = record.bill(started, 0);
      expect(Math.abs((view.spend.estimated?.microUsd ?? 0) - bill.microUsd)).toBeLessThanOrEqual(
        bill.roundedMicroUsd,
      );

      await started.cli('sessions', 'say', id, 'and now');
      expect((await started.untilTurns(id, 2)).view.turns[1]?.outcome).toBe('ok');
    });

    // The last: it looks at what is before it.
    it('has passed, which is recorded: `-u` writes it', async ({ task }) => {
      const { text, path } = withBeside(key, 'crash', task);
      await expect(text).toMatchFileSnapshot(path);
    });
  },
);
