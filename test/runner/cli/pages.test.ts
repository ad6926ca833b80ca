import { expect, it } from 'vitest';
import { readEveryPage } from '../../../runner/cli/pages.ts';

it('reads a list to its end, in its order', async () => {
  const asked: (string | undefined)[] = [];
  const pages = [
    { items: [1, 2], nextCursor: 'second' },
    { items: [], nextCursor: 'third' },
    { items: [3], nextCursor: null },
  ];
  const all = await readEveryPage((cursor) => {
    asked.push(cursor);
    return Promise.resolve(pages[asked.length - 1] ?? { items: [], nextCursor: null });
  });
  expect(all).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, 'second', 'third']);
});
