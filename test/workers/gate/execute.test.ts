import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CommandResult } from '../../../protocol/command.ts';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { terminalCall } from '../../../protocol/terminal.ts';
import type { TerminalScope } from '../../../protocol/terminal-command.ts';
import { commandIdOf, execute, lookAt, recall, scopeFor } from '../../../workers/gate/execute.ts';
import { refuse } from '../../../workers/lib/outcome.ts';
import { type House, PANE, startOperating } from '../support/operators.ts';

let house: House;
beforeAll(async () => {
  house = await startOperating();
});
beforeEach(() => {
  house.machine.asked.length = 0;
});

const SCOPE: TerminalScope = { backends: ['tmux'], prefixes: [], only: null };
const READ = terminalCall.parse({ tool: 'tmux_capture_pane', params: { target: PANE } });
const WRITE = terminalCall.parse({
  tool: 'tmux_run_command',
  params: { target: PANE, command: 'npm test', timeoutMs: 5_000 },
});
const machine = () => ({ accountId: LOCAL_ACCOUNT, runnerId: house.runner.runnerId });

let count = 0;
/** Has the call carried out by a machine that answers so. */
async function make(call: typeof READ, answer: CommandResult) {
  house.machine.answer = () => answer;
  const id = await commandIdOf(house.instanceId, `call-${(count += 1)}`);
  return execute(env, machine(), { call, scope: SCOPE }, id);
}
const failed = (code: string): CommandResult => ({ ok: false, code, message: `it is ${code}` });

describe('a call that was decided', () => {
  it('is a read or a write for the machine, with the limits it is to hold it to', async () => {
    await make(READ, { ok: true, value: { text: 'ready', omitted: 0 } });
    await make(WRITE, failed('terminal_busy'));
    expect(house.machine.asked.map(({ method }) => method)).toEqual([
      'terminal/read',
      'terminal/call',
    ]);
    expect(house.machine.asked[0]?.params).toMatchObject({ call: READ, scope: SCOPE });
  });

  it('is done with the value of its tool, and nothing that the machine adds', async () => {
    const value = { text: 'ready', omitted: 0, environment: { TOKEN: 'sentinel' } };
    expect(await make(READ, { ok: true, value })).toEqual({
      status: 'done',
      value: { text: 'ready', omitted: 0 },
    });
  });

  it.each([
    ['terminal_busy', 'refused', 'refused'],
    ['terminal_not_found', 'refused', 'refused'],
    ['unknown_outcome', 'unknown', 'unknown'],
    // A read that failed inside has done nothing; a write may have.
    ['internal', 'refused', 'unknown'],
    ['a_code_of_a_newer_machine', 'refused', 'unknown'],
  ])('to which the machine says %s is a read %s and a write %s', async (code, read, write) => {
    expect((await make(READ, failed(code))).status).toBe(read);
    expect((await make(WRITE, failed(code))).status).toBe(write);
  });

  it.each(['runner_offline', 'runner_revoked'] as const)(
    'may have been carried out by a machine that cannot be asked any more: %s',
    async (code) => {
      const relay = { ask: async () => refuse(code) };
      const away = { ...env, RUNNER_RELAY: { getByName: () => relay } } as unknown as typeof env;
      const id = await commandIdOf(house.instanceId, `call-${(count += 1)}`);
      expect(await recall(away, machine(), WRITE, id)).toMatchObject({ status: 'unknown' });
    },
  );

  it('keeps the words of the machine where it refused', async () => {
    expect(await make(WRITE, failed('terminal_busy'))).toMatchObject({
      code: 'terminal_busy',
      message: expect.stringContaining('it is terminal_busy'),
    });
  });

  it.each([null, { text: 5 }, 'ready'])(
    'whose answer cannot be read may have been done: %j',
    async (value) => {
      for (const call of [READ, WRITE])
        expect(await make(call, { ok: true, value })).toEqual({
          status: 'unknown',
          message: 'The machine’s answer cannot be read by this version.',
        });
    },
  );
});

describe('a look at what a call would do', () => {
  it('does nothing, and tells the terminal and the acts', async () => {
    const acts = [{ kind: 'publish', command: 'npm publish', target: null, uncertain: false }];
    house.machine.acts = acts as typeof house.machine.acts;
    const looked = await lookAt(env, machine(), { call: WRITE, scope: SCOPE, rules: [] });
    expect(looked).toMatchObject({ pane: { target: PANE }, acts, ruled: null });
    expect(house.machine.writes).toEqual([]);
  });
});

describe('what a machine holds a call to', () => {
  const scope = { backends: ['tmux' as const], prefixes: ['build'] };

  it('is the bound terminal alone for an operator of one', () => {
    expect(scopeFor({ ...scope, targets: 'single' }, PANE)).toEqual({ ...scope, only: PANE });
    expect(scopeFor({ ...scope, targets: 'single' }, null)).toEqual({ ...scope, only: null });
  });

  it('is no single terminal for an operator of many, whatever is bound', () => {
    expect(scopeFor({ ...scope, targets: 'any' }, PANE)).toEqual({ ...scope, only: null });
  });
});

describe('the id under which a machine remembers a call', () => {
  it('is the same for the same call, and another for every other', async () => {
    const ids = await Promise.all(
      [
        ['ins_1', 'one'],
        ['ins_1', 'one'],
        ['ins_1', 'two'],
        ['ins_2', 'one'],
        ['ins_1', 'one '],
      ].map(([instance = '', call = '']) => commandIdOf(instance, call)),
    );
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => /^cmd_[0-9a-f]{40}$/.test(id))).toBe(true);
  });
});
