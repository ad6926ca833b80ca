import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aCommand, aSessionId, aStart, aTurnId } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

aMachineForEachTest();

test('words reach the turn under way, are confirmed in it, and end with it', async () => {
  const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;
  machine.play({
    turns: [[{ do: 'bash', command: 'until test -e go; do sleep 0.05; done' }, usage], [usage]],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  const [first, steered] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'go', { directory: machine.work }, first));
  await relay.event(session, 'tool/started');
  const command = aCommand('session/instruct', session, {
    turnId: steered,
    text: 'rather that',
    steer: true,
  });
  relay.command(command);
  expect(await relay.result(command.id)).toMatchObject({ ok: true });
  await relay.event(
    session,
    'turn/delivered',
    ({ turnId, delivery }) => turnId === steered && delivery === 'confirmed',
  );
  expect(relay.ofType(session, 'turn/ended')).toEqual([]);
  writeFileSync(join(machine.work, 'go'), '');
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === steered);
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([
    { turnId: first, outcome: 'ok', usage: 'recorded' },
    { turnId: steered, outcome: 'ok', usage: 'unobservable' },
  ]);
  expect(relay.ofType(session, 'usage/recorded')).toHaveLength(1);
});
