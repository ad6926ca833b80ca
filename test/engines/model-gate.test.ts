import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { modelDifference } from '../../protocol/model-calls.ts';
import { ENGINES } from '../../runner/engines/registry.ts';
import { says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

/** Every form of the engines whose calls can be led through the gate. */
const GATED = ENGINES.flatMap((engine): [string, EngineRecord][] => {
  const record = RECORDS[keyOf(engine)];
  return engine.modelRoute && record?.kind === 'proven' ? [[keyOf(engine), record]] : [];
});
/** It tells no dollars of its own: the gate alone knows what it costs. */
const UNMETERED = ['gemini-acp'];

let world: EngineWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

it('has every form of the three real engines behind the gate', () => {
  expect(GATED.map(([key]) => key)).toEqual([
    'claude',
    'codex',
    'codex-app-server',
    'gemini',
    'gemini-acp',
  ]);
});

const environmentOf = (pid: number): string => readFileSync(`/proc/${pid}/environ`, 'utf8');
const grades = (key: string) => (key.startsWith('gemini') ? ['open'] : ['open', 'sealed']);

describe.each(
  GATED.flatMap(([key, record]) => grades(key).map((grade) => [key, grade, record] as const)),
)('the real %s in a session that is %s', (key, grade, record) => {
  it('calls through the gate without having the key, and every call is counted', async () => {
    const script: Script = { 'work on': [record.runs('sleep 1; echo done'), says('All done.')] };
    const started = await record.start(script);
    world = started;
    const id = await started.launch('work on', '--grade', grade, ...record.unasked);
    const pid = await until(
      'the process',
      async () =>
        (await started.events(id, 'launch/staged')).find(({ process }) => process)?.process?.pid,
      { withinMs: 60_000, tell: () => started.tell() },
    );
    const environment = environmentOf(pid);
    await started.approveUntilEnd(id);
    const { view } = await started.untilTurns(id, 1);
    expect([view.turns[0]?.outcome, view.turns[0]?.error]).toEqual(['ok', null]);

    expect(environment).toContain('pilothouse-');
    expect(environment).not.toContain(record.canary);
    const { seen } = started.api as unknown as { seen: { apiKey: string | null }[] };
    expect(new Set(seen.map(({ apiKey }) => apiKey))).toEqual(new Set([record.canary]));

    const bill = record.bill(started, 0);
    expect(view.model).toMatchObject({ through: 'gate', reason: null, refused: 0 });
    expect(view.model?.calls).toBe(started.api.served.length);
    const apart = Math.abs((view.model?.microUsd ?? 0) - bill.microUsd);
    expect(apart).toBeLessThanOrEqual(started.api.served.length);
    if (!UNMETERED.includes(key)) expect(view.model?.engineMicroUsd).not.toBeNull();
    expect(view.model && modelDifference(view.model)).toBeNull();
    expect(JSON.stringify(await started.entries(id))).not.toMatch(/pilothouse-[0-9a-f]{40}/);
  });
});
