import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { findInCommandLines, findInFiles } from '../../faults/canary-search.ts';
import { findFaults } from '../../faults/record.ts';
import { says, type Reply, type Script } from '../../support/model-api/script.ts';
import { until } from '../../support/until.ts';
import { findStrays, findUnproven, type EngineRecord, type EngineWorld } from './record.ts';
import { RECORDS } from './records.ts';

describe('the registry', () => {
  it('holds no engine without a record, and no record is of an engine that it does not hold', () => {
    expect(ENGINES.length).toBeGreaterThan(0);
    expect(findUnproven(ENGINES, RECORDS)).toEqual([]);
    expect(findStrays(ENGINES, RECORDS)).toEqual([]);
  });

  it('names a file of journeys that is there, where an engine is proven elsewhere', () => {
    const files = Object.values(RECORDS).flatMap((record) =>
      record.kind === 'elsewhere' ? [record.file] : [],
    );
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('would be failed by an engine that is registered without one', () => {
    expect(findUnproven([...ENGINES, { id: 'unproven' }], RECORDS)).toEqual(['unproven']);
    expect(findStrays([], RECORDS)).toEqual(Object.keys(RECORDS));
  });
});

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);

const slowly: Reply = {
  kind: 'message',
  content: [{ type: 'text', text: 'one two three '.repeat(400) }],
  pieceMs: 20,
};

const scriptOf = ({ runs, refusals }: EngineRecord): Script => ({
  'say bye': [
    runs('sed -i s/hello/bye/ a.txt && git commit -qam bye'),
    runs('git push -q origin HEAD:refs/heads/feature'),
    says('Pushed it.'),
  ],
  'what did you do': [says('I said bye.')],
  'count slowly': [slowly],
  'and now': [says('Here.')],
  'be cut': [{ kind: 'message', content: [{ type: 'text', text: 'a b c d e f' }], cutAfter: 3 }],
  ...Object.fromEntries(
    refusals.map(({ status, type }) => [
      `be refused ${status}`,
      [{ kind: 'error', status, type, message: 'scripted' } as const],
    ]),
  ),
});

describe.each(PROVEN)('%s', (_id, record) => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start(scriptOf(record));
  });
  afterAll(() => world.stop());

  const launch = (objective: string) => world.launch(objective, ...record.unasked);
  const asked = () => world.api.seen.map(({ request }) => JSON.stringify(request ?? ''));
  const intoMidTurn = async (): Promise<string> => {
    const before = world.api.served.length;
    const id = await launch('count slowly');
    await until('the model to be asked', () => world.api.served.length > before);
    await world.untilState(id, 'working');
    return id;
  };
  /** Ends what runs of the session's engine, as a crash would. */
  const kill = async (id: string): Promise<void> => {
    const staged = (await world.events(id, 'launch/staged')).findLast(({ process }) => process);
    process.kill(-(staged?.process?.pid ?? 0), 'SIGKILL');
  };

  it('ends its first turn with its usage and its act, and goes on in the same conversation', async () => {
    const from = world.api.served.length;
    const id = await launch('say bye');
    await world.approveUntilEnd(id);
    const first = await world.untilTurns(id, 1);
    expect(first.view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded', acts: 1 });
    expect(await world.events(id, 'act/seen')).toMatchObject([
      { act: { kind: 'push', witness: 'stream' } },
    ]);
    expect(await world.events(id, 'act/ended')).toMatchObject([{ outcome: 'done' }]);

    if (first.view.state !== 'parked' && (await hasProcess(id))) await kill(id);
    await until('no process to be left', async () => !(await hasProcess(id)));
    await world.cli('sessions', 'say', id, 'what did you do');
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(asked().at(-1)).toMatch(/say bye.*Pushed it.*what did you do/);
    const ids = (await world.events(id, 'engine/ready')).map((event) => event.engineSessionId);
    expect(new Set(ids).size).toBe(1);

    const spent = view.spend.reported ?? view.spend.estimated;
    expect(spent?.microUsd).toBe(record.bill(world, from));
    expect(findFaults(await world.entries(id))).toEqual([]);
  });

  const hasProcess = async (id: string): Promise<boolean> => {
    const entries = await world.entries(id);
    const last = entries.findLast(
      ({ event }) =>
        event.type === 'engine/exited' || (event.type === 'launch/staged' && event.process),
    );
    return last?.event.type === 'launch/staged';
  };

  it('stops a turn when it is interrupted, and takes the next instruction', async () => {
    const id = await intoMidTurn();
    await until(
      'the interrupt',
      async () => (await world.cli('sessions', 'interrupt', id)).exitCode === 0,
    );
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]?.outcome).toBe('interrupted');
    await world.cli('sessions', 'say', id, 'and now');
    expect((await world.untilTurns(id, 2)).view.turns[1]?.outcome).toBe('ok');
  });

  it('that is killed in mid-turn leaves its spend unsettled, never none', async () => {
    const id = await intoMidTurn();
    await kill(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ usage: 'unsettled' });
    expect(['killed', 'failed']).toContain(view.turns[0]?.outcome);
    expect(view.spend.unsettled?.entries).toBeGreaterThan(0);
  });

  it.each(record.refusals)('tells an answer of $status as $code', async ({ status, code }) => {
    const id = await launch(`be refused ${status}`);
    const error = await until('the refusal to be told', async () => {
      const { view } = await world.detail(id);
      return view.failure?.error ?? view.turns[0]?.error ?? null;
    });
    expect(error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(40);
  });

  it('ends a turn whose answer is cut off, and says so', async () => {
    const id = await launch('be cut');
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]?.outcome).toBe('failed');
    expect(view.turns[0]?.error?.message).toBeTruthy();
  });

  it('has its key in no file of the product and in no argument', () => {
    const files = findInFiles(world.data, record.canary);
    const lines = findInCommandLines(world.home, record.canary);
    expect(files.looked).toBeGreaterThan(3);
    expect(lines.looked).toBeGreaterThan(1);
    expect([files.places, lines.places]).toEqual([[], []]);
  });
});
