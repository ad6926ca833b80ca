import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actPage, usagePage } from '../../protocol/http.ts';
import { findFaults } from '../faults/record.ts';
import { says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import type { EngineRecord, EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const FENCED = (['claude', 'codex', 'gemini'] as const).map((key): [string, EngineRecord] => {
  const record = RECORDS[key];
  if (record?.kind !== 'proven') throw new Error(`${key} is not proven`);
  return [key, record];
});

const scriptOf = ({ runs }: EngineRecord): Script => ({
  'say bye': [
    runs('sed -i s/hello/bye/ a.txt && git commit -qam bye && git push -q origin HEAD:main'),
    says('Done.'),
  ],
});

describe.each(FENCED)('the real %s behind a fence', (_key, record) => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start(scriptOf(record));
  });
  afterAll(() => world?.stop());

  it('works and reports its first turn, its spend and its act, and moves no protected branch', async () => {
    const main = () =>
      execFileSync('git', ['rev-parse', 'main'], { cwd: world.remote, encoding: 'utf8' });
    const before = main();
    const id = await world.launch('say bye', ...record.unasked, '--grade', 'fenced');
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.checkout?.grade?.grade).toBe('fenced');
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(main()).toBe(before);
    const acts = await until('the act’s outcome', async () => {
      const { items } = await world.get(actPage, `/v1/acts?sessionId=${id}`);
      return items.length > 0 && items.every(({ outcome }) => outcome !== null) ? items : null;
    });
    // A push that would move the default branch is a merge.
    expect(new Set(acts.map(({ kind }) => kind))).toEqual(new Set(['merge']));
    expect(acts.map(({ outcome }) => outcome)).not.toContain('done');
    const { items } = await world.get(usagePage, `/v1/usage?sessionId=${id}`);
    expect(items.length).toBeGreaterThan(0);
    expect(findFaults(await world.entries(id))).toEqual([]);
  });
});
