import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { bringBack } from '../../../runner/guard/workspace.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { aDirectory, aRepository, commit, gitIn } from '../guard/repositories.ts';

/** Every way that is known to talk hooks and shims around, and some more. */
const EVASIONS: readonly [name: string, script: (remote: string, source: string) => string][] = [
  ['--no-verify', () => 'git push --no-verify origin HEAD:main'],
  ['-c core.hooksPath', () => 'git -c core.hooksPath=/dev/null push origin HEAD:main'],
  ['an empty environment', () => 'env -i /usr/bin/git push origin HEAD:main'],
  [
    'GIT_CONFIG_COUNT=0',
    () => 'GIT_CONFIG_COUNT=0 GIT_CONFIG_GLOBAL=/dev/null git push origin HEAD:main',
  ],
  ['send-pack', () => 'git send-pack $(git remote get-url origin) HEAD:refs/heads/main'],
  [
    '--receive-pack',
    () =>
      "git push --receive-pack='git -c receive.procReceiveRefs= receive-pack' origin +HEAD:main",
  ],
  [
    'the gate’s own hook, configuration and refs',
    (remote) =>
      `for d in $(find ~ /tmp /run -name gate.git -o -name proc-receive 2>/dev/null); do rm -rf $d; done; git config remote.origin.receivepack x; git push origin HEAD:main; git config --unset remote.origin.receivepack; git push origin HEAD:main; ls ${remote}/../../data`,
  ],
  [
    'the real path',
    (remote) => `git push ${remote} HEAD:main; git push file://${remote} HEAD:main`,
  ],
  ['another remote', (remote) => `git remote add real ${remote}; git push real HEAD:main`],
  [
    'force, and deleting',
    () => 'git push --force origin HEAD:main; git push origin :main; git push --mirror origin',
  ],
  [
    'ssh keys',
    () => 'cat ~/.ssh/id_ed25519; ssh -o BatchMode=yes -i ~/.ssh/id_ed25519 localhost true',
  ],
  [
    'other repositories',
    (_remote, source) =>
      `cat ${source}/readme.md; git -C ${source} push origin HEAD:main; git push ${source} HEAD:main`,
  ],
  ['other letters', () => 'git push origin HEAD:MAIN HEAD:refs/heads/Main'],
  [
    'a ref that a forge merges from',
    () => 'git push origin HEAD:refs/for/main HEAD:refs/pull/1/merge',
  ],
  [
    'an option for the forge',
    () =>
      'git push -o merge_request.create -o merge_request.merge_when_pipeline_succeeds origin HEAD:main',
  ],
  [
    'a ref of its own repository',
    () => 'git update-ref refs/heads/main HEAD; git push origin main',
  ],
  [
    'python',
    () => 'python3 -c \'import subprocess; subprocess.run(["git","push","origin","HEAD:main"])\'',
  ],
  [
    'a second clone',
    () =>
      'git clone -q $(git remote get-url origin) /tmp/second && git push /tmp/second HEAD:x && git -C /tmp/second push origin x:main',
  ],
  [
    'a script in the background',
    () =>
      'printf "git push origin HEAD:main" > /tmp/p.sh; (setsid sh /tmp/p.sh >/dev/null 2>&1 &); sleep 2',
  ],
  [
    'a request that is not git’s',
    () =>
      'u=$(git remote get-url origin); p=${u#git://127.0.0.1:}; p=${p%%/*}; printf "0032git-receive-pack /ses_two/00\\0host=x\\0" | timeout 2 bash -c "exec 3<>/dev/tcp/127.0.0.1/$p; cat >&3; cat <&3"',
  ],
];

