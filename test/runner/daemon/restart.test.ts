import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning, identifyProcess } from '../../../runner/process/process-table.ts';
import {
  aCommand,
  anInstruction,
  aSessionId,
  aStart,
  aTurnId,
} from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;

aMachineForEachTest();

test('an engine that hangs is restarted over a kill of the runner, and the conversation goes on with what waits', async () => {
  // It hangs once: what a killed engine had noted of its turn differs with the moment.
  const hang = { do: 'bash', command: 'if mkdir once; then sleep 600; fi' } as const;
  machine.play({ turns: [[{ do: 'text', text: 'begun' }, hang, usage]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  const [first, second] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'one', { directory: machine.work }, first));
  await until('it to hang', () => existsSync(join(machine.work, 'once')));
  const [spawned] = relay.ofType(session, 'launch/staged').filter(({ process }) => process);
  const engine = identifyProcess(spawned?.process?.pid ?? -1);
  // It answers nobody any more, and no signal that can be held off.
  process.kill(engine.pid, 'SIGSTOP');
  relay.command(anInstruction(session, 'two', second));
  const restart = aCommand('session/restart', session, {});
  relay.command(restart);
  expect(await relay.result(restart.id)).toMatchObject({ ok: true });
  await runner.crash();
  machine.startRunner(relay);

  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second, 60_000);
  expect(isRunning(engine)).toBe(false);
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([
    { turnId: first, outcome: 'interrupted', usage: 'unsettled' },
    { turnId: second, outcome: 'ok' },
  ]);
  expect(relay.ofType(session, 'engine/parked')).toMatchObject([{ reason: 'restarted' }]);
  const [one, two] = relay.ofType(session, 'engine/ready');
  expect(two?.engineSessionId).toBe(one?.engineSessionId);
  // The same command heard again restarts nothing.
  relay.command(restart);
  expect(await relay.result(restart.id)).toMatchObject({ ok: true });
  expect(relay.ofType(session, 'engine/parked')).toHaveLength(1);
  expect(relay.faults).toEqual([]);
});
