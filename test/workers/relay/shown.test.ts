import { expect, it } from 'vitest';
import { LOCAL_ACCOUNT, runnerId } from '../../../protocol/ids.ts';
import type { Env } from '../../../workers/env.ts';
import { endShown } from '../../../workers/relay/shown.ts';

it('tells every terminal that a machine shows, and those that were not told when it is asked again', async () => {
  const shown = new Set(['%1', '%2', '%3']);
  const ended: string[] = [];
  let broken = true;
  const env = {
    PANE_TERMINAL: {
      getByName: (name: string) => ({
        revoked: async () => {
          if (broken && name.endsWith('%2')) throw new Error('on its way');
          ended.push(name.split('/').at(-1) ?? '');
        },
      }),
    },
  } as unknown as Pick<Env, 'PANE_TERMINAL'>;
  const store = {
    listShown: () => [...shown],
    forgetShown: (target: string) => void shown.delete(target),
  };
  const end = () => endShown(env, LOCAL_ACCOUNT, runnerId.parse('run_desk'), store);
  await expect(end()).rejects.toThrow('on its way');
  expect(ended.toSorted()).toEqual(['%1', '%3']);
  broken = false;
  await end();
  expect(ended.toSorted()).toEqual(['%1', '%2', '%3']);
  expect(shown.size).toBe(0);
});
