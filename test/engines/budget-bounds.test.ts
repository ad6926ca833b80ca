import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../runner/engines/registry.ts';
import type { Reply } from '../support/model-api/script.ts';
import { says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import {
  BOUNDS,
  makeTable,
  type Measured,
  measuredPath,
  type Way,
  withTable,
} from './budget-bounds.ts';
import { type EngineRecord, type EngineWorld, keyOf } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

/** `BUDGET_BOUNDS=all` keeps what was measured, from which the table is made. */
const KEEPS = process.env['BUDGET_BOUNDS'] === 'all';
const PAGE = 'docs/budgets.md';
/** Half a dollar, in micro-USD: the fourth call of a turn crosses it. */
const GRANT = 500_000;
const STEPS = 12;
/** OpenCode alone takes a minute to its first turn on a machine that is busy. */
const WITHIN_MS = 240_000;
/** Tokens of an answer that come to a third of it or less, by the first word of a form's name. */
const OUTPUT: Readonly<Record<string, number>> = {
  claude: 8_000,
  codex: 5_000,
  gemini: 55_000,
  opencode: 8_000,
};

const CASES = Object.entries(BOUNDS).flatMap(([key, ways]) =>
  (Object.keys(ways) as Way[]).map((way) => [key, way] as const),
);

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

/** Answers that cost, so that a few of them reach a budget of dollars. */
function costly(reply: Reply, key: string): Reply {
  const tokens = OUTPUT[key.split('-')[0] ?? ''];
  if (reply.kind !== 'message' || tokens === undefined) throw new Error(`${key} has no answer`);
  return { ...reply, usage: { output_tokens: tokens } };
}

/** A turn that would come to three times what it may. */
async function spend(
  record: EngineRecord,
  key: string,
  way: Way,
): Promise<{ world: EngineWorld; id: string }> {
  const steps = Array.from({ length: STEPS }, (_, index) =>
    costly(record.runs(`echo ${index}`), key),
  );
  const started = await record.start({ 'work for long': [...steps, says('Said at the end.')] });
  world = started;
  if (way !== 'gate') started.writeLimits('bypass = true\nmodel_gate = false');
  const dollars = String(GRANT / 1_000_000);
  const budget = way === 'grant' ? [] : ['--budget', dollars];
  if (way === 'grant')
    await started.cli('budget', 'set', '--daily', '--dollars', String((4 * GRANT) / 1_000_000));
  const isSlow = key === 'opencode';
  const unasked = isSlow ? ['--approvals', 'bypass'] : record.unasked;
  const id = await started.launch('work for long', ...budget, ...unasked);
  if (isSlow)
    await until(
      'the turn to end',
      async () => (await started.events(id, 'turn/ended')).length > 0,
      {
        withinMs: WITHIN_MS,
        tell: () => `${started.api.served.length} calls were served. ${started.tell()}`,
      },
    );
  else await started.approveUntilEnd(id);
  return { world: started, id };
}

/** What was served, from its bills: which call crossed, and how many began after it. */
function measure(record: EngineRecord, started: EngineWorld): Measured {
  const calls = started.api.served.length;
  const { microUsd } = record.bill(started, 0);
  const upTo = (call: number) => microUsd - record.bill(started, call).microUsd;
  const after = Array.from({ length: calls }, (_, index) => upTo(index + 1));
  const crossing = after.findIndex((sum) => sum > GRANT);
  return {
    version: record.version,
    grantMicroUsd: GRANT,
    calls,
    microUsd,
    callsBeyond: crossing === -1 ? -1 : calls - crossing - 1,
  };
}

describe.each(CASES)('a turn of the real %s with a budget, by way of its %s', (key, way) => {
  it(
    'goes no further over it than is published',
    async () => {
      const record = RECORDS[key];
      const bound = BOUNDS[key]?.[way];
      if (record?.kind !== 'proven' || !bound) throw new Error(`${key} has no record`);
      const { world: started, id } = await spend(record, key, way);
      const measured = measure(record, started);
      if (KEEPS) {
        mkdirSync(dirname(measuredPath(key, way)), { recursive: true });
        writeFileSync(measuredPath(key, way), `${JSON.stringify(measured, null, 1)}\n`);
      }
      const told = JSON.stringify(measured);
      expect(measured.microUsd, told).toBeGreaterThan(GRANT / 2);
      if (bound.callsBeyond === null) expect(measured.calls, told).toBeGreaterThan(STEPS);
      else {
        expect(measured.callsBeyond, told).toBeLessThanOrEqual(bound.callsBeyond);
        expect(measured.calls, told).toBeLessThan(STEPS);
      }
      if (bound.halts) {
        const { view } = await started.untilState(id, 'halted');
        expect(view.reason).toContain('tells nothing of what it costs');
      } else if (way === 'grant') {
        const { view } = await started.untilTurns(id, 1);
        expect(view.state, told).not.toBe('halted');
      } else {
        const { view } = await started.untilState(id, 'halted');
        expect(view.reason).toMatch(/limit of \$0\.50/);
        expect(view.reason).toMatch(/Launch a new one with a higher limit/);
      }
    },
    WITHIN_MS + 120_000,
  );
});

it('names every engine form that a record proves, and no other', () => {
  const proven = ENGINES.map(keyOf).filter((key) => RECORDS[key]?.kind === 'proven');
  expect(Object.keys(BOUNDS).toSorted()).toEqual(proven.toSorted());
});

it('is published as it was measured: `-u` writes the page again', async () => {
  const page = withTable(readFileSync(PAGE, 'utf8'), makeTable(ENGINES));
  await expect(page).toMatchFileSnapshot(`../../${PAGE}`);
});
