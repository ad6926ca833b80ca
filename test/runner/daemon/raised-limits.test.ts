import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anInstruction, aSessionId, aStart, aTurnId } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;

aMachineForEachTest();

const limit = (more = '') => machine.limit(`directories = ["${machine.root}"]\n${more}`);

test('a session that is less than its machine demands by now does nothing more, until it may', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  const [first, refused, last] = [aTurnId(), aTurnId(), aTurnId()];
  relay.command(aStart(session, 'one', { directory: machine.work }, first));
  await relay.event(session, 'turn/ended');

  limit('minimum_grade = "fenced"');
  const second = anInstruction(session, 'two', refused);
  relay.command(second);
  const answer = await relay.result(second.id);
  expect(answer).toMatchObject({ ok: false, code: 'grade_not_allowed' });
  expect(answer.ok ? '' : answer.message).toMatch(
    /demands at least fenced by now \(minimum_grade\), and this session is open.*Launch a new one/,
  );
  // Its engine had the power that is no longer allowed.
  await relay.event(session, 'engine/parked');

  limit('minimum_grade = "nonsense"');
  const third = anInstruction(session, 'three', aTurnId());
  relay.command(third);
  expect(await relay.result(third.id)).toMatchObject({ ok: false, code: 'limits_unreadable' });

  limit();
  relay.command(anInstruction(session, 'four', last));
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === last);
  expect(relay.ofType(session, 'turn/started').map(({ turnId }) => turnId)).toEqual([first, last]);
});

test('what waits behind the turn under way is not done either, and says why', async () => {
  const until = { do: 'bash', command: 'until [ -e go ]; do sleep 0.02; done' } as const;
  machine.play({ turns: [[until, { do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  const [first, waiting] = [aTurnId(), aTurnId()];
  relay.command(aStart(session, 'one', { directory: machine.work }, first));
  await relay.event(session, 'turn/started');
  const second = anInstruction(session, 'two', waiting);
  relay.command(second);
  expect(await relay.result(second.id)).toMatchObject({ ok: true });
  limit('minimum_network = "model-only"');
  writeFileSync(join(machine.work, 'go'), '');

  const told = await relay.event(
    session,
    'turn/delivered',
    ({ turnId, delivery }) => turnId === waiting && delivery === 'undelivered',
  );
  expect(told.reason).toContain('minimum_network');
  expect(
    relay.ofType(session, 'turn/ended').map(({ turnId, outcome }) => [turnId, outcome]),
  ).toEqual([[first, 'ok']]);
});
