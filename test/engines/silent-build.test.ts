import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { says } from '../support/model-api/script.ts';
import type { EngineRecord, EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const SILENT_S = 31;

/** Codex goes back to its model while a command runs, so that nothing of it is silent for so long. */
const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] =>
    entry[1].kind === 'proven' && !entry[0].startsWith('codex'),
);

describe.each(PROVEN)('a build of half a minute that the real %s runs', (_key, record) => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start({
      'build it': [
        record.runs(`timeout ${SILENT_S} tail -f /dev/null; echo built`),
        says('It is built.'),
      ],
    });
  });
  afterAll(() => world?.stop());

  it('says nothing all the while, and is touched by nobody', async () => {
    const id = await world.launch('build it', ...record.unasked);
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', error: null });
    const [began] = await world.events(id, 'tool/started');
    const [ended] = await world.events(id, 'tool/ended');
    expect(ended?.toolId).toBe(began?.toolId);
    expect(ended?.outcome).not.toBe('failed');
    expect(ended?.durationMs).toBeGreaterThan(30_000);
    expect(await world.events(id, 'action/requested')).toEqual([]);
  });
});
