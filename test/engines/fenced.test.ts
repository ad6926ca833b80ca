import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actPage, usagePage } from '../../protocol/http.ts';
import { ENGINES } from '../../runner/engines/registry.ts';
import { findFaults } from '../faults/record.ts';
import { says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);

const scriptOf = ({ runs }: EngineRecord): Script => ({
  'say bye': [
    // Not every engine tells what its commands print.
    runs(
      'sed -i s/hello/bye/ a.txt && git commit -qam bye && git config --global user.name > seen.txt; echo looked >> seen.txt',
    ),
    // By itself: one that asks is refused the call whole, and may end its turn with it.
    runs('git push -q origin HEAD:main'),
    says('Done.'),
  ],
  'and again': [
    runs('git push -q origin HEAD:refs/heads/feature'),
    says('I said bye, and pushed it.'),
  ],
});

it('has every form of every engine to prove', () => {
  expect(PROVEN.length).toBeGreaterThanOrEqual(6);
});

describe.each(PROVEN)('the real %s behind a fence', (key, record) => {
  // A form that tells nothing of its use tells nothing behind a fence either.
  const metered = ENGINES.find((each) => keyOf(each) === key)?.capabilities.usage !== 'none';
  const ended = { outcome: 'ok', usage: metered ? 'recorded' : 'unobservable' };
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start(scriptOf(record));
    writeFileSync(join(world.home, '.gitconfig'), '[user]\n\tname = The Person\n');
  });
  afterAll(() => world?.stop());

  const tip = (branch: string) =>
    execFileSync('git', ['log', '-1', '--format=%s', branch], {
      cwd: world.remote,
      encoding: 'utf8',
    });

  it('works in its checkout, reports spend and act, moves no protected branch, and goes on', async () => {
    const id = await world.launch('say bye', ...record.unasked, '--grade', 'fenced');
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.checkout?.grade?.grade).toBe('fenced');
    expect(view.turns[0]).toMatchObject(ended);
    const directory = view.checkout?.directory ?? '';
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('bye\n');
    expect(readFileSync(join(world.repository, 'a.txt'), 'utf8')).toBe('hello\n');
    expect(tip('main')).toBe('start\n');
    // The person's own configuration of git is among what a fence takes away.
    expect(readFileSync(join(directory, 'seen.txt'), 'utf8')).toBe('looked\n');
    const acts = await until('the act’s outcome', async () => {
      const { items } = await world.get(actPage, `/v1/acts?sessionId=${id}`);
      return items.length > 0 && items.every(({ outcome }) => outcome !== null) ? items : null;
    });
    // A push that would move the default branch is a merge.
    expect(new Set(acts.map(({ kind }) => kind))).toEqual(new Set(['merge']));
    expect(acts.map(({ outcome }) => outcome)).not.toContain('done');
    const { items } = await world.get(usagePage, `/v1/usage?sessionId=${id}`);
    expect(items.length).toBeGreaterThan(0);

    await world.cli('sessions', 'say', id, 'and again');
    await world.approveUntilEnd(id, 2);
    const second = await world.untilTurns(id, 2);
    expect(second.view.turns[1]).toMatchObject(ended);
    expect(tip('feature')).toBe('bye\n');
    const ids = (await world.events(id, 'engine/ready')).map((event) => event.engineSessionId);
    expect(new Set(ids).size).toBe(1);
    expect(findFaults(await world.entries(id))).toEqual([]);
  });
});
