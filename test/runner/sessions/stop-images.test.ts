import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command } from '../../../protocol/command.ts';
import { imageId } from '../../../protocol/ids.ts';
import { aCommand, aSessionId, aStart, anInstruction } from '../../support/runner-builders.ts';
import { SessionHouse } from '../../support/session-house.ts';

let house: SessionHouse;
beforeEach(() => {
  house = new SessionHouse();
});
afterEach(() => house.close());

test('a stop waits for no images of an instruction, and ends the wait for them', async () => {
  const session = aSessionId();
  const launch = { engineId: 'scripted' as const, directory: house.directory };
  await house.receive(aStart(session, 'go', launch));
  const asked: (AbortSignal | undefined)[] = [];
  house.images.take = (_session, _images, signal) => {
    asked.push(signal);
    return new Promise(() => undefined);
  };
  const type = 'image/png' as const;
  const images = [{ imageId: imageId.parse('img_1'), type, bytes: 1, sha256: '0'.repeat(64) }];
  const command = anInstruction(session, 'look');
  void house.receive({ ...command, params: { ...command.params, images } } as Command);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await house.receive(aCommand('session/stop', session, {}, { epoch: 1 }))).toMatchObject({
    ok: true,
  });
  expect(asked.map((signal) => signal?.aborted)).toEqual([true]);
});
