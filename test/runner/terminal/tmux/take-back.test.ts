import { expect, it } from 'vitest';
import { takeBack } from '../../../../runner/terminal/tmux/take-back.ts';

/** Boxes as they are seen one after the other; the last one stays. */
async function cleared(boxes: readonly (string | null)[]) {
  let looks = 0;
  let clears = 0;
  const done = await takeBack('many words', {
    read: async () => boxes[Math.min(looks++, boxes.length - 1)] ?? null,
    clear: async () => void (clears += 1),
    wait: async () => {},
  });
  return [done, clears];
}

it.each([
  ['a paste that is folded', ['[Pastedtext#1]', ''], [true, 1]],
  ['one that goes in several steps', ['manywords', 'many', ''], [true, 2]],
  ['one that is not drawn yet', ['', ''], [true, 1]],
])('takes back %s', async (_what, boxes, expected) => {
  expect(await cleared(boxes)).toEqual(expected);
});

it.each([
  ['somebody’s own words stand there', ['manywordsmine'], [false, 0]],
  ['somebody begins to write', ['manywords', 'mine'], [false, 1]],
  ['no box is seen, as in a menu', [null], [false, 0]],
])('takes nothing where %s', async (_when, boxes, expected) => {
  expect(await cleared(boxes)).toEqual(expected);
});

it('leaves a box that does not empty as it is', async () => {
  expect(await cleared(['manywords'])).toEqual([false, 25]);
});
