import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { says } from '../support/model-api/script.ts';
import type { EngineRecord, EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);

describe.each(PROVEN)('the real %s', (_key, record) => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start({ 'say hello': [says('Hello.')], 'and again': [says('Again.')] });
  });
  afterAll(() => world?.stop());

  it('tells its model the policy, and the record has the person’s words alone', async () => {
    const id = await world.launch('say hello', ...record.unasked);
    await world.untilTurns(id, 1);
    const asked = world.api.seen.map(({ request }) => JSON.stringify(request));
    const first = asked.find((request) => request.includes('say hello')) ?? '';
    expect(first).toContain('Pilothouse runs this session under a policy: May open pull requests.');
    expect(first).toMatch(/opens a pull request; nothing else of .+ has a login here/);
    const [turn] = await world.events(id, 'turn/accepted');
    expect(turn?.text).toBe('say hello');
    await world.cli('sessions', 'say', id, 'and again');
    await world.untilTurns(id, 2);
    const last = JSON.stringify(world.api.seen.at(-1)?.request);
    expect(last.split('under a policy').length - 1).toBeLessThanOrEqual(2);
  });
});
