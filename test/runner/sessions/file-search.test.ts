import { expect, test } from 'vitest';
import type { ListedFiles } from '../../../runner/guard/list-files.ts';
import { KeptLists } from '../../../runner/sessions/file-search.ts';

const FILES: ListedFiles = { paths: ['a.ts'], more: false };

test('a list that takes long is made once, and serves from when it is there', async () => {
  let [now, made] = [0, 0];
  let ready = (_files: ListedFiles) => undefined as void;
  const lists = new KeptLists(() => now);
  const take = () =>
    lists.take('a', () => {
      made += 1;
      return new Promise<ListedFiles>((resolve) => void (ready = resolve));
    });
  const first = take();
  now = 9_000;
  expect(take()).toBe(first);
  ready(FILES);
  expect(await first).toBe(FILES);
  now = 11_000;
  expect(await take()).toBe(FILES);
  expect(made).toBe(1);
  now = 12_000;
  void take();
  expect(made).toBe(2);
});

test('a list that failed is asked for again', async () => {
  const lists = new KeptLists(() => 0);
  await expect(lists.take('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await lists.take('a', () => Promise.resolve(FILES))).toBe(FILES);
});
