import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { aDirectory, commit, gitIn } from '../guard/repositories.ts';
import { WitnessRoom } from './witness-room.ts';

let room: WitnessRoom;
const COMMIT = 'echo x >> work.md && git add -A && git commit -qm work';

describe('in a checkout of its own', () => {
  beforeEach(async () => {
    room = await WitnessRoom.make();
  });

  it('finds nothing where nothing left the checkout', async () => {
    room.run(COMMIT);
    const told = await room.endTurn();
    expect(told.events.map(({ type }) => type)).toEqual(['turn/witnessed']);
    expect(told.summary.places.map(({ name, skipped }) => [name, skipped])).toEqual([
      ['repository', null],
      ['origin', null],
    ]);
    expect(told.others).toEqual([]);
  });

  it('joins a push with what the stream told of it: one act, seen by two', async () => {
    const line = `${COMMIT} && git push origin HEAD:feature`;
    expect(room.run(line).exitCode).toBe(0);
    const told = await room.endTurn(room.claim(line));
    expect(told.discovered).toEqual([]);
    expect(told.findings).toEqual(['confirmed origin refs/heads/feature']);
  });

  it('finds a push that nothing told of', async () => {
    room.run(`${COMMIT}; git push origin HEAD:feature`);
    const told = await room.endTurn();
    expect(told.discovered).toEqual(['push origin feature']);
    expect(told.findings).toEqual(['unclaimed origin refs/heads/feature']);
    expect(told.of('act/ended')[0]).toMatchObject({ outcome: 'done' });
  });

  it('is the only source for an engine that tells nothing', async () => {
    room.run(`${COMMIT}; git push origin HEAD:feature`);
    expect((await room.endTurn([], false)).findings).toEqual(['only origin refs/heads/feature']);
  });

  it('finds a push by address, a reflog of which there is none', async () => {
    room.run(`${COMMIT}; git push "$REMOTE" HEAD:main`);
    const told = await room.endTurn();
    expect(told.discovered).toEqual(['merge origin main']);
    expect(told.summary.others).toEqual([]);
  });

  it('finds what the person’s own repository was made to hold', async () => {
    room.run(
      `${COMMIT}; git push "$REPOSITORY" HEAD:refs/heads/planted; git push "$REPOSITORY" HEAD:refs/tags/v9`,
    );
    const told = await room.endTurn();
    expect(told.discovered.toSorted()).toEqual(['push repository planted', 'tag repository v9']);
  });

  it('proves an act whose command line ended without proving anything', async () => {
    const line = `${COMMIT}; git push origin HEAD:feature; false`;
    room.run(line);
    const told = await room.endTurn(room.claim(line, 'unknown'));
    expect(told.findings).toEqual(['confirmed origin refs/heads/feature']);
    expect(told.of('act/ended')).toMatchObject([{ outcome: 'done' }]);
  });

  it('shows a claim that is said to be done and moved nothing', async () => {
    const told = await room.endTurn(room.claim('git push origin HEAD:feature'));
    expect(told.findings).toEqual(['unmoved -']);
  });

  it('says nothing of a claim that was not done', async () => {
    const told = await room.endTurn(room.claim('git push origin HEAD:feature', 'not_done'));
    expect(told.findings).toEqual([]);
  });

  it('blames nobody for what a colleague pushes in the same minute', async () => {
    const colleague = room.colleague();
    room.run(COMMIT);
    gitIn(colleague, 'push', '--quiet', 'origin', 'main');
    const told = await room.endTurn();
    expect(told.discovered).toEqual([]);
    expect(told.others).toEqual(['origin refs/heads/main']);
  });

  it('blames nobody for a colleague’s push although the session said it pushes there', async () => {
    const colleague = room.colleague();
    gitIn(colleague, 'push', '--quiet', 'origin', 'main');
    const line = `${COMMIT}; git push origin HEAD:main`;
    expect(room.run(line).exitCode).not.toBe(0);
    const told = await room.endTurn(room.claim(line, 'unknown'));
    expect(told.findings).toEqual([]);
    expect(told.others).toEqual(['origin refs/heads/main']);
  });

  it('blames nobody for a colleague’s commit that the session fetched', async () => {
    const colleague = room.colleague();
    gitIn(colleague, 'push', '--quiet', 'origin', 'main');
    room.run('git fetch -q origin; git merge -q origin/main; git pull -q "$REMOTE" main');
    const told = await room.endTurn(room.claim('git push origin main', 'unknown'));
    expect(told.discovered).toEqual([]);
    expect(told.others).toEqual(['origin refs/heads/main']);
  });

  it('blames nobody for what the person does with the session’s work of an earlier turn', async () => {
    room.run(COMMIT);
    await room.endTurn();
    const { checkout, repository } = room;
    const branch = checkout.mode === 'own' ? checkout.branch : '';
    gitIn(repository, 'merge', '--quiet', '--ff-only', branch);
    gitIn(repository, 'push', '--quiet', 'origin', 'main');
    const told = await room.endTurn();
    expect(told.discovered).toEqual([]);
    expect(told.others.toSorted()).toEqual([
      'origin refs/heads/main',
      'repository refs/heads/main',
    ]);
    expect(told.summary.others[0]?.reason).toContain('others have it too');
  });

  it('blames nobody for the person’s own commits and branches', async () => {
    commit(room.repository, 'mine.md', 'mine\n');
    gitIn(room.repository, 'tag', 'v5');
    const told = await room.endTurn();
    expect(told.discovered).toEqual([]);
    expect(told.others.toSorted()).toEqual([
      'repository refs/heads/main',
      'repository refs/tags/v5',
    ]);
  });

  it('tells a deletion by its claim, and by nothing else', async () => {
    const line = 'git push origin --delete old';
    expect(room.run(line).exitCode).toBe(0);
    const told = await room.endTurn(room.claim(line));
    expect(told.findings).toEqual(['confirmed origin refs/heads/old']);
    gitIn(room.repository, 'push', '--quiet', 'origin', ':refs/tags/v0');
    const later = await room.endTurn();
    expect(later.discovered).toEqual([]);
    expect(later.others).toEqual(['origin refs/tags/v0']);
  });

  it('tells a forced push from another, and a branch of the limits from one of nobody’s', async () => {
    room.protectedBranches = ['release/*'];
    room.run(`${COMMIT}; git push origin HEAD:feature HEAD:release/1`);
    const first = await room.endTurn();
    expect(first.discovered.toSorted()).toEqual(['merge origin release/1', 'push origin feature']);
    room.run('git commit -q --amend -m other; git push -f origin HEAD:feature');
    expect((await room.endTurn()).discovered).toEqual(['force_push origin feature']);
  });

  it('finds after a turn what a process in the background pushed then', async () => {
    room.run(COMMIT);
    await room.endTurn();
    room.run(`echo y > later.md; git add -A; git commit -qm later; git push "$REMOTE" HEAD:late`);
    expect((await room.endTurn()).discovered).toEqual(['push origin late']);
  });

  it('skips a remote that does not answer, says why, and spans the gap later', async () => {
    const away = `${room.remote}.away`;
    room.run(`${COMMIT}; git push origin HEAD:feature; mv "$REMOTE" "$REMOTE.away"`);
    const told = await room.endTurn(room.claim('git push origin HEAD:feature'));
    expect(told.findings).toEqual([]);
    expect(told.summary.places[1]).toMatchObject({ name: 'origin', refs: null });
    expect(told.summary.places[1]?.skipped).toContain('does not appear to be a git repository');
    room.run(`mv "${away}" "$REMOTE"`);
    expect((await room.endTurn()).summary.places[1]?.skipped).toContain('a minute later');
    room.now = () => Date.now() + 61_000;
    expect((await room.endTurn()).discovered).toEqual(['push origin feature']);
  });

  it('runs and reads nothing that the session left in its git directory', async () => {
    const proof = join(aDirectory(), 'ran');
    const trap = join(aDirectory(), 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${proof}'\n`);
    chmodSync(trap, 0o755);
    room.run(
      `git commit --no-verify -q --allow-empty -m x; git push --no-verify "$REMOTE" HEAD:feature; rm -rf .git/logs; ln -s /etc .git/logs; mkfifo .git/FETCH_HEAD`,
    );
    for (const [key, value] of [
      ['core.sshCommand', trap],
      ['core.fsmonitor', trap],
      ['core.hooksPath', join(trap, '..')],
      ['remote.origin.url', `ext::${trap}`],
      ['remote.other.url', `ext::${trap}`],
      ['credential.helper', trap],
      ['uploadpack.packObjectsHook', trap],
    ] as const)
      gitIn(room.directory, 'config', key, value);
    const told = await room.endTurn();
    expect(told.summary.places.map(({ name }) => name)).toEqual(['repository', 'origin']);
    expect(told.discovered).toEqual(['push origin feature']);
    expect(existsSync(proof)).toBe(false);
  });
});

describe('in place', () => {
  beforeEach(async () => {
    room = await WitnessRoom.make('inPlace');
  });

  it('takes commits on new branches for the work itself, and tells those on what others build on', async () => {
    room.run(`${COMMIT}; git switch -qc other; ${COMMIT}`);
    const told = await room.endTurn();
    expect(told.discovered).toEqual(['commit repository main']);
    expect(told.findings).toEqual(['only repository refs/heads/main']);
    expect([told.others, told.breaches]).toEqual([[], []]);
    room.run(COMMIT);
    expect((await room.endTurn()).discovered).toEqual([]);
  });

  it('finds a push by the reflog of the turn', async () => {
    room.run(`${COMMIT}; git push origin HEAD:feature`);
    expect((await room.endTurn()).left).toEqual(['push origin feature']);
  });

  it('finds a push by address by the commit that was made in the turn', async () => {
    room.run(`${COMMIT}; git push "$REMOTE" HEAD:main`);
    expect((await room.endTurn()).left).toEqual(['merge origin main']);
  });

  it('takes what its guard would have seen and did not for somebody else’s, unless the stream tells of it', async () => {
    const guard = { passed: [], sees: true };
    room.run(`${COMMIT}; git push -q origin HEAD:main`);
    const beside = await room.endTurn([], true, guard);
    expect([beside.left, beside.others, beside.breaches]).toEqual([
      [],
      ['origin refs/heads/main'],
      [],
    ]);
    const line = 'git push -q --no-verify origin HEAD:main';
    room.run(`${COMMIT}; ${line}`);
    const told = await room.endTurn(room.claim(line), true, guard);
    expect([told.findings, told.breaches]).toMatchObject([
      expect.arrayContaining(['confirmed origin refs/heads/main']),
      [{ kind: 'merge' }],
    ]);
  });

  it('takes for the session’s what its guard let go, whatever the reflogs say', async () => {
    room.run(
      `${COMMIT}; git -c core.logAllRefUpdates=false push -q "$REMOTE" HEAD:feature; git reset -q --hard HEAD~1; git push -q "$REMOTE" :old`,
    );
    const tip = room.run('git ls-remote -q "$REMOTE" refs/heads/feature').said.split('\t')[0] ?? '';
    const zero = '0'.repeat(40);
    const passed = [
      { ref: 'refs/heads/feature', before: zero, after: tip },
      { ref: 'refs/heads/old', before: tip, after: zero },
    ];
    expect((await room.endTurn([], true, { passed, sees: true })).left).toEqual([
      'push origin feature',
      'delete origin old',
    ]);
  });

  it('finds a merge into what others build on', async () => {
    room.run('git switch -qc feature');
    await room.begin();
    room.run(`${COMMIT}; git switch -q main; git merge -q --no-edit feature`);
    expect((await room.endTurn()).left).toEqual(['merge repository main']);
  });

  it('asks the first remotes also when the session changed them and the runner started again', async () => {
    const elsewhere = join(room.root, 'elsewhere.git');
    room.run(`git init -q --bare '${elsewhere}'`);
    room.run(
      `${COMMIT}; git push -q "$REMOTE" HEAD:main; git remote set-url origin '${elsewhere}'`,
    );
    room.restart();
    const told = await room.endTurn();
    expect(told.summary.places).toMatchObject([
      { name: 'repository' },
      { name: 'origin', refs: 3, skipped: null },
    ]);
    expect(told.left).toEqual(['merge origin main']);
  });

  it('knows from before the first turn where it works and what others build on', () => {
    room.run('git remote set-url origin /nowhere; git switch -q -c other; mkdir deep');
    room.restart();
    const known = { top: room.repository, heads: { origin: 'main' } };
    expect(room.witness.known(room.checkout)).toEqual(known);
    room.witness.forget(room.checkout.sessionId);
    expect(room.witness.known(room.checkout).heads).toEqual({});
  });

  it('keeps neither refs nor remotes of a session that is over for good', async () => {
    const kept = () => readdirSync(join(room.root, 'witness')).filter((name) => name !== 'empty');
    expect(kept()).toHaveLength(2);
    room.witness.forget(room.checkout.sessionId);
    expect(kept()).toEqual([]);
  });

  it('takes a protected branch by the spelling of a forge, as the gate does', async () => {
    room.protectedBranches = ['Release/*'];
    room.run(`${COMMIT}; git push origin HEAD:release/1 HEAD:feature`);
    expect((await room.endTurn()).left.toSorted()).toEqual([
      'merge origin release/1',
      'push origin feature',
    ]);
  });

  it('blames nobody for what is pushed from there between two turns', async () => {
    room.run(COMMIT);
    const told = await room.endTurn();
    expect(told.others).toEqual([]);
    // As the reflog tells it, long before the next turn began.
    gitIn(room.repository, 'push', '--quiet', 'origin', 'main');
    const logs = join(room.repository, '.git/logs/refs/remotes/origin/main');
    room.run(`sed -i -E 's/> [0-9]+ /> 1000000000 /' '${logs}'`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const later = await room.endTurn();
    expect(later.left).toEqual([]);
    expect(later.others).toEqual(['origin refs/heads/main']);
  });

  it('tells a branch and a tag that are gone by their claims', async () => {
    gitIn(room.repository, 'branch', 'gone');
    await room.begin();
    const line = 'git branch -D gone && git tag -d v0';
    expect(room.run(line).exitCode).toBe(0);
    expect((await room.endTurn(room.claim(line))).findings.toSorted()).toEqual([
      'confirmed repository refs/heads/gone',
      'confirmed repository refs/tags/v0',
    ]);
  });
});
