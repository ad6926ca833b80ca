import { afterAll } from 'vitest';
import { endNow, isLeftOver, listSeen, type Seen, tell } from './processes.ts';
import { until } from './until.ts';

/**
 * After each file of tests: nothing may be left that was begun in a directory of a test which is
 * gone. It would hold memory until the machine is begun anew, and nobody would know whose it was.
 */
afterAll(async () => {
  let left: Seen[] = [];
  const none = () => (left = listSeen().filter((each) => isLeftOver(each))).length === 0;
  await until('every process to end', none).catch(() => {
    for (const { pid } of left) endNow(pid);
    throw new Error(`A test left processes behind. End them before its directory:\n${tell(left)}`);
  });
}, 30_000);
