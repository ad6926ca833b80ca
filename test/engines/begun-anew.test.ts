import { afterEach, describe, expect, it } from 'vitest';
import { usagePage } from '../../protocol/http.ts';
import type { Reply } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import type { EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const FORMS = ['claude', 'codex', 'codex-app-server'] as const;

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

/** An answer of about 10,000 tokens, most of which no brief repeats. */
const atLength = (name: string): Reply => ({
  kind: 'message',
  content: [{ type: 'text', text: `${name} `.repeat(40_000 / (name.length + 1)) }],
  readsAgain: true,
});
// The brief repeats what was asked before, so that the newest instruction is looked for first.
const SCRIPT = {
  'the fourth part': [atLength('delta')],
  'the third part': [atLength('gamma')],
  'the second part': [atLength('beta')],
  'the first part': [atLength('alpha')],
};

describe.each(FORMS)('a long conversation of the real %s', (key) => {
  it('is begun anew in its place: the next turn reads the brief, says so, and is paid for as served', async () => {
    const record = RECORDS[key];
    if (record?.kind !== 'proven') throw new Error(`${key} has its record`);
    const started = await record.start(SCRIPT);
    world = started;
    const id = await started.launch('Write the first part.', ...record.unasked);
    const say = async (part: string, turns: number) => {
      const said = await started.cli('sessions', 'say', id, `Write the ${part} part.`);
      expect(said.exitCode, said.stderr).toBe(0);
      return started.untilTurns(id, turns);
    };
    await started.untilTurns(id, 1);
    await say('second', 2);
    await say('third', 3);
    const before = (await started.detail(id)).view;
    const served = started.api.served.length;

    await started.untilState(id, 'idle', 'parked');
    const compacted = await started.cli('sessions', 'compact', id);
    expect(compacted.exitCode, compacted.stderr).toBe(0);
    const { view } = await say('fourth', 4);
    expect(view.turns.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok']);

    // The request carries the brief alone: 6,000 characters of each answer at most, of 40,000.
    const request = JSON.stringify(started.api.seen.at(-1)?.request);
    expect(request).toContain('Write the first part.');
    expect(request.split('alpha').length - 1).toBeLessThan(1_200);
    const briefed = view.turns[3]?.briefed;
    expect(briefed).toMatchObject({ turns: 3 });
    expect(briefed?.chars).toBeGreaterThan(10_000);
    expect(briefed?.chars).toBeLessThanOrEqual(24_000);

    const rows = await until('the ledger', async () => {
      const { items } = await started.get(usagePage, `/v1/usage?sessionId=${id}`);
      const sum = items.reduce((total, row) => total + (row.microUsd ?? 0), 0);
      const bill = record.bill(started, 0);
      return Math.abs(sum - bill.microUsd) <= bill.roundedMicroUsd + items.length ? items : null;
    });
    const readAgain = (turn: number) =>
      rows
        .filter(({ turnId }) => turnId === view.turns[turn]?.turnId)
        .reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0);
    expect(readAgain(2)).toBeGreaterThan(18_000);
    expect(readAgain(3)).toBeLessThan(readAgain(2) / 2);
    expect(record.bill(started, served).microUsd).toBeLessThan(
      record.bill(started, 0).microUsd / 2,
    );
    expect(before.turns.every((turn) => turn.briefed === null)).toBe(true);
  });
});
