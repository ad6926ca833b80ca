import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actId } from '../../../protocol/ids.ts';
import { GuardedRoom } from '../../support/guarded.ts';
import { aDirectory, commit, gitIn } from '../guard/repositories.ts';

/** A room whose session has a commit that the remote does not. */
function aRoom(): GuardedRoom {
  const room = new GuardedRoom();
  commit(room.repository, 'work.md', 'work\n');
  return room;
}

let kept: GuardedRoom | undefined;
/** One for all tests that leave it as it was. */
const aKeptRoom = (): GuardedRoom => (kept ??= aRoom());

describe('a push of an open session', () => {
  it('of a branch of its own goes through, and is noted', async () => {
    const room = aRoom();
    const { status } = await room.run('git push --quiet origin HEAD:feature');
    expect(status).toBe(0);
    expect(room.tip('feature')).toBe(gitIn(room.repository, 'rev-parse', 'HEAD'));
    expect(room.passed).toEqual(['refs/heads/feature']);
  });

  it('of a protected branch is refused with the gate’s own sentence, and nothing of it is sent', async () => {
    const room = aRoom();
    const main = room.tip('main');
    const { status, said } = await room.run('git push origin HEAD:feature HEAD:main');
    expect(status).toBe(1);
    expect(said).toContain(
      'origin main: main is protected; push a branch of your own and open a pull request',
    );
    expect([room.tip('main'), room.tip('feature')]).toEqual([main, '']);
    expect(room.refused).toMatchObject([{ kind: 'push', target: 'origin main' }]);
    expect(room.passed).toEqual([]);
  });

  it('is the person’s own where it is made in a shell of theirs', async () => {
    const room = aRoom();
    expect(await room.run('true')).toMatchObject({ status: 0 });
    expect(await room.byHand('git push --quiet origin HEAD:main')).toMatchObject({ status: 0 });
    expect(room.seen).toEqual([]);
  });

  it.each([
    ['an address', (remote: string) => `git push ${remote} HEAD:main`],
    ['a script', () => 'printf "git push origin HEAD:main" > s.sh; sh s.sh'],
    ['an alias', () => 'git -c alias.ship="push origin HEAD:main" ship'],
    [
      'a language',
      () => `python3 -c 'import os; exit(os.system("git push origin HEAD:main") >> 8)'`,
    ],
    [
      'another clone',
      (remote: string) =>
        `git clone -q ${remote} c && cd c && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git push`,
    ],
    ['a worktree', () => 'git worktree add -q w && cd w && git push origin HEAD:main'],
    [
      'a bare repository',
      () =>
        'git clone -q --bare . b.git && git -C b.git push ../../$(basename "$PWD") HEAD:main; git -C b.git remote remove origin; git -C b.git remote add origin "$(git remote get-url origin)"; git -C b.git push origin HEAD:main',
    ],
    [
      'hooks of the repository',
      () =>
        'git config core.hooksPath .none; git push origin HEAD:main; s=$?; git config --unset core.hooksPath; exit $s',
    ],
    ['a deletion', () => 'git push origin :main'],
    ['a mirror', () => 'git push --mirror origin'],
  ])('is judged by way of %s', async (_name, script) => {
    const room = aKeptRoom();
    const main = room.tip('main');
    const { status, said } = await room.run(script(room.remote));
    expect(said).toContain('main is protected');
    expect(status).not.toBe(0);
    expect(room.tip('main')).toBe(main);
  });

  it('that rewrites is refused for a branch of others, and let go for one that it made', async () => {
    const room = aRoom();
    gitIn(room.repository, 'push', '--quiet', 'origin', 'HEAD:theirs', 'HEAD:own');
    room.watched = { since: null, claims: [], made: ['origin refs/heads/own'] };
    const amend = 'git commit -q --amend -m other';
    expect((await room.run(`${amend}; git push --force origin HEAD:theirs`)).said).toContain(
      'this session did not make the branch',
    );
    expect(await room.run('git push --quiet --force origin HEAD:own')).toMatchObject({ status: 0 });
  });

  it('of a protected path is refused, also where a later commit takes it back', async () => {
    const room = aRoom();
    const path = '.github/workflows/é.yml';
    commit(room.repository, path, 'on: push\n');
    gitIn(room.repository, 'rm', '--quiet', path);
    gitIn(room.repository, 'commit', '--quiet', '-m', 'gone');
    const { said } = await room.run('git push origin HEAD:feature');
    expect(said).toContain('.github/workflows/é.yml, which is protected');
  });

  it('is on record once, however often it is asked about, and by whom it is asked', async () => {
    const room = aRoom();
    await room.guards.attend(room.checkout);
    const [before, after] = ['1'.repeat(40), '2'.repeat(40)];
    const refs = [{ ref: 'refs/heads/main', before, after, forward: true, paths: [] }];
    const ask = { do: 'push', id: randomUUID(), remote: 'origin', refs };
    const said = await room.ask(ask);
    expect(said).toContain('main is protected');
    expect(await room.ask(ask)).toBe(said);
    expect(room.seen).toMatchObject([{ pushId: ask.id }]);
    await room.ask({ ...ask, id: randomUUID() });
    await room.ask({ ...ask, id: undefined });
    expect(room.seen).toHaveLength(3);
  });

  it('goes on after a restart of the runner, and waits for it', async () => {
    const room = aRoom();
    await room.run('true');
    await room.stop();
    const pushing = room.run('git push origin HEAD:main');
    await room.restart();
    expect((await pushing).said).toContain('main is protected');
  });

  it('is refused, whatever it is, while no runner answers', async () => {
    const room = aRoom();
    await room.run('true');
    const { guards } = room;
    await room.stop();
    room.guards = guards;
    const { status, said } = await room.run('git push origin HEAD:feature');
    expect(status).toBe(1);
    expect(said).toContain('the runner of this machine does not answer');
    expect(room.tip('feature')).toBe('');
  }, 20_000);

  it('is refused where the policy cannot be known', async () => {
    const room = aRoom();
    room.policy = null;
    expect((await room.run('git push origin HEAD:feature')).said).toContain('could not be judged');
  });

  it('that the policy leaves to a person goes through where they allowed the call, and else not', async () => {
    const room = aRoom();
    room.policy = { mode: 'ask' };
    const push = 'git push origin HEAD:main';
    expect((await room.run(push)).said).toContain('no person was asked');
    const claim = {
      actId: actId.parse('act_one'),
      kind: 'push' as const,
      toolId: 'tool-1',
      command: push,
      target: 'origin HEAD:main',
      gate: false,
      claimId: null,
      move: null,
      outcome: null,
    };
    room.watched = { since: null, claims: [claim], allowed: ['tool-2'] };
    expect((await room.run(push)).status).toBe(1);
    room.watched = { since: null, claims: [claim], allowed: ['tool-1'] };
    expect((await room.run(push)).status).toBe(0);
  });
});

