import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lanes } from '../../runner/lanes.ts';

test('what is slow under one key delays nothing under another', async () => {
  const lanes = new Lanes<string>();
  const slow = Promise.withResolvers<string>();
  const first = lanes.run('a', () => slow.promise);
  expect(await lanes.run('b', () => Promise.resolve('quick'))).toBe('quick');
  slow.resolve('slow');
  expect(await first).toBe('slow');
});

test('a failure is the caller’s, and what comes behind it runs all the same', async () => {
  const lanes = new Lanes<string>();
  const failing = lanes.run('a', () => Promise.reject(new Error('no')));
  const next = lanes.run('a', () => Promise.resolve(1));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe(1);
});

test('whatever takes how long, work under one key begins in order and never overlaps', async () => {
  const jobs = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(4) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(jobs, async (list) => {
      const lanes = new Lanes<string>();
      const begun: Record<string, number[]> = {};
      const running = new Set<string>();
      const work = async (key: string, index: number, turns: number) => {
        expect(running.has(key)).toBe(false);
        running.add(key);
        (begun[key] ??= []).push(index);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        running.delete(key);
      };
      await Promise.all(
        list.map(({ key, turns }, index) => lanes.run(key, () => work(key, index, turns))),
      );
      for (const order of Object.values(begun))
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(Object.values(begun).flat()).toHaveLength(list.length);
    }),
  );
});
