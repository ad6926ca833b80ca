import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, sessionId } from '../../../protocol/ids.ts';
import type { PushMessage } from '../../../protocol/push.ts';
import type { PushBell } from '../../../workers/push/bell.ts';
import { PushQueue } from '../../../workers/push/queue.ts';
import { startEmpty } from '../support/http.ts';

const MESSAGE: PushMessage = {
  kind: 'approval',
  sessionId: sessionId.parse('ses_1'),
  tag: 'ses_1 approval 3',
};
const NOW = 1_000;

const inQueue = (work: (queue: PushQueue) => void) =>
  runInDurableObject(
    env.PUSH_BELL.getByName(LOCAL_ACCOUNT) as DurableObjectStub<PushBell>,
    (_, { storage }) => work(new PushQueue(storage.sql)),
  );

beforeEach(startEmpty);

it.each([true, false])(
  'what came of a message is not that of another of the same tag that waits since (again: %s)',
  async (again) => {
    await inQueue((queue) => {
      queue.add('webhook', MESSAGE, NOW);
      const [sent] = queue.listDue(NOW);
      if (!sent) throw new Error('nothing was due');
      // While it is on its way another webhook is set, and the same is to be told there.
      queue.forget('webhook');
      queue.add('webhook', MESSAGE, NOW);
      queue.settle(sent, again, NOW);
      expect(queue.listDue(NOW)).toMatchObject([{ tag: MESSAGE.tag, attempts: 0 }]);
    });
  },
);

it('takes a message off that was sent, and lets one wait that was not taken', async () => {
  await inQueue((queue) => {
    queue.add('psh_1', MESSAGE, NOW);
    for (const again of [true, false])
      for (const sent of queue.listDue(NOW + 60_000)) queue.settle(sent, again, NOW);
    expect(queue.nextAt()).toBeNull();
  });
});