describe('a hook of the repository itself', () => {
  const HOOK = '#!/bin/sh\necho "$0 $*: $(cat | tr \'\\n\' ,)"; pwd\n';

  it.each([
    ['.git/hooks', ''],
    ['.husky/_', 'git config core.hooksPath .husky/_'],
    ['elsewhere', 'git config core.hooksPath "$PWD/elsewhere"'],
    [
      'included',
      'git config include.path hooks.inc; git config -f .git/hooks.inc core.hooksPath included',
    ],
    ['mine', 'git config --global core.hooksPath "$PWD/mine"'],
  ])('in %s is run with the same words, input and directory', async (place, prepare) => {
    const room = aRoom();
    await room.byHand(prepare);
    for (const name of ['pre-push', 'commit-msg', 'reference-transaction', 'post-commit'])
      room.put(join(place, name), HOOK);
    const script = (branch: string) =>
      `cd "$(mktemp -d -p .)"; git commit -q --allow-empty -m x; git push -q origin HEAD:${branch}; git reset -q --soft HEAD~1`;
    const plain = await room.byHand(script('one'));
    const guarded = await room.run(script('two'));
    const same = (text: string) =>
      text.replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT').replaceAll(/\b(one|two)\b/g, 'BRANCH');
    expect(same(guarded.said)).toBe(same(plain.said));
    expect(plain.said).toContain(`${place}/pre-push origin`);
  });

  it('is found where it is now, also where it was looked for before', async () => {
    const room = aRoom();
    const commits = 'git commit -q --allow-empty -m x';
    // What is younger than a configuration is looked at by the second.
    utimesSync(join(room.repository, '.git/config'), 1, 1);
    const silent = { status: 0, said: '' };
    expect([await room.run(commits), await room.run(commits)]).toEqual([silent, silent]);
    expect(existsSync(join(room.guard, 'hooks-known', room.repository, 'plain'))).toBe(true);
    room.put('.git/hooks/post-commit', '#!/bin/sh\necho "here $0"\n');
    expect((await room.run(commits)).said).toBe('here .git/hooks/post-commit\n');
    room.put('there/post-commit', '#!/bin/sh\necho there\n');
    const elsewhere = `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=there ${commits}`;
    expect((await room.run(elsewhere)).said).toBe('there\n');
    expect((await room.run(`git config core.hooksPath there; ${commits}`)).said).toBe('there\n');
    await room.byHand('git config --unset core.hooksPath; git config include.path more');
    await room.run(commits);
    await room.byHand('git config -f .git/more core.hooksPath there');
    expect((await room.run(commits)).said).toBe('there\n');
  });

  it('decides by its exit status, after the guard', async () => {
    const room = aRoom();
    room.put('.git/hooks/pre-push', '#!/bin/sh\necho their hook; exit 3\n');
    const refused = await room.run('git push origin HEAD:feature');
    expect(refused).toMatchObject({ status: 1, said: expect.stringContaining('their hook') });
    expect(room.tip('feature')).toBe('');
    const guarded = await room.run('git push origin HEAD:main');
    expect(guarded.said).not.toContain('their hook');
    room.put('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
    expect((await room.run('git commit -q --allow-empty -m x')).status).toBe(1);
  });

  it.each([
    ['cannot be run', (room: GuardedRoom) => room.put('.git/hooks/pre-commit', 'exit 1\n', 0o644)],
    [
      'is a directory',
      (room: GuardedRoom) =>
        mkdirSync(join(room.repository, '.git/hooks/pre-commit'), { recursive: true }),
    ],
    ['names no program', (room: GuardedRoom) => room.put('.git/hooks/pre-commit', 'exit 5\n')],
    [
      'names one that is not there',
      (room: GuardedRoom) => room.put('.git/hooks/pre-commit', '#!/nowhere\n'),
    ],
  ])('that %s ends as it does without a guard', async (_name, put) => {
    const room = aKeptRoom();
    rmSync(join(room.repository, '.git/hooks'), { recursive: true, force: true });
    put(room);
    const commits = 'git commit -q --allow-empty -m x';
    const plain = await room.byHand(commits);
    expect((await room.run(commits)).status).toBe(plain.status);
  });

  it('is found beside what git was told on its command line, and by the person’s environment', async () => {
    const room = aRoom();
    room.env = { GIT_CONFIG_PARAMETERS: `'core.hooksPath=${room.repository}/theirs'` };
    room.put('theirs/pre-commit', '#!/bin/sh\necho theirs; git config user.name\n');
    const { said } = await room.run("git -c user.name='A B' commit -q --allow-empty -m x");
    expect(said).toBe('theirs\nA B\n');
  });

  it('in a worktree and in a bare repository is that of the repository', async () => {
    const room = aRoom();
    room.put('.git/hooks/post-checkout', '#!/bin/sh\necho checked out\n');
    const tree = await room.run('git worktree add -q w');
    expect(tree.said).toContain('checked out');
    const bare = aDirectory();
    gitIn(bare, 'clone', '--quiet', '--bare', room.repository, 'b.git');
    writeFileSync(join(bare, 'b.git/hooks/pre-push'), '#!/bin/sh\necho bare $1\n');
    chmodSync(join(bare, 'b.git/hooks/pre-push'), 0o755);
    const pushed = await room.run(`git push ${room.remote} HEAD:feature`, join(bare, 'b.git'));
    expect(pushed.said).toContain(`bare ${room.remote}`);
  });

  it('of a repository that is pushed to is its own', async () => {
    const room = aRoom();
    writeFileSync(join(room.remote, 'hooks/update'), '#!/bin/sh\necho taken by "$(pwd)"\n', {
      mode: 0o755,
    });
    expect((await room.run('git push origin HEAD:feature')).said).toContain(
      `taken by ${room.remote}`,
    );
  });

  it('keeps nothing in the person’s configuration, nor in the repository’s', async () => {
    const room = aRoom();
    const read = 'git config --list --show-origin | sort';
    const before = await room.byHand(read);
    await room.run('git push -q origin HEAD:feature; git branch other');
    expect(await room.byHand(read)).toEqual(before);
  });
});

describe('a session whose runner runs in another session', () => {
  it('has its own guard alone, with the hooks and programs of the person behind it', async () => {
    const [outer, inner] = [aRoom(), aRoom()];
    outer.giveForge();
    const { env } = await outer.guards.put(
      { argv: ['true'], directory: outer.repository, env: outer.env },
      outer.checkout,
    );
    inner.env = { ...env, GIT_CONFIG_PARAMETERS: `'a.b=c' ${env['GIT_CONFIG_PARAMETERS']}` };
    inner.put('.git/hooks/post-commit', '#!/bin/sh\necho "here $0"; git config a.b\n');
    const { said } = await inner.run('git commit -q --allow-empty -m x; gh pr view 4');
    expect(said).toBe('here .git/hooks/post-commit\nc\ngh was asked: pr view 4 <>\n');
    expect((await inner.run('git push origin HEAD:main')).said).toContain('main is protected');
    expect([outer.refused.length, inner.refused.length]).toEqual([0, 1]);
  });
});

describe('the command line of a forge in an open session', () => {
  function aForgeRoom(): GuardedRoom {
    const room = aKeptRoom();
    room.seen.length = 0;
    room.giveForge();
    return room;
  }

  it.each([
    ['gh pr merge 4 --squash', 'the session may not merge'],
    ['gh -R a/b pr merge 4', 'the session may not merge'],
    ['gh api -X PUT repos/a/b/pulls/4/merge', 'the session may not merge'],
    ['gh release create v1', 'the session may not push tags'],
    ["gh api 'repos/a/b/pulls/4/merge# view' -X PUT", 'the session may not merge'],
    ['gh -R view pr merge 4', 'the session may not merge'],
  ])('%s is refused before it runs', async (line, reason) => {
    const room = aForgeRoom();
    const { status, said } = await room.run(line);
    expect({ status, said }).toMatchObject({ status: 1, said: expect.stringContaining(reason) });
    expect(said).not.toContain('gh was asked');
    expect(room.refused).toMatchObject([{ command: line }]);
  });

  it.each(['gh pr view 4', 'gh pr create --title "a b" --body -', 'gh --version', 'gh'])(
    '%s is the person’s own program, with the same words, input and status',
    async (line) => {
      const room = aForgeRoom();
      const plain = await room.byHand(line, room.repository, 'input');
      expect(await room.run(line, room.repository, 'input')).toEqual(plain);
      expect(plain).toMatchObject({ status: 7 });
    },
  );

  it('is not there where the machine has none', async () => {
    const room = aForgeRoom();
    expect((await room.run('command -v glab')).said).toBe('');
    expect((await room.run('command -v gh')).said).toContain('/guard/programs/gh');
  });
});
