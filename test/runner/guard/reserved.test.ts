import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { prepareCheckout } from '../../../runner/guard/prepare.ts';
import { describeWorkspace, listDirectories } from '../../../runner/guard/workspace.ts';
import { decideLaunchAllowed, type Limits } from '../../../runner/limits.ts';
import { isOwnPlace } from '../../../runner/limits/own-places.ts';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import {
  aDirectory,
  aRepository,
  commit,
  gitIn,
  limitsFor,
  OTHER_SESSION,
  ownCheckout,
  requestFor,
  write,
} from './repositories.ts';

let home: string;
let data: string;
let checkout: OwnCheckout;
let proof: string;
let limits: Limits;

/** A session's checkout, in which the session planted a filter for whoever records changes there. */
beforeEach(async () => {
  home = aDirectory();
  data = join(home, '.pilothouse');
  proof = join(aDirectory(), 'ran');
  limits = { ...limitsFor('/'), own: [data] };
  checkout = await ownCheckout(aRepository(), { root: join(data, 'runner', 'checkouts') });
  plantFilter(join(checkout.top, '.git'));
  write(checkout.top, 'in/readme.md', 'touched\n');
});

function plantFilter(gitDirectory: string): void {
  gitIn(checkout.top, 'config', 'filter.evil.clean', `echo ran >> '${proof}'; cat`);
  mkdirSync(join(gitDirectory, 'info'), { recursive: true });
  writeFileSync(join(gitDirectory, 'info', 'attributes'), '* filter=evil\n');
}

const launchFrom = (directory: string, spec = {}, over: Partial<Limits> = {}) =>
  prepareCheckout(
    requestFor(directory, {
      sessionId: OTHER_SESSION,
      spec,
      root: join(data, 'runner', 'checkouts'),
      limits: { ...limits, ...over },
    }),
  );

const RESERVED = { code: 'directory_reserved' };

/** Directories elsewhere whose repository is the session's checkout, or is partly there. */
const INDIRECT: readonly [name: string, make: () => string][] = [
  [
    'a link',
    () => {
      const link = join(home, 'innocent');
      symlinkSync(checkout.top, link);
      return link;
    },
  ],
  [
    'a link to a directory of it',
    () => {
      const link = join(home, 'innocent');
      symlinkSync(join(checkout.top, 'in'), link);
      return link;
    },
  ],
  [
    'a .git file',
    () => {
      write(home, 'work/.git', `gitdir: ${join(checkout.top, '.git')}\n`);
      return join(home, 'work');
    },
  ],
  [
    'a .git link',
    () => {
      mkdirSync(join(home, 'work'));
      symlinkSync(join(checkout.top, '.git'), join(home, 'work', '.git'));
      return join(home, 'work');
    },
  ],
  [
    'a linked working tree of it',
    () => {
      gitIn(checkout.top, 'worktree', 'add', '--quiet', '--detach', join(home, 'tree'));
      return join(home, 'tree');
    },
  ],
  [
    'a git directory there that shares a person’s',
    () => {
      const person = aRepository();
      gitIn(person, 'worktree', 'add', '--quiet', '--detach', join(home, 'tree'));
      const at = gitIn(join(home, 'tree'), 'rev-parse', '--absolute-git-dir');
      const moved = join(checkout.top, 'private.git');
      write(moved, 'commondir', `${join(person, '.git')}\n`);
      write(moved, 'gitdir', `${join(home, 'tree', '.git')}\n`);
      for (const name of ['HEAD', 'index'])
        writeFileSync(join(moved, name), readFileSync(join(at, name)));
      writeFileSync(join(home, 'tree', '.git'), `gitdir: ${moved}\n`);
      return join(home, 'tree');
    },
  ],
  [
    'core.worktree',
    () => {
      const person = aRepository();
      gitIn(person, 'config', 'core.worktree', checkout.top);
      return person;
    },
  ],
];

describe('the checkout of a session', () => {
  test('would run what that session planted, were it taken for a person’s repository', async () => {
    await launchFrom(checkout.top, { fromUncommitted: true }, { own: [] });
    expect(existsSync(proof)).toBe(true);
  });

  test.each([
    ['with its uncommitted changes', { fromUncommitted: true }],
    ['as it is committed', {}],
    ['in place', { checkout: 'inPlace' as const }],
  ])('is no place to launch another from, %s', async (_name, spec) => {
    for (const at of [checkout.top, join(checkout.top, 'in'), join(checkout.top, '.git')])
      await expect(launchFrom(at, spec)).rejects.toMatchObject(RESERVED);
    expect(existsSync(proof)).toBe(false);
  });

  test.each(INDIRECT)('is none either that %s leads to', async (_name, make) => {
    const directory = make();
    for (const spec of [{ fromUncommitted: true }, {}, { checkout: 'inPlace' as const }])
      await expect(launchFrom(directory, spec)).rejects.toMatchObject(RESERVED);
    await expect(describeWorkspace(directory, limits)).rejects.toMatchObject(RESERVED);
    expect(existsSync(proof)).toBe(false);
  });

  test('is not described, not offered and not listed', async () => {
    await expect(describeWorkspace(checkout.top, limits)).rejects.toMatchObject(RESERVED);
    expect((await listDirectories(`${home}/.`, 10, limits)).entries).toEqual([]);
    expect((await listDirectories(`${checkout.top}/`, 10, limits)).entries).toEqual([]);
    expect((await listDirectories(`${home}/.`, 10, { ...limits, own: [] })).entries).toHaveLength(
      1,
    );
  });

  test('is allowed by no limits, even those that name it', () => {
    const named = { ...limitsFor(checkout.top), own: [data] };
    const launch = aLaunch({ directory: checkout.top });
    expect(decideLaunchAllowed(named, launch, checkout.top)).toMatchObject(RESERVED);
    expect(decideLaunchAllowed({ ...named, own: [] }, launch, checkout.top)).toEqual({
      allowed: true,
    });
  });

  test('says where to launch instead', async () => {
    const refused = await launchFrom(checkout.top).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PilothouseError);
    expect((refused as PilothouseError).message).toContain('Name the repository itself');
    expect((refused as PilothouseError).message).toContain(checkout.top);
  });
});

