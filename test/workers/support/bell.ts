import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';

/** Tags of what was told outside the console, each once. */
export const listRung = (): Promise<string[]> =>
  runInDurableObject(env.PUSH_BELL.getByName(LOCAL_ACCOUNT), (_, { storage }) =>
    storage.sql
      .exec<{ tag: string }>('SELECT tag FROM told')
      .toArray()
      .map(({ tag }) => tag),
  );
