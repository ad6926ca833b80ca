import { DatabaseSync } from 'node:sqlite';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOfEarlierBoot, identifyProcess } from '../../../runner/process/process-table.ts';
import { anInstruction, aSessionId, aStart, aTurnId } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;

aMachineForEachTest();

/** What the database of a runner says after its machine was started again: another boot's id. */
function recordAnotherBoot(): void {
  const name = readdirSync(machine.data, { recursive: true }).find((path) =>
    String(path).endsWith('runner.db'),
  );
  const db = new DatabaseSync(join(machine.data, String(name)));
  const [row] = db.prepare('SELECT process FROM sessions').all();
  const text = String(row?.['process']).replaceAll(/"[0-9a-f]{8}:(\d+)"/g, '"00000000:$1"');
  expect(text).toContain('"00000000:');
  db.prepare('UPDATE sessions SET process = ?').run(text);
  db.close();
}

test('after the machine was started again a session says so, and the next instruction resumes its conversation (L2)', async () => {
  machine.play({
    turns: [
      [{ do: 'text', text: 'first' }, usage],
      [{ do: 'bash', command: 'sleep 600' }, usage],
    ],
  });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  const [first, second, third] = [aTurnId(), aTurnId(), aTurnId()];
  relay.command(aStart(session, 'one', { directory: machine.work }, first));
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === first);
  relay.command(anInstruction(session, 'two', second));
  await relay.event(session, 'tool/started');
  const [spawned] = relay.ofType(session, 'launch/staged');
  await runner.crash();
  process.kill(spawned?.process?.pid ?? 0, 'SIGKILL');
  recordAnotherBoot();
  machine.startRunner(relay);

  await relay.event(session, 'engine/parked');
  expect(relay.ofType(session, 'notice/raised')).toMatchObject([
    { code: 'machine_restarted', level: 'warning' },
  ]);
  expect(relay.ofType(session, 'turn/ended')[1]).toMatchObject({ usage: 'unsettled' });
  relay.command(anInstruction(session, 'three', third));
  await relay.event(session, 'turn/started', ({ turnId }) => turnId === third);
  const ready = relay.ofType(session, 'engine/ready').map((event) => event.engineSessionId);
  expect(new Set(ready).size).toBe(1);
  expect(ready.length).toBeGreaterThan(1);
});

test('a process of now is of no earlier boot, nor is one of which no boot is known', () => {
  const own = identifyProcess(process.pid);
  expect(isOfEarlierBoot(own)).toBe(false);
  expect(isOfEarlierBoot({ pid: 1, startedAt: '' })).toBe(false);
  expect(isOfEarlierBoot({ ...own, startedAt: own.startedAt.replace(/^\w+/, '00000000') })).toBe(
    process.platform === 'linux',
  );
});
