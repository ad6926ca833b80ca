import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../../protocol/checkpoints.ts';
import { treeOf } from '../../../../runner/cli/sessions/rewind.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { created, SESSION, TURN } from '../../../support/protocol-builders.ts';

const [START, AFTER, BEFORE] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
];
const ITEMS: Checkpoint[] = [
  { tree: BEFORE, at: Date.now(), kind: 'rewind', turnId: null },
  { tree: AFTER, at: Date.now() - 60_000, kind: 'turn', turnId: TURN },
  { tree: START, at: Date.now() - 120_000, kind: 'start', turnId: null },
];

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
  cloud.garble(/\/checkpoints$/, JSON.stringify({ items: ITEMS }));
});
afterEach(() => cloud.close());

describe('pilothouse sessions checkpoints', () => {
  it('lists what the files can be put back to, newest first', async () => {
    const { exitCode, stdout } = await runOn(cloud, 'sessions', 'checkpoints', SESSION);
    expect(exitCode).toBe(EXIT.ok);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^CHECKPOINT\s+WHEN\s+FILES AS THEY WERE$/);
    expect(lines[1]).toMatch(/^333333333333 .* before the files were put back$/);
    expect(lines[3]).toMatch(/^111111111111 .* where it began$/);
    expect(await jsonOf(cloud, 'sessions', 'checkpoints', SESSION)).toEqual({ items: ITEMS });
  });

  it('says when there is nothing yet', async () => {
    cloud.mend();
    cloud.garble(/\/checkpoints$/, JSON.stringify({ items: [] }));
    const { stdout } = await runOn(cloud, 'sessions', 'checkpoints', SESSION);
    expect(stdout).toContain('they are kept after each turn');
  });
});

describe('pilothouse sessions rewind', () => {
  const rewind = (...words: string[]) => runOn(cloud, 'sessions', 'rewind', SESSION, ...words);
  const answer = { sessionId: SESSION, tree: START, was: AFTER, files: 2 };

  it('puts the files back, and says how to take it back', async () => {
    cloud.garble(/\/rewind$/, JSON.stringify(answer));
    const { exitCode, stdout } = await rewind('--to', 'start');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('2 files were changed.');
    expect(stdout).toContain('Take it back with --to 222222222222.');
    expect(cloud.requests('POST')).toMatchObject([{ body: { tree: START } }]);
  });

  it('refuses what is no place, and a turn of which nothing is kept, before it asks', async () => {
    const odd = await rewind('--to', '../etc');
    expect(odd.exitCode).toBe(EXIT.usage);
    expect(odd.stderr).toContain('the number of a turn');
    const gone = await rewind('--to', '7', '--json');
    expect(gone.exitCode).toBe(EXIT.refused);
    expect(gone.stdout + gone.stderr).toContain('checkpoint_not_found');
    expect(cloud.requests('POST')).toEqual([]);
  });

  it('takes a turn by its number and a checkpoint by the beginning of its id', () => {
    const kept = { turnIds: ['trn_other', TURN], items: ITEMS };
    expect(treeOf(kept, '2')).toBe(AFTER);
    expect(treeOf(kept, '3333333')).toBe(BEFORE);
    expect(() => treeOf(kept, '1')).toThrow(/no such checkpoint/);
    expect(() => treeOf(kept, '4444444')).toThrow(/no such checkpoint/);
  });
});
