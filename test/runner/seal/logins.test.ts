import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Logins, reconcileLogin, type LoginPair } from '../../../runner/seal/logins.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { until } from '../../support/until.ts';
import { aDirectory } from '../guard/repositories.ts';

let pair: LoginPair;
let clock = 1_700_000_000;
const open: Logins[] = [];
beforeEach(() => {
  const top = aDirectory();
  mkdirSync(join(top, 'own'));
  mkdirSync(join(top, 'inside'));
  pair = {
    own: join(top, 'own', 'login.json'),
    inside: join(top, 'inside', 'login.json'),
    apart: false,
  };
});
afterEach(() => {
  for (const logins of open.splice(0)) logins.close();
});

/** Replaces a login as its program does: a new file, renamed over the old one. */
function renew(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  clock += 1;
  utimesSync(`${path}.new`, clock, clock);
  renameSync(`${path}.new`, path);
}
const read = (path: string) => readFileSync(path, 'utf8');

describe('a stored login', () => {
  it('is one and the same file for the person and the session', () => {
    renew(pair.own, '{"token":1}');
    reconcileLogin(pair);
    expect(statSync(pair.inside).ino).toBe(statSync(pair.own).ino);
    writeFileSync(pair.inside, '{"token":2}');
    expect(read(pair.own)).toBe('{"token":2}');
  });

  it.each(['own', 'inside'] as const)(
    'renewed by a rename on the side of %s is the same again',
    (side) => {
      renew(pair.own, '{"token":1}');
      reconcileLogin(pair);
      renew(pair[side], '{"token":2}');
      reconcileLogin(pair);
      expect([read(pair.own), read(pair.inside)]).toEqual(['{"token":2}', '{"token":2}']);
      expect(statSync(pair.inside).ino).toBe(statSync(pair.own).ino);
    },
  );

  it('that the session replaced by a link to somewhere else changes nothing of the person’s', () => {
    const elsewhere = join(pair.own, '..', 'elsewhere.json');
    writeFileSync(elsewhere, '{"other":1}');
    renew(pair.own, '{"token":1}');
    symlinkSync(elsewhere, pair.inside);
    reconcileLogin(pair);
    expect(statSync(pair.own).isFile()).toBe(true);
    expect([read(pair.own), read(pair.inside)]).toEqual(['{"token":1}', '{"token":1}']);
  });

  it('that the session filled with something else is not taken over', () => {
    renew(pair.own, '{"token":1}');
    renew(pair.inside, 'no login');
    expect(() => reconcileLogin(pair)).toThrow('something else');
    expect(read(pair.own)).toBe('{"token":1}');
  });

  it('that the person removed, or that only the session has, is not given to the person', () => {
    renew(pair.inside, '{"token":1}');
    reconcileLogin(pair);
    expect(existsSync(pair.own)).toBe(false);
  });

  it('leaves no file of its own behind', () => {
    renew(pair.own, '{"token":1}');
    linkSync(pair.own, pair.inside);
    reconcileLogin(pair);
    renew(pair.inside, '{"token":2}');
    reconcileLogin(pair);
    expect(existsSync(`${pair.own}.pilothouse-${process.pid}`)).toBe(false);
  });

  it('is watched on both sides', async () => {
    renew(pair.own, '{"token":1}');
    const logins = new Logins([pair], () => undefined);
    open.push(logins);
    logins.open();
    renew(pair.inside, '{"token":2}');
    await until('the person to have it', () => read(pair.own) === '{"token":2}');
    renew(pair.own, '{"token":3}');
    await until('the session to have it', () => read(pair.inside) === '{"token":3}');
    expect(read(pair.own)).toBe('{"token":3}');
  });

  it('that cannot be kept is told, and stops nothing', () => {
    renew(pair.own, '{"token":1}');
    renew(pair.inside, 'no login');
    const told: string[] = [];
    new Logins([pair], (_level, message) => void told.push(message)).reconcile();
    expect(told).toHaveLength(1);
    rmSync(pair.inside);
  });
});

describe('a login of a program that wants a file without a second name', () => {
  beforeEach(() => {
    pair = { ...pair, apart: true };
    renew(pair.own, '{"token":1}');
    reconcileLogin(pair);
  });

  it('is two files that only its owner reads', () => {
    expect(read(pair.inside)).toBe('{"token":1}');
    expect([statSync(pair.own).nlink, statSync(pair.inside).nlink]).toEqual([1, 1]);
    expect(statSync(pair.inside).mode & 0o777).toBe(0o600);
  });

  it.each(['own', 'inside'] as const)('renewed on the side of %s is the same again', (side) => {
    renew(pair[side], '{"token":2}');
    reconcileLogin(pair);
    expect([read(pair.own), read(pair.inside)]).toEqual(['{"token":2}', '{"token":2}']);
    expect(statSync(pair.own).nlink).toBe(1);
  });

  it('is left alone where both sides hold the same', () => {
    const before = statSync(pair.inside);
    utimesSync(pair.own, clock + 9, clock + 9);
    reconcileLogin(pair);
    expect(statSync(pair.inside).ino).toBe(before.ino);
  });

  it('is parted where an earlier version had linked it', () => {
    rmSync(pair.inside);
    linkSync(pair.own, pair.inside);
    reconcileLogin(pair);
    expect([read(pair.inside), statSync(pair.own).nlink]).toEqual(['{"token":1}', 1]);
  });

  it('is never read through a link that the session put there', () => {
    const elsewhere = join(pair.own, '..', 'elsewhere.json');
    writeFileSync(elsewhere, '{"other":1}');
    rmSync(pair.inside);
    symlinkSync(elsewhere, pair.inside);
    reconcileLogin(pair);
    expect([read(pair.own), read(pair.inside)]).toEqual(['{"token":1}', '{"token":1}']);
  });

  it('that the session filled with something else is not taken over', () => {
    renew(pair.inside, 'no login');
    expect(() => reconcileLogin(pair)).toThrow('something else');
    expect(read(pair.own)).toBe('{"token":1}');
  });
});

describe.skipIf(sealProblem !== null)('a login inside a seal', () => {
  it('is renewed by a rename there, and the person has the new one', async () => {
    const room = await SealedRoom.make();
    const own = join(room.own, 'login.json');
    writeFileSync(own, '{"token":1}');
    const said = await room.say(
      `cat ${own}; sleep 0.02; echo '{"token":2}' > ${own}.tmp && mv ${own}.tmp ${own} && echo renewed`,
    );
    expect(said).toContain('{"token":1}renewed');
    await until('the person to have it', () => read(own).trim() === '{"token":2}');
    renew(own, '{"token":3}');
    utimesSync(own, Date.now() / 1000 + 5, Date.now() / 1000 + 5);
    expect(await room.say(`cat ${own}`)).toContain('{"token":3}');
    room.keeper.leave(room.checkout.sessionId);
  });
});