describe('everything else of the runner’s own', () => {
  test.each(['caches/x/.npm', 'seals/ses_one/home', 'seals/ses_one/tmp', 'rehearsals/ses_one'])(
    'is no place to launch from: %s',
    async (place) => {
      const at = join(data, 'runner', place);
      mkdirSync(at, { recursive: true });
      gitIn(at, 'init', '--quiet');
      await expect(launchFrom(at, { checkout: 'inPlace' })).rejects.toMatchObject(RESERVED);
      await expect(launchFrom(at)).rejects.toMatchObject(RESERVED);
    },
  );

  test('is known to the machine by its environment, and by where its runner is', () => {
    const elsewhere = aDirectory();
    const env = { PATH: process.env['PATH'], HOME: home, PILOTHOUSE_DATA: data };
    const ports = createLaunchPorts(join(elsewhere, 'runner'), env);
    mkdirSync(join(elsewhere, 'runner', 'checkouts'), { recursive: true });
    for (const directory of [data, checkout.top, join(elsewhere, 'runner', 'checkouts')])
      expect(ports.decideAllowed(aLaunch({ directory }), directory)).toMatchObject(RESERVED);
    expect(ports.decideAllowed(aLaunch({ directory: null }), '')).toEqual({ allowed: true });
  });
});

describe('a repository around the runner’s own files', () => {
  test('gives a session its uncommitted changes, and none of the runner’s', async () => {
    gitIn(home, 'init', '--quiet', '--initial-branch=main');
    gitIn(home, 'config', 'user.name', 'Ada');
    gitIn(home, 'config', 'user.email', 'ada@example.com');
    write(home, '.gitignore', 'nothing\n');
    gitIn(home, 'add', '.gitignore');
    gitIn(home, 'commit', '--quiet', '-m', 'Begin');
    write(home, '.profile', 'export A=1\n');
    write(data, 'runner/gate.key', 'THE-KEY-OF-THE-GATE');
    write(home, '.pilothouse-notes', 'a neighbour of the same beginning\n');
    const made = await launchFrom(home, { fromUncommitted: true });
    if (made.mode !== 'own') throw new Error('expected a checkout of its own');
    expect(existsSync(join(made.top, '.profile'))).toBe(true);
    expect(existsSync(join(made.top, '.pilothouse-notes'))).toBe(true);
    expect(existsSync(join(made.top, '.pilothouse'))).toBe(false);
    const held = gitIn(made.top, 'cat-file', '--batch-all-objects', '--batch', '--buffer');
    expect(held).toContain('export A=1');
    expect(held).not.toContain('THE-KEY');
    expect(existsSync(proof)).toBe(false);
  });
});

describe('isOwnPlace', () => {
  /** A disk on which capitals make no other name. */
  const folding = (path: string): string | null =>
    path.toLowerCase().startsWith('/home') || path === '/' ? path.toLowerCase() : null;

  test('knows a directory by what it is, however it is written', () => {
    expect(isOwnPlace(['/home/ada/.pilothouse'], '/HOME/Ada/.PilotHouse/x/y', folding)).toBe(true);
    expect(isOwnPlace(['/home/ada/.pilothouse'], '/home/ada/.pilothouse-x', folding)).toBe(false);
    expect(isOwnPlace(['/home/ada/.pilothouse'], '/home/ada', folding)).toBe(false);
  });

  test('knows one that is not there yet by its name, and no other by it', () => {
    const nothing = () => null;
    expect(isOwnPlace(['/data'], '/data/runner/checkouts', nothing)).toBe(true);
    expect(isOwnPlace(['/data'], '/database', nothing)).toBe(false);
    expect(isOwnPlace([], '/data', nothing)).toBe(false);
  });

  test('of a real disk tells a directory from its neighbours', () => {
    const at = join(data, 'runner', 'checkouts', 'ses_new', 'deep');
    expect(isOwnPlace([data], at)).toBe(true);
    expect(isOwnPlace([join(home, 'nowhere')], at)).toBe(false);
    expect(isOwnPlace([data], dirname(data))).toBe(false);
    const other = aRepository();
    commit(other, 'a', 'a');
    expect(isOwnPlace([data], other)).toBe(false);
  });
});
