import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  accountId,
  instanceId,
  LOCAL_ACCOUNT,
  runnerId,
  sessionId,
} from '../../../protocol/ids.ts';
import {
  bookOf,
  chatOf,
  courierOf,
  feedOf,
  paneOf,
  relayOf,
  sweeperOf,
  terminalOf,
} from '../../../workers/lib/stubs.ts';

const OTHER = accountId.parse('acc_other');
const SESSION = sessionId.parse('ses_1');
const RUNNER = runnerId.parse('run_1');
const INSTANCE = instanceId.parse('ins_1');
const PANE = 'tmux:own:1.2:%3';

const nameOf = (stub: unknown): string => z.object({ name: z.string() }).parse(stub).name;

describe('the object that keeps something', () => {
  it.each([
    ['a session’s feed', (account: typeof OTHER) => feedOf(env, account, SESSION)],
    ['a session’s terminal', (account: typeof OTHER) => terminalOf(env, account, SESSION)],
    ['a machine’s relay', (account: typeof OTHER) => relayOf(env, account, RUNNER)],
    ['a machine’s terminal', (account: typeof OTHER) => paneOf(env, account, RUNNER, PANE)],
    ['a conversation', (account: typeof OTHER) => chatOf(env, account, INSTANCE)],
    ['an account’s budgets', (account: typeof OTHER) => bookOf(env, account)],
  ])('is another one for another account under the same id: %s', (_, open) => {
    const [mine, theirs] = [nameOf(open(LOCAL_ACCOUNT)), nameOf(open(OTHER))];
    expect(mine).not.toBe(theirs);
    expect(mine.split('/')[0]).toBe(LOCAL_ACCOUNT);
    expect(nameOf(open(LOCAL_ACCOUNT))).toBe(mine);
  });

  it('is one for each terminal of a machine', () => {
    const at = (machine: string, target: string) =>
      nameOf(paneOf(env, LOCAL_ACCOUNT, runnerId.parse(machine), target));
    const names = [at('run_1', PANE), at('run_1', 'tmux:own:1.2:%4'), at('run_2', PANE)];
    expect(new Set(names).size).toBe(3);
  });

  it('is a single one where it looks after all accounts', () => {
    expect([nameOf(sweeperOf(env)), nameOf(courierOf(env))]).toEqual(['all', 'all']);
  });
});
