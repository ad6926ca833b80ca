import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runnerPage } from '../../../protocol/http.ts';
import type { Engine } from '../../../runner/engines/engine.ts';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { countCommandLines, findInCommandLines, findInFiles } from '../../faults/canary-search.ts';
import { findFaults } from '../../faults/record.ts';
import { until } from '../../support/until.ts';
import { CHECKS, type Check, findEmpty, findUnwritten, MATRIX, type Row } from './matrix.ts';
import { LEFT, scriptOf } from './suite-script.ts';
import { findStrays, findUnproven, keyOf, type EngineRecord, type EngineWorld } from './record.ts';
import { withSuite } from './record-pass.ts';
import { RECORDS } from './records.ts';

describe('the matrix', () => {
  it('says of every engine and every check what proves it', () => {
    expect(findEmpty(ENGINES, RECORDS, MATRIX)).toEqual([]);
    expect(findUnwritten(MATRIX, (file) => readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('would fail with a cell that is empty, an engine that is not in it, or a test that is not there', () => {
    const { denied: _, ...rest } = MATRIX['claude'] as Row;
    expect(findEmpty([{ id: 'claude', form: null }], RECORDS, { claude: rest })).toEqual([
      'claude denied',
    ]);
    expect(findEmpty([{ id: 'unproven', form: null }], RECORDS, MATRIX)).toHaveLength(
      Object.keys(CHECKS).length,
    );
    expect(findUnwritten(MATRIX, () => '').length).toBeGreaterThan(0);
  });
});

describe('the registry', () => {
  it('holds no engine without a record, and no record is of an engine that it does not hold', () => {
    expect(ENGINES.length).toBeGreaterThan(0);
    expect(findUnproven(ENGINES, RECORDS)).toEqual([]);
    expect(findStrays(ENGINES, RECORDS)).toEqual([]);
  });

  it('would be failed by an engine that is registered without one', () => {
    expect(findUnproven([...ENGINES, { id: 'unproven', form: null }], RECORDS)).toEqual([
      'unproven',
    ]);
    expect(findStrays([], RECORDS)).toEqual(Object.keys(RECORDS));
  });
});

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);

/** What a refusal of each kind proves. */
const REFUSED: Readonly<Record<string, Check>> = {
  auth_expired: 'auth',
  rate_limited: 'rate',
  overloaded: 'overload',
};

describe.each(PROVEN)('%s', (key, record) => {
  const proofs = new Set<Check>();
  const isOurs = (check: Check) => MATRIX[key]?.[check].by === 'suite';
  /** The engine for a test that proves these checks of the matrix; none where none is the suite's. */
  const proves = (...checks: readonly Check[]): readonly string[] => {
    for (const check of checks) proofs.add(check);
    return checks.some(isOurs) ? [key] : [];
  };
  let world: EngineWorld;
  let own: Buffer[];
  let began = 0;
  const { id: engineId, capabilities } = ENGINES.find((each) => keyOf(each) === key) as Engine;
  const metered = capabilities.usage !== 'none';
  const usage = metered ? 'recorded' : 'unobservable';
  const ownFiles = () => world.ownFiles.map((path) => readFileSync(path));
  beforeAll(async () => {
    began = Date.now();
    world = await record.start(scriptOf(record));
    own = ownFiles();
  });
  afterAll(async () => {
    await world.stop();
    console.log(`${key}: ${Math.round((Date.now() - began) / 1_000)} s`);
  });

  const launch = (objective: string) => world.launch(objective, ...record.unasked);
  const asked = () => world.api.seen.map(({ request }) => JSON.stringify(request ?? ''));
  const intoMidTurn = async (): Promise<string> => {
    const before = world.api.served.length;
    const id = await launch('count slowly');
    await until('the model to be asked', () => world.api.served.length > before, {
      withinMs: 60_000,
    });
    await world.untilState(id, 'working');
    return id;
  };
  /** Ends what runs of the session's engine, as a crash would. */
  const kill = async (id: string): Promise<void> => {
    const staged = (await world.events(id, 'launch/staged')).findLast(({ process }) => process);
    process.kill(-(staged?.process?.pid ?? 0), 'SIGKILL');
  };

  it.each(proves('turn', 'resume', 'bill', 'tokens', 'allowed'))(
    'ends its first turn with its usage and its act, and goes on in the same conversation',
    async () => {
      const from = world.api.served.length;
      const id = await launch('say bye');
      await world.approveUntilEnd(id);
      const first = await world.untilTurns(id, 1);
      expect(first.view.turns[0]).toMatchObject({ outcome: 'ok', usage, acts: 1 });
      if (metered) await billed(id, from);
      const acts = (await world.events(id, 'act/seen')).map(({ act }) => act);
      const told = acts.filter(({ witness }) => witness === 'stream');
      expect(told).toMatchObject([{ kind: 'push' }]);
      // Where the gate saw it as well, it saw the same one.
      const seen = acts.filter(({ witness }) => witness !== 'stream');
      expect(seen.filter(({ claimId }) => claimId !== told[0]?.actId)).toEqual([]);
      const ended = (await world.events(id, 'act/ended')).filter(
        ({ actId }) => actId === told[0]?.actId,
      );
      expect(ended).toMatchObject([{ outcome: record.pushed ?? 'done' }]);

      // What was allowed could be done: no sandbox of the engine's own stood in its way.
      const ends = (await world.events(id, 'tool/ended')).map(({ outcome }) => outcome);
      expect(ends).not.toContain('failed');

      if (capabilities.turnEnd === 'event') {
        expect(await hasProcess(id)).toBe(true);
        await kill(id);
      }
      await until('no process to be left', async () => !(await hasProcess(id)));
      await world.cli('sessions', 'say', id, 'what did you do');
      const { view } = await world.untilTurns(id, 2);
      expect(view.turns[1]).toMatchObject({ outcome: 'ok', usage });
      expect(asked().at(-1)).toMatch(/say bye.*Pushed it.*what did you do/);
      const ids = (await world.events(id, 'engine/ready')).map((event) => event.engineSessionId);
      expect(new Set(ids).size).toBe(1);

      if (metered) await billed(id, from);
      else expect(view.spend).toMatchObject({ unmetered: { entries: 2, unpriced: 2 } });
      expect(isOurs('tokens')).toBe(record.tokens !== undefined && metered);
      expect(findFaults(await world.entries(id))).toEqual([]);
      expect((await world.events(id, 'approval/requested')).length > 0).toBe(
        capabilities.approvals,
      );
    },
  );

  it('is the version that the table names', async () => {
    const { items } = await world.get(runnerPage, '/v1/runners');
    const engine = items[0]?.machine?.engines.find((each) => each.engineId === engineId);
    expect(engine).toMatchObject({ ready: true, version: record.version, payer: 'api-key' });
  });

  const hasProcess = async (id: string): Promise<boolean> => {
    const entries = await world.entries(id);
    const last = entries.findLast(
      ({ event }) =>
        event.type === 'engine/exited' || (event.type === 'launch/staged' && event.process),
    );
    return last?.event.type === 'launch/staged';
  };

  const billed = async (id: string, from: number, machine = world): Promise<void> => {
    const { view } = await machine.detail(id);
    const spent = view.spend[capabilities.usage === 'dollars' ? 'reported' : 'estimated'];
    const { microUsd, roundedMicroUsd } = record.bill(machine, from);
    if (record.tokens) expect(spent).toMatchObject(record.tokens(machine, from));
    expect(microUsd).toBeGreaterThan(100);
    expect(Math.abs((spent?.microUsd ?? 0) - microUsd)).toBeLessThanOrEqual(roundedMicroUsd);
  };

  it.each(proves('denied'))('does not do what was denied', async () => {
    const id = await launch('push it');
    const answered = new Set<string>();
    const { view } = await until(
      'the turn to end',
      async () => {
        const detail = await world.detail(id);
        for (const { requestId } of detail.view.pendingApprovals) {
          if (answered.has(requestId)) continue;
          answered.add(requestId);
          await world.cli('sessions', 'deny', id, requestId);
        }
        return detail.view.turns[0]?.state === 'ended' ? detail : null;
      },
      { withinMs: 90_000, tell: () => `${answered.size} requests were denied` },
    );
    expect(answered.size).toBeGreaterThan(0);
    expect(['ok', 'interrupted']).toContain(view.turns[0]?.outcome);
    expect((await world.events(id, 'tool/ended')).map(({ outcome }) => outcome)).not.toContain(
      'ok',
    );
    const ends = (await world.events(id, 'act/ended')).map(({ outcome }) => outcome);
    expect(ends).not.toContain('done');
    expect(world.git('ls-remote', 'origin', 'refs/heads/denied')).toBe('');
  });

  it.each(proves('retries'))('pays once for what was tried again', async () => {
    const machine = (await record.patiently?.(scriptOf(record))) ?? world;
    const { served, seen } = machine.api;
    const [from, asks] = [served.length, seen.length];
    const id = await machine.launch('try again', ...record.unasked);
    const { view } = await machine.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage });
    expect(seen.length - asks).toBeGreaterThan(record.triesAgainAfter?.length ?? 0);
    await billed(id, from, machine);
    if (machine !== world) await machine.stop();
  });

  it.each(proves('subagents'))('counts what a subagent of it spends and does', async () => {
    const from = world.api.served.length;
    const id = await launch('delegate it');
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage, acts: 1 });
    // It was asked by itself, did it, and what it said came back.
    expect(world.git('ls-remote', 'origin', 'refs/heads/helper')).not.toBe('');
    expect(asked().at(-1)).toContain('Pushed it for you.');
    await billed(id, from);
  });

  const { subagentTool } = record;
  it.each(subagentTool ? [key] : [])(
    'offers its model no subagent that would spend unseen',
    async () => {
      const from = world.api.seen.length;
      // The mode in which nothing is asked, so that nothing else would hold it.
      const id = await world.launch('and now', '--approvals', 'bypass');
      await world.untilTurns(id, 1);
      const requests = asked().slice(from);
      expect(requests.join('')).toContain('and now');
      expect(requests.filter((request) => subagentTool?.test(request))).toEqual([]);
    },
  );

  it.each(proves('interrupt'))(
    'stops a turn when it is interrupted, and takes the next instruction',
    async () => {
      const id = await intoMidTurn();
      let refusal = '';
      await until(
        'the interrupt',
        async () => {
          const done = await world.cli('sessions', 'interrupt', id);
          refusal = done.stderr;
          return done.exitCode === 0;
        },
        { tell: () => refusal },
      );
      const { view } = await world.untilTurns(id, 1);
      expect(view.turns[0]?.outcome).toBe('interrupted');
      await world.cli('sessions', 'say', id, 'and now');
      expect((await world.untilTurns(id, 2)).view.turns[1]?.outcome).toBe('ok');
    },
  );

  it.each(proves('killed'))(
    'that is killed in mid-turn leaves its spend unsettled, never none',
    async () => {
      const id = await intoMidTurn();
      await kill(id);
      const { view } = await world.untilTurns(id, 1);
      expect(view.turns[0]).toMatchObject({ usage: metered ? 'unsettled' : 'unobservable' });
      expect(['killed', 'failed']).toContain(view.turns[0]?.outcome);
      expect(view.spend[metered ? 'unsettled' : 'unmetered']?.entries).toBeGreaterThan(0);
      if (!metered) return;
      await until('no process to be left', async () => !(await hasProcess(id)));
      const from = world.api.served.length;
      await world.cli('sessions', 'say', id, 'and now');
      await world.untilTurns(id, 2);
      await billed(id, from);
    },
  );

  it.each(proves('leftovers'))('ends with what a command of it left running', async () => {
    const id = await launch('leave it running');
    const ended = world.approveUntilEnd(id);
    const left = () => countCommandLines(LEFT);
    await until('a process that is left', () => left() > 0, { withinMs: 60_000 });
    await ended;
    await world.cli('sessions', 'stop', id);
    await until('what was left to end', () => left() === 0, { withinMs: 60_000 });
    expect(left()).toBe(0);
  });

  for (const { code } of record.refusals) {
    const check = REFUSED[code];
    if (check) proofs.add(check);
  }
  it.each(record.refusals)('tells an answer of $status as $code', async ({ status, code }) => {
    const id = await launch(`be refused ${status}`);
    const error = await until(
      'the refusal to be told',
      async () => {
        const { view } = await world.detail(id);
        return view.failure?.error ?? view.turns[0]?.error ?? null;
      },
      { withinMs: 60_000 },
    );
    expect(error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(40);
  });

  it.each(proves('cut'))(
    'ends a turn whose answer is cut off, and says so where it is not whole',
    async () => {
      const id = await launch('be cut');
      // An engine that asks again waits for more than a minute in all.
      const { view } = await world.untilTurns(id, 1, 200_000);
      expect(view.turns[0]?.outcome).toBe(record.cutOff);
      const text = (await world.events(id, 'text/completed'))
        .map((event) => event.text.text)
        .join('');
      if (record.cutOff === 'failed') expect(view.turns[0]?.error?.message).toBeTruthy();
      else expect(text).toContain('a b c d e f');
    },
  );

  it.each(proves('configuration'))(
    'leaves the person’s own configuration as it was, to the byte',
    async () => {
      // Sealed it has a home of its own; open it works in the person's.
      const id = await world.launch('and now', ...record.unasked, '--grade', 'open');
      const { view } = await world.untilTurns(id, 1);
      expect([view.turns[0]?.outcome, view.checkout?.grade?.grade]).toEqual(['ok', 'open']);
      await world.cli('sessions', 'stop', id);
      expect(own.length).toBeGreaterThan(0);
      expect(ownFiles()).toEqual(own);
    },
  );

  it.each(proves('canary'))(
    'has its key in no file of the product and in no argument, through the gate and without it',
    async () => {
      const limits = world.readLimits();
      for (const gate of [true, false]) {
        world.writeLimits(`${limits}\nmodel_gate = ${gate}`);
        const id = await intoMidTurn();
        const files = findInFiles(world.data, record.canary);
        const lines = findInCommandLines(world.home, record.canary);
        const ways = await world.events(id, 'model/routed');
        await world.cli('sessions', 'stop', id);
        expect(files.looked).toBeGreaterThan(3);
        // The engine is among them.
        expect(lines.looked).toBeGreaterThan(2);
        expect([files.places, lines.places]).toEqual([[], []]);
        if (!gate) expect(ways.map(({ through }) => through)).not.toContain('gate');
      }
      world.writeLimits(limits);
    },
  );

  it('has a test here for every check that the matrix leaves to it', () => {
    const left = (Object.keys(CHECKS) as Check[]).filter(isOurs);
    expect(left.filter((check) => !proofs.has(check))).toEqual([]);
    expect(isOurs('subagents')).toBe(record.delegates !== undefined);
    expect(isOurs('denied')).toBe(capabilities.approvals);
    expect(isOurs('retries')).toBe(record.triesAgainAfter !== undefined);
  });

  // The last: it looks at all before it.
  it('has passed, which is recorded for the check of decisions: `-u` writes it', async ({
    task,
  }) => {
    const { text, path } = withSuite(key, task);
    await expect(text).toMatchFileSnapshot(path);
  });
});
