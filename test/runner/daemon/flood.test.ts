import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_TIMINGS, type SpoolBounds } from '../../../runner/sessions/session-state.ts';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import { anInstruction, aSessionId, aStart, aTurnId } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

const MIB = 1024 * 1024;
const SPOOL: SpoolBounds = {
  parkBytes: MIB,
  turnBytes: 4 * MIB,
  endBytes: 6 * MIB,
  keptChars: 8 * MIB,
};

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;

aMachineForEachTest();

const spools = () => readdirSync(join(machine.data, 'runner', 'spools'));
const endless = {
  do: 'flood',
  kind: 'lines',
  count: 100_000_000,
  text: 'x'.repeat(2_000),
} as const;

test('an endless turn is ended at the bound and says so, and the conversation goes on', async () => {
  machine.play({ turns: [[endless]] });
  machine.startDaemon(relay, { timings: { ...SESSION_TIMINGS, spool: SPOOL } });
  const session = aSessionId();
  const [first, second] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'go', { directory: machine.work }, first));

  const ended = await relay.event(session, 'turn/ended', ({ turnId }) => turnId === first);
  expect(ended).toMatchObject({ outcome: 'killed', error: { code: 'output_too_large' } });
  expect(ended.error?.message).toContain('more than 4 MB in one turn');
  expect(await relay.event(session, 'engine/parked')).toMatchObject({ reason: 'spool_full' });

  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  relay.command(anInstruction(session, 'again', second));
  const next = await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second);
  expect(next.outcome).toBe('ok');
});

test('an engine that is deaf to all asking is killed, and its files go with the acknowledgement', async () => {
  // Written by a tool, as fast as the disk takes it, into the engine's own output.
  const flood = { do: 'bash', command: 'exec yes >>/proc/$PPID/fd/1' } as const;
  machine.play({ turns: [[flood]] });
  machine.startDaemon(relay, { timings: { ...SESSION_TIMINGS, spool: SPOOL } });
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  const ended = await relay.event(session, 'turn/ended');
  expect(ended.error?.code).toBe('output_too_large');
  expect(relay.ofType(session, 'notice/raised').map(({ code }) => code)).toContain('output_unread');
  await until('no spool to be left', () => spools().length === 0);
});

test('a machine without room starts nothing, and says how much there is', async () => {
  const real = createLaunchPorts(machine.data, machine.env);
  const ports = { ...real, readFreeBytes: () => Promise.resolve(300 * MIB) };
  machine.startDaemon(relay, { ports });
  const session = aSessionId();
  const command = aStart(session, 'go', { directory: machine.work });
  relay.command(command);
  const failed = await relay.event(session, 'launch/failed');
  expect(failed.error.message).toContain('300 MiB free, 1024 needed');
  expect(relay.ofType(session, 'launch/staged')).toEqual([]);
});
