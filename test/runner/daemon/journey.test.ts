import { expect, test } from 'vitest';
import { aSessionId, aStart } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

aMachineForEachTest();

test('a launch runs a real engine from its command to the end of its turn', async () => {
  machine.play({
    turns: [
      [
        { do: 'text', text: 'Hello' },
        { do: 'usage', outputTokens: 5, costUsd: 0.01 },
      ],
    ],
  });
  machine.startRunner(relay);
  const session = aSessionId();
  const start = aStart(session, 'Say hello', { directory: machine.work });
  relay.command(start);

  await relay.event(session, 'turn/ended');
  expect(await relay.result(start.id)).toMatchObject({ ok: true });
  expect(relay.events(session).map(({ type }) => type)).toEqual([
    'turn/delivered',
    'checkout/prepared',
    'launch/staged',
    'turn/delivered',
    'launch/staged',
    'engine/ready',
    'turn/delivered',
    'turn/started',
    'engine/ready',
    'text/completed',
    'usage/recorded',
    'turn/ended',
  ]);
  expect(relay.faults).toEqual([]);
});
