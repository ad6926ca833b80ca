import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silenceOf, silentUntil } from '../../protocol/silence.ts';
import { OpencodeWorld } from '../e2e/opencode-world.ts';
import { findFaults } from '../faults/record.ts';
import { billOf } from '../support/model-api/bill.ts';
import { calls, says, type Reply } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

const SILENCE_MS = 30_000;

/** As the provider words it: an hour to wait, which nobody is told of on opencode's protocol. */
const limited: Reply = {
  kind: 'error',
  status: 429,
  type: 'rate_limit_error',
  message: 'This request would exceed your account’s rate limit. Please try again later.',
  headers: { 'retry-after': '3600' },
};

/** A step that is paid, and then no more. */
const paidThenRefused = [calls('bash', { command: 'echo begun', description: 'begin' }), limited];

describe('the real opencode, told to wait for an hour in mid-turn,', () => {
  let world: OpencodeWorld;
  beforeAll(async () => {
    world = await OpencodeWorld.start({
      'and now': [says('Here.')],
      'wait for it': paidThenRefused,
    });
  });
  afterAll(() => world?.stop());

  /** A session whose model was refused, with what was served and asked before it. */
  async function intoWait(): Promise<{ id: string; from: number }> {
    const from = world.api.served.length;
    const asked = world.api.seen.length;
    const silence = String(SILENCE_MS / 60_000);
    const id = await world.launch('wait for it', '--approvals', 'bypass', '--silence', silence);
    await until('the refusal', () => world.api.seen.length >= asked + 2, {
      withinMs: 120_000,
      tell: () => world.tell(),
    });
    return { id, from };
  }

  /** Its turn ended in this way, and what is told is what was served: nothing is owed. */
  async function expectPaid(id: string, from: number, turn: object): Promise<void> {
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ ...turn, usage: 'recorded' });
    expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served.slice(from)));
    expect(view.spend.unsettled).toBeUndefined();
  }

  async function expectGoesOn(id: string, from: number): Promise<void> {
    await world.cli('sessions', 'say', id, 'and now');
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]).toMatchObject({ outcome: 'ok' });
    expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served.slice(from)));
    expect(findFaults(await world.entries(id))).toEqual([]);
  }

  it('says nothing of it, and is ended by its silence', async () => {
    const { id, from } = await intoWait();
    const { view } = await world.detail(id);
    expect(view).toMatchObject({ state: 'working', failure: null });
    expect(silentUntil(silenceOf(view))).toBe(view.heardAt + SILENCE_MS);
    const asked = world.api.seen.length;
    const error = { code: 'no_output' };
    await expectPaid(id, from, { outcome: 'killed', error: expect.objectContaining(error) });
    // It waited, and asked nobody meanwhile; all that was told of the turn is the silence.
    expect(world.api.seen).toHaveLength(asked);
    const told = (await world.events(id, 'notice/raised')).map(({ code }) => code);
    expect(told.filter((code) => code !== 'preflight')).toEqual(['no_output']);
    await expectGoesOn(id, from);
  });

  it('is ended by an interrupt', async () => {
    const { id, from } = await intoWait();
    const done = await world.cli('sessions', 'interrupt', id);
    expect(done.exitCode, done.stderr).toBe(0);
    await expectPaid(id, from, { outcome: 'interrupted', error: null });
    await expectGoesOn(id, from);
  });

  it('is ended by a stop', async () => {
    const { id, from } = await intoWait();
    await world.cli('sessions', 'stop', id);
    const { view } = await world.untilState(id, 'stopped');
    expect(view.failure).toBeNull();
    await expectPaid(id, from, { outcome: 'interrupted' });
  });
});