describe.skipIf(sealProblem !== null)('a sealed session with a remote', () => {
  const remote = join(aDirectory(), 'remote.git');
  const asked: string[] = [];
  const forge = createServer((request, response) => {
    asked.push(request.headers.authorization ?? 'nobody');
    response.statusCode = 401;
    response.end();
  });
  let room: SealedRoom;
  let main: string;
  let number = 0;
  const tip = (branch: string) =>
    gitIn(remote, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  const work = (script: string) => {
    number += 1;
    return room.say(
      `echo ${number} > work-${number}; git add -A; git commit -qm w${number}; ${script}`,
    );
  };

  beforeAll(async () => {
    const source = aRepository();
    gitIn(source, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    gitIn(source, 'remote', 'add', 'origin', remote);
    gitIn(source, 'push', '--quiet', '--set-upstream', 'origin', 'main', 'main:theirs');
    room = await SealedRoom.make(source);
    mkdirSync(join(room.home, '.ssh'));
    writeFileSync(join(room.home, '.ssh', 'id_ed25519'), 'KEY-OF-THE-PERSON');
    main = tip('main');
    await new Promise<void>((resolve) => forge.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await room.keeper.close();
    forge.close();
  });

  it('pushes a branch of its own, moves it on, and rewrites it', async () => {
    const said = await work('git push origin HEAD:feature');
    expect(tip('feature')).toBe(gitIn(room.checkout.top, 'rev-parse', 'HEAD'));
    expect(said).toContain('[new branch]');
    await work(
      'git push origin HEAD:feature && git commit --amend -qm again && git push -f origin HEAD:feature',
    );
    expect(tip('feature')).toBe(gitIn(room.checkout.top, 'rev-parse', 'HEAD'));
  });

  it('is told in a sentence why a protected branch does not move, and what to do', async () => {
    const said = await work('git push origin HEAD:main HEAD:second');
    expect(said).toContain('main is protected; push a branch of your own and open a pull request');
    expect(tip('main')).toBe(main);
    expect(tip('second')).not.toBe('');
  });

  it('fetches what others pushed meanwhile', async () => {
    const other = aDirectory();
    gitIn(other, 'clone', '--quiet', '--branch', 'theirs', remote, 'c');
    gitIn(join(other, 'c'), 'config', 'user.name', 'Bo');
    gitIn(join(other, 'c'), 'config', 'user.email', 'bo@example.com');
    const theirs = commit(join(other, 'c'), 'b.txt', 'b');
    gitIn(join(other, 'c'), 'push', '--quiet', 'origin', 'theirs');
    expect(await room.say('git fetch -q origin && git rev-parse origin/theirs')).toContain(theirs);
    expect(await work('git push -f origin HEAD:theirs')).toContain('did not make the branch');
    expect(tip('theirs')).toBe(theirs);
  });

  it('is told what the remote itself said', async () => {
    writeFileSync(join(remote, 'hooks', 'update'), '#!/bin/sh\necho no luck >&2\nexit 1\n', {
      mode: 0o755,
    });
    const said = await work('git push origin HEAD:third');
    writeFileSync(join(remote, 'hooks', 'update'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    expect(said).toMatch(/remote rejected.*hook declined/);
    expect(tip('third')).toBe('');
  });

  it.each(EVASIONS)('moves no protected branch by %s', async (_name, script) => {
    const said = await work(script(remote, room.checkout.source.top));
    expect(tip('main')).toBe(main);
    expect(said).not.toContain('KEY-OF-THE-PERSON');
    expect(gitIn(room.checkout.source.top, 'rev-parse', 'main')).toBe(main);
  });

  it('pushes no workflow, however it is spelled or hidden, and is told which', async () => {
    const hide =
      'mkdir -p .github/workflows; echo evil > .github/workflows/x.yml; git add -A; git commit -qm x';
    const said = await work(`${hide}; git push origin HEAD:with-workflow`);
    expect(said).toContain('it changes .github/workflows/x.yml, which is protected');
    await work(
      'git rm -q .github/workflows/x.yml; git commit -qm gone; git push origin HEAD:undone',
    );
    await work('git tag -a v9 -m v9; git push origin v9; git reset -q --hard HEAD~4');
    expect([tip('with-workflow'), tip('undone')]).toEqual(['', '']);
    expect(gitIn(remote, 'tag')).toBe('');
  });

  it('pushes nothing where its policy is not known', async () => {
    room.policy = null;
    const said = await work('git push origin HEAD:unknown-policy');
    room.policy = DEFAULT_POLICY;
    expect(said).toContain('The merge policy cannot be read, so nothing is allowed');
    expect(tip('unknown-policy')).toBe('');
  });

  it('has each decision on record, ref by ref', () => {
    const outcomes = room.pushes.flatMap((push) => push.outcomes);
    const of = (ref: string) => outcomes.filter((each) => each.ref === `refs/heads/${ref}`);
    expect(of('feature')[0]).toMatchObject({ kind: 'push', outcome: 'done', by: 'forge' });
    expect(of('third')[0]).toMatchObject({ outcome: 'not_done', by: 'forge' });
    expect(of('with-workflow')[0]).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(of('main').length).toBeGreaterThan(5);
    for (const { outcome, by } of of('main')) expect([outcome, by]).toEqual(['not_done', 'policy']);
  });

  it('asks a forge over HTTP as nobody', async () => {
    const url = `http://127.0.0.1:${(forge.address() as AddressInfo).port}/r.git`;
    await room.say(`GIT_TERMINAL_PROMPT=0 git push ${url} HEAD:main`, {
      GH_TOKEN: 'forge-token-value',
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(['nobody']));
  });

  it('runs nothing outside of its seal by configuration, hooks, attributes and filters', async () => {
    const mark = join(room.home, 'ran-outside');
    const run = `touch ${mark}`;
    await work(
      `git config core.fsmonitor '${run}'; git config core.sshCommand '${run}'; git config filter.x.clean '${run}'; git config filter.x.smudge '${run}'; git config uploadpack.packObjectsHook '${run}'; git config gc.auto 1; echo '* filter=x' > .gitattributes; for h in pre-push post-checkout reference-transaction update pre-receive; do printf '#!/bin/sh\\n${run}\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done; mkdir -p .git/hooks; git add -A; git commit -qm x; git push origin HEAD:feature2; rm -f ${mark}`,
    );
    await bringBack(room.checkout, null);
    expect(existsSync(mark)).toBe(false);
    expect(tip('feature2')).not.toBe('');
  });
});
