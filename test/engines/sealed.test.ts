import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeSeal } from '../../runner/seal/probe.ts';
import { findFaults } from '../faults/record.ts';
import { says, type Script } from '../support/model-api/script.ts';
import { ENGINES } from '../../runner/engines/registry.ts';
import { keyOf, type EngineRecord, type EngineWorld } from './conformance/record.ts';
import { withBeside } from './conformance/record-pass.ts';
import { RECORDS } from './conformance/records.ts';

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);
const support = probeSeal(process.env);

it('can be tried on this machine', () => {
  expect(support.problem).toBeNull();
});

const scriptOf = ({ runs }: EngineRecord): Script => ({
  'say bye': [
    runs(
      'sed -i s/hello/bye/ a.txt && git commit -qam bye && git log --oneline && git push -q origin HEAD:refs/heads/feature',
    ),
    // What the policy denies would not even be tried. What is seen goes into a file, because not
    // every engine tells what its commands print.
    runs('cat ~/letters/private.txt ~/project/a.txt > seen.txt 2>&1; id -u >> seen.txt'),
    says('Done.'),
  ],
  'and again': [says('I said bye.')],
});

describe.skipIf(!support.available).each(PROVEN)('the real %s in a seal', (key, record) => {
  // A form that tells nothing of its use tells nothing in a seal either.
  const metered = ENGINES.find((each) => keyOf(each) === key)?.capabilities.usage !== 'none';
  const ended = { outcome: 'ok', usage: metered ? 'recorded' : 'unobservable' };
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start(scriptOf(record));
    mkdirSync(join(world.home, 'letters'));
    writeFileSync(join(world.home, 'letters', 'private.txt'), 'LETTER-OF-THE-PERSON');
  });
  afterAll(() => world?.stop());

  it('works, reports its turns, sees nothing of the person’s, and goes on in the same conversation', async () => {
    // Sealed is what nobody need ask for.
    const id = await world.launch('say bye', ...record.unasked);
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.checkout?.grade?.grade).toBe('sealed');
    expect(view.turns[0]).toMatchObject(ended);
    const seen = readFileSync(join(view.checkout?.directory ?? '', 'seen.txt'), 'utf8');
    expect(seen.match(/No such file/g)).toHaveLength(2);
    expect(seen).toMatch(/^1\d{3}$/m);
    const told = (await world.events(id, 'tool/ended')).map(({ output }) => output.text);
    expect(`${seen}${told.join('')}`).not.toMatch(/LETTER-OF-THE-PERSON|hello/);
    expect(readFileSync(join(world.home, 'project', 'a.txt'), 'utf8')).toBe('hello\n');
    const pushed = execFileSync('git', ['log', '-1', '--format=%s', 'feature'], {
      cwd: world.remote,
    });
    expect(String(pushed)).toBe('bye\n');
    await world.cli('sessions', 'say', id, 'and again');
    const second = await world.untilTurns(id, 2);
    expect(second.view.turns[1]).toMatchObject(ended);
    expect(findFaults(await world.entries(id))).toEqual([]);
  });

  // The last: it looks at what is before it.
  it('has passed, which is recorded: `-u` writes it', async ({ task }) => {
    const { text, path } = withBeside(key, 'sealed', task);
    await expect(text).toMatchFileSnapshot(path);
  });
});
