import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRehearsalRepository } from '../../../runner/engines/rehearsal/repository.ts';
import {
  aCommand,
  anInstruction,
  aSessionId,
  aStart,
  aTurnId,
} from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

aMachineForEachTest({
  turns: [
    [
      { do: 'text', text: 'done' },
      { do: 'usage', outputTokens: 5, costUsd: 0.01 },
    ],
  ],
});

/** A session that has done a turn in a checkout of its own. */
async function aSessionWithCheckout() {
  const repository = join(machine.root, 'repository');
  await createRehearsalRepository(repository);
  const session = aSessionId();
  relay.command(aStart(session, 'one', { directory: repository, checkout: 'own' }));
  const { directory } = await relay.event(session, 'checkout/prepared');
  await relay.event(session, 'turn/ended');
  return { repository, session, directory };
}
const say = async (session: ReturnType<typeof aSessionId>, turn = aTurnId()) => {
  const told = anInstruction(session, 'go on', turn);
  relay.command(told);
  return relay.result(told.id);
};
const GONE = { ok: false, code: 'checkout_gone' };

test('a checkout that is gone is noticed before its next turn, until it is back', async () => {
  const { daemon } = machine.startDaemon(relay);
  const { session, directory } = await aSessionWithCheckout();
  renameSync(directory, `${directory}-away`);
  const refused = await say(session);
  expect(refused).toMatchObject(GONE);
  expect(refused.ok ? '' : refused.message).toMatch(/Nothing is at .*on the branch pilothouse\//);
  // It would write where nobody finds it.
  await relay.event(session, 'engine/parked');

  // Nor is an empty one taken for it, by this runner or the next.
  mkdirSync(directory);
  expect(await say(session)).toMatchObject(GONE);
  await daemon.stop();
  machine.startDaemon(relay);
  expect(await say(session)).toMatchObject(GONE);

  rmdirSync(directory);
  renameSync(`${directory}-away`, directory);
  const last = aTurnId();
  expect(await say(session, last)).toMatchObject({ ok: true });
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === last);
});

test('a session whose checkout is lost has a new one once the person gives the old one up', async () => {
  machine.startDaemon(relay);
  const { repository, session, directory } = await aSessionWithCheckout();
  const again = () => aStart(session, 'again', { directory: repository, checkout: 'own' });
  relay.command(aCommand('session/stop', session, {}));
  await relay.event(session, 'session/ended');
  rmSync(directory, { recursive: true });
  const refused = again();
  relay.command(refused);
  expect(await relay.result(refused.id)).toMatchObject(GONE);

  const remove = aCommand('checkout/remove', session, { discard: false });
  relay.command(remove);
  expect(await relay.result(remove.id)).toMatchObject({ ok: true });
  const anew = again();
  relay.command(anew);
  expect(await relay.result(anew.id)).toMatchObject({ ok: true });
  expect(relay.ofType(session, 'checkout/prepared')).toHaveLength(2);
});
