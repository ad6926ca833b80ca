import { describe, expect, it } from 'vitest';
import { imageId } from '../../../protocol/ids.ts';
import type { TurnImage } from '../../../runner/engines/images.ts';
import { type Fetched, FetchFirst } from '../../../runner/sessions/fetch-first.ts';
import { SESSION } from '../../support/protocol-builders.ts';

const IMAGE = {
  imageId: imageId.parse('img_one'),
  type: 'image/png' as const,
  bytes: 1,
  sha256: '0'.repeat(64),
};
const TAKEN: TurnImage = { path: '/i/one.png', type: 'image/png' };

/** Images that come when the test says so. */
function slow() {
  const asked: { come(): void; signal: AbortSignal | undefined }[] = [];
  const first = new FetchFirst({
    take: (_session, _images, signal) =>
      new Promise((resolve, reject) => {
        asked.push({ come: () => resolve([TAKEN]), signal });
        const refuse = () => reject(signal?.reason as Error);
        if (signal?.aborted) refuse();
        else signal?.addEventListener('abort', refuse);
      }),
  });
  const order: string[] = [];
  const say =
    (name: string) =>
    async (fetched: Fetched): Promise<void> => {
      order.push(`${name} ${fetched()?.length ?? 'none'}`);
    };
  return { asked, first, order, say };
}
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('an instruction with images', () => {
  it('is in no lane until they are here, and those after it keep behind', async () => {
    const { asked, first, order, say } = slow();
    const one = first.run(SESSION, [IMAGE], say('one'));
    const two = first.run(SESSION, undefined, say('two'));
    await soon();
    expect(order).toEqual([]);
    asked[0]?.come();
    await Promise.all([one, two]);
    expect(order).toEqual(['one 1', 'two none']);
    void first.run(SESSION, undefined, say('three'));
    expect(order.at(-1)).toBe('three none');
  });

  it('does not wait for the work of the one before', async () => {
    const { asked, first, order, say } = slow();
    void first.run(SESSION, [IMAGE], () => new Promise(() => undefined));
    const two = first.run(SESSION, undefined, say('two'));
    await soon();
    asked[0]?.come();
    await two;
    expect(order).toEqual(['two none']);
  });

  it('goes on without them where its session is stopped, with why they are not there', async () => {
    const { asked, first, order, say } = slow();
    const one = first.run(SESSION, [IMAGE], say('one'));
    const two = first.run(SESSION, [IMAGE], say('two')).catch(() => 'refused');
    await soon();
    first.abort(SESSION);
    const three = first.run(SESSION, [IMAGE], say('three'));
    await expect(one).rejects.toThrow('the session was stopped meanwhile');
    await soon();
    // Asked for before as well.
    expect(asked[1]?.signal?.aborted).toBe(true);
    asked.at(-1)?.come();
    await three;
    expect(await two).toBe('refused');
    expect(order).toEqual(['three 1']);
  });
});
