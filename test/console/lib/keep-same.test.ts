// @vitest-environment node
import { expect, it } from 'vitest';
import { keepSame } from '../../../console/lib/keep-same.ts';

it('gives the list of before while the same things are in it', () => {
  const same = keepSame<object>();
  const [one, two] = [{}, {}];
  const first = same([one, two]);
  expect(same([one, two])).toBe(first);
  expect(same([two, one])).toEqual([two, one]);
  expect(same([one])).toHaveLength(1);
  const copy = same([{ ...one }]);
  expect(same([one])).not.toBe(copy);
});
