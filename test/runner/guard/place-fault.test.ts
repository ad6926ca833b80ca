import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { findPlaceFault } from '../../../runner/guard/place-fault.ts';
import { countForTree } from '../../../runner/guard/record-tree.ts';
import { refreshView } from '../../../runner/guard/view.ts';
import {
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  ownCheckout,
  SESSION,
  write,
} from './repositories.ts';

describe('a checkout of the session’s own', () => {
  let source: string;
  let checkout: OwnCheckout;
  let top: string;
  beforeEach(async () => {
    source = aRepository();
    commit(source, 'app/main.ts', '1\n');
    checkout = await ownCheckout(source, { spec: { directory: join(source, 'app') } });
    ({ top } = checkout);
  });

  const empty = () => {
    rmSync(top, { recursive: true });
    mkdirSync(top);
  };
  const fault = async () => {
    const found = await findPlaceFault(checkout);
    if (found !== null) expect(found.code).toBe('checkout_gone');
    expect(found?.detail ?? '').toMatch(/^$|on the branch pilothouse\//);
    return found?.detail ?? null;
  };

  test('that is whole and well has no fault, whatever was committed and deleted in it', async () => {
    expect(await fault()).toBeNull();
    commitInCheckout(checkout, 'app/more.ts', '2\n');
    rmSync(join(top, 'readme.md'));
    gitIn(top, 'checkout', '--quiet', '--orphan', 'anew');
    expect(await fault()).toBeNull();
  });

  const lost: Record<string, () => void> = {
    'was deleted': () => rmSync(top, { recursive: true }),
    'was emptied': empty,
    'has one stray file': () => {
      empty();
      write(top, 'app/.DS_Store', '');
    },
    'has its files and no .git': () => rmSync(join(top, '.git'), { recursive: true }),
    'has a .git without what is in it': () => {
      rmSync(join(top, '.git'), { recursive: true });
      mkdirSync(join(top, '.git'));
    },
    'has a .git without its objects': () =>
      rmSync(join(top, '.git', 'objects'), { recursive: true }),
    'has a .git without its head': () => rmSync(join(top, '.git', 'HEAD')),
    'is another repository by now': () => {
      empty();
      gitIn(top, 'init', '--quiet');
      write(top, 'app/main.ts', '1\n');
    },
    'was moved': () => renameSync(top, `${top}-moved`),
    'is a file': () => {
      rmSync(top, { recursive: true });
      writeFileSync(top, '');
    },
    'has no subdirectory any more': () => rmSync(join(top, 'app'), { recursive: true }),
    'has a file for its subdirectory': () => {
      rmSync(join(top, 'app'), { recursive: true });
      writeFileSync(join(top, 'app'), '');
    },
    'borrows from a repository that was moved': () => renameSync(source, `${source}-moved`),
  };

  test.each(Object.entries(lost))(
    'that %s has one, and it says where its commits are',
    async (_, lose) => {
      lose();
      expect(await fault()).not.toBeNull();
    },
  );

  test('is found while others look at it too', async () => {
    commitInCheckout(checkout, 'app/more.ts', '2\n');
    const looks = Array.from({ length: 40 }, async (_, index) =>
      index % 4 === 0 ? fault() : index % 4 === 1 ? countForTree(checkout) : refreshView(checkout),
    );
    expect(new Set(await Promise.all(looks))).toEqual(new Set([null, 0, undefined]));
  });

  test('is looked at without running or reading what the session can write', async () => {
    const trace = join(dirname(checkout.view), 'ran');
    const program = join(top, 'tell.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0" >>${trace}\n`);
    chmodSync(program, 0o755);
    for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'alias.cat-file'])
      gitIn(top, 'config', key, key.startsWith('alias') ? `!${program}` : program);
    gitIn(top, 'config', 'extensions.objectFormat', 'sha256');
    gitIn(
      dirname(top),
      'config',
      '--file',
      join(top, '.git/config'),
      'core.repositoryFormatVersion',
      '1',
    );
    expect(await fault()).toBeNull();
    expect(existsSync(trace)).toBe(false);
    // What the session configured does hold for who reads it.
    expect(() => gitIn(top, 'rev-parse', 'HEAD')).toThrow();
  });
});

describe('a directory in place', () => {
  const place = { mode: 'inPlace', sessionId: SESSION, branch: null, baseCommit: null } as const;

  test('may be empty, and not gone or a file', async () => {
    const directory = join(aDirectory(), 'app');
    mkdirSync(directory);
    expect(await findPlaceFault({ ...place, directory })).toBeNull();
    rmSync(directory, { recursive: true });
    const missing = { code: 'directory_missing', detail: directory };
    expect(await findPlaceFault({ ...place, directory })).toEqual(missing);
    writeFileSync(directory, '');
    expect(await findPlaceFault({ ...place, directory })).toEqual(missing);
  });

  test('that was in a repository is in one still, or says what to do', async () => {
    const directory = aRepository();
    const checkout = { ...place, directory, baseCommit: gitIn(directory, 'rev-parse', 'HEAD') };
    expect(await findPlaceFault(checkout)).toBeNull();
    rmSync(join(directory, '.git'), { recursive: true });
    expect(await findPlaceFault(checkout)).toMatchObject({
      code: 'workspace_refused',
      detail: expect.stringMatching(/in none now.*git init/),
    });
  });
});
