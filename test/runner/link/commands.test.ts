import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command, CommandResult } from '../../../protocol/command.ts';
import type { CommandId } from '../../../protocol/ids.ts';
import { Commands } from '../../../runner/link/commands.ts';
import { Store } from '../../../runner/link/store.ts';
import { aCommand, aSessionId } from '../../support/runner-builders.ts';

const DONE: CommandResult = { ok: true, value: {} };

/** One runner process after another over the same database; `effects` is the world outside. */
class Runner {
  readonly store: Store;
  readonly effects: CommandId[] = [];
  readonly sent: { id: CommandId; result: CommandResult }[] = [];
  commands: Commands;
  /** Where the process dies while it carries out a command. */
  dying: 'never' | 'beforeHanded' | 'afterHanded' | 'afterEffect' = 'never';
  now = 1_000;

  constructor() {
    this.store = new Store(':memory:');
    this.commands = this.boot();
  }

  boot(): Commands {
    const generation: Commands = new Commands({
      store: this.store,
      execute: (command) => this.execute(generation, command),
      send: (id, result) => void this.sent.push({ id, result }),
      log: () => undefined,
      now: () => this.now,
    });
    return generation;
  }

  crash(): void {
    this.dying = 'never';
    this.commands = this.boot();
  }

  /** Acts as a launch does: `handed` is durable before the effect, the result with what follows. */
  async execute(commands: Commands, command: Command): Promise<CommandResult | null> {
    const { dying } = this;
    if (dying === 'beforeHanded') return never;
    commands.record(command.id, 'handed');
    if (dying === 'afterHanded') return never;
    this.effects.push(command.id);
    if (dying === 'afterEffect') return never;
    commands.record(command.id, DONE);
    return null;
  }

  receive(command: Command): void {
    void this.commands.receive(command);
  }
}

/** What a dead process answers. */
const never = new Promise<null>(() => undefined);
const settle = () => new Promise((resolve) => setImmediate(resolve));
const results = (runner: Runner, id: CommandId) =>
  runner.sent.filter((one) => one.id === id).map(({ result }) => result);

test('whenever a runner dies, and however often a command comes again, it is acted on at most once and answered', async () => {
  const round = fc.record({
    dying: fc.constantFrom(
      'never' as const,
      'beforeHanded' as const,
      'afterHanded' as const,
      'afterEffect' as const,
    ),
    repeats: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 6 }), async (rounds) => {
      const runner = new Runner();
      const command = aCommand('session/stop', aSessionId(), {}, { deadlineAt: 10_000 });
      for (const { dying, repeats } of rounds) {
        runner.dying = dying;
        for (let time = 0; time <= repeats; time++) runner.receive(command);
        await settle();
        if (dying !== 'never') runner.crash();
      }
      runner.crash();
      runner.receive(command);
      await settle();
      expect(runner.effects.length).toBeLessThanOrEqual(1);
      const answers = results(runner, command.id);
      expect(answers.length).toBeGreaterThan(0);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      // An answer of "done" means that it was done; otherwise nobody can tell, and it says so.
      const codes = answers.map((answer) =>
        answer.ok ? `done ${runner.effects.length}` : answer.code,
      );
      expect(['done 1', 'unknown_outcome']).toContain(codes[0]);
      runner.store.close();
    }),
    { numRuns: 100 },
  );
});

test('a command that died before its effect is carried out when it comes again', async () => {
  const runner = new Runner();
  const command = aCommand('session/stop', aSessionId(), {}, { deadlineAt: 10_000 });
  runner.dying = 'beforeHanded';
  runner.receive(command);
  await settle();
  runner.crash();
  runner.receive(command);
  await settle();
  expect(runner.effects).toEqual([command.id]);
  expect(results(runner, command.id)).toEqual([DONE]);
});

test('a command that waited longer than it was valid is not carried out', async () => {
  const runner = new Runner();
  const command = aCommand('session/stop', aSessionId(), {}, { deadlineAt: 999 });
  runner.receive(command);
  await settle();
  expect(runner.effects).toEqual([]);
  expect(results(runner, command.id)).toMatchObject([{ ok: false, code: 'expired' }]);
});

test('an answered command is answered again from the record, also after its deadline', async () => {
  const runner = new Runner();
  const command = aCommand('session/stop', aSessionId(), {}, { deadlineAt: 10_000 });
  runner.receive(command);
  await settle();
  runner.now = 20_000;
  runner.crash();
  runner.receive(command);
  await settle();
  expect(results(runner, command.id)).toEqual([DONE, DONE]);
  expect(runner.effects).toHaveLength(1);
});

test('a failure while carrying out becomes the result', async () => {
  const runner = new Runner();
  runner.execute = async () => Promise.reject(new Error('no room on the disk'));
  const command = aCommand('session/stop', aSessionId(), {}, { deadlineAt: 10_000 });
  runner.receive(command);
  await settle();
  expect(results(runner, command.id)).toMatchObject([
    {
      ok: false,
      code: 'internal',
      message: expect.stringContaining('no room on the disk') as string,
    },
  ]);
});

test('what only looks is not recorded, and looks again each time', async () => {
  const runner = new Runner();
  const looked: string[] = [];
  runner.execute = async (_, command) => {
    looked.push(command.method);
    return DONE;
  };
  const command = aCommand('doctor/run', null, {}, { deadlineAt: 10_000 });
  runner.receive(command);
  await settle();
  runner.receive(command);
  await settle();
  expect(looked).toHaveLength(2);
  expect(runner.store.db.prepare('SELECT count(*) AS n FROM commands').get()?.['n']).toBe(0);
});

test('what was answered long ago is forgotten, what is not answered is not', async () => {
  const runner = new Runner();
  const [answered, open] = [
    aCommand('session/stop', aSessionId(), {}),
    aCommand('session/stop', aSessionId(), {}),
  ];
  runner.receive(answered);
  await settle();
  runner.dying = 'afterHanded';
  runner.receive(open);
  await settle();
  runner.now += 8 * 24 * 3_600_000;
  runner.commands.prune();
  expect(runner.store.db.prepare('SELECT id FROM commands').all()).toEqual([{ id: open.id }]);
});
