import { expect, test } from 'vitest';
import { anInstruction, aSessionId, aStart, aTurnId } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

aMachineForEachTest();

test('one line of 20 MB is skipped and told, and neither the turn nor the next one suffers', async () => {
  const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;
  machine.play({
    turns: [
      [
        { do: 'text', text: 'before' },
        { do: 'output', bytes: 20 * 1024 * 1024, text: 'x' },
        { do: 'text', text: 'after' },
        usage,
      ],
      [{ do: 'text', text: 'next' }, usage],
    ],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  const [first, second] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'go', { directory: machine.work }, first));
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === first);
  relay.command(anInstruction(session, 'and now', second));
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second);

  const told = relay.ofType(session, 'notice/raised').map(({ code }) => code);
  expect(told).toContain('line_too_long');
  expect(relay.ofType(session, 'text/completed').map(({ text }) => text.text)).toEqual([
    'before',
    'after',
    'next',
  ]);
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([
    { outcome: 'ok', usage: 'recorded' },
    { outcome: 'ok', usage: 'recorded' },
  ]);
  expect(relay.ofType(session, 'tool/ended')).toHaveLength(1);
  expect(relay.faults).toEqual([]);
});
