import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import {
  bringObjects,
  lendObjects,
  listFilledIn,
  listUnbrought,
} from '../../../runner/lfs/checkout.ts';
import { objectPath, storeOf } from '../../../runner/lfs/store.ts';
import { aRepository, commit, gitIn, SESSION, write } from '../guard/repositories.ts';
import { pointerText, pointerTo } from './pointer-text.ts';

let person: string;
let session: string;
let base: string;
beforeEach(() => {
  person = aRepository();
  session = aRepository();
  base = commit(session, 'old.png', pointerText('an old picture'));
});

const inStore = (top: string, text: string) =>
  objectPath(storeOf(join(top, '.git')), pointerTo(text));
function keep(top: string, text: string): void {
  mkdirSync(dirname(inStore(top, text)), { recursive: true });
  writeFileSync(inStore(top, text), text);
}
const has = (top: string, text: string) => existsSync(inStore(top, text));
/** The session's checkout, whose commits go back to the person's repository. */
const checkout = (): OwnCheckout => ({
  mode: 'own',
  sessionId: SESSION,
  directory: session,
  top: session,
  branch: 'pilothouse/x',
  baseCommit: base,
  keptCommit: base,
  included: [],
  fromUncommitted: false,
  source: { top: person, commonDirectory: join(person, '.git'), bare: false },
  view: join(session, '.git'),
});
const options = () => ({ directory: session });

describe('the contents that a checkout begins with', () => {
  const lend = () =>
    lendObjects(
      { commonDirectory: join(person, '.git'), config: new Map() },
      base,
      join(session, '.git'),
      options(),
    );

  it('are copies of those that its files stand for, and of no others', async () => {
    for (const text of ['an old picture', 'another']) keep(person, text);
    await lend();
    expect([has(session, 'an old picture'), has(session, 'another')]).toEqual([true, false]);
    writeFileSync(inStore(session, 'an old picture'), 'spoilt');
    expect(readFileSync(inStore(person, 'an old picture'), 'utf8')).toBe('an old picture');
  });

  it('are none where the person has none', async () => {
    await lend();
    expect(has(session, 'an old picture')).toBe(false);
  });
});

describe('the contents that a session made', () => {
  it('are brought to the person with the commits that name them', async () => {
    const made = commit(session, 'new.png', pointerText('a new picture'));
    for (const text of ['an old picture', 'a new picture', 'in no commit']) keep(session, text);
    const named = { ...pointerTo('a new picture'), path: 'new.png' };
    expect(await listUnbrought(checkout(), [made], options())).toEqual([named]);
    await bringObjects(checkout(), [made], options());
    expect(
      ['a new picture', 'an old picture', 'in no commit'].map((text) => has(person, text)),
    ).toEqual([true, false, false]);
    expect(await listUnbrought(checkout(), [made], options())).toEqual([]);
  });

  it('go where the person keeps theirs', async () => {
    gitIn(person, 'config', 'lfs.storage', 'elsewhere');
    const made = commit(session, 'new.png', pointerText('a new picture'));
    keep(session, 'a new picture');
    await bringObjects(checkout(), [made], options());
    const store = join(person, '.git', 'elsewhere', 'objects');
    expect(readFileSync(objectPath(store, pointerTo('a new picture')), 'utf8')).toBe(
      'a new picture',
    );
  });

  it('are waited for by nobody where the session does not have them either', async () => {
    const made = commit(session, 'new.png', pointerText('a new picture'));
    expect(await listUnbrought(checkout(), [made], options())).toEqual([]);
    keep(session, 'something else');
    expect(await listUnbrought(checkout(), [made], options())).toEqual([]);
    await bringObjects(checkout(), [made], options());
    expect(has(person, 'a new picture')).toBe(false);
  });
});

describe('a file whose content stands where git has a pointer', () => {
  it('is not taken for changed, unless it is', async () => {
    for (const name of ['filled', 'changed', 'gone', 'words'])
      commit(session, name, name === 'words' ? 'words' : pointerText(`picture of ${name}`));
    write(session, 'filled', 'picture of filled');
    write(session, 'changed', 'PICTURE of changed');
    write(session, 'words', 'other words');
    rmSync(join(session, 'gone'));
    expect(await listFilledIn(session, options())).toEqual(['filled']);
  });

  it('is found under every name that it has', async () => {
    for (const name of ['one', 'two words']) commit(session, name, pointerText('a picture'));
    for (const name of ['one', 'two words']) write(session, name, 'a picture');
    expect((await listFilledIn(session, options())).toSorted()).toEqual(['one', 'two words']);
  });

  it('is none where nothing changed', async () => {
    expect(await listFilledIn(session, options())).toEqual([]);
  });
});
