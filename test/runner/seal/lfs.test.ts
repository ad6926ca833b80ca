import { createHash } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLosses } from '../../../runner/guard/release.ts';
import { bringBack } from '../../../runner/guard/workspace.ts';
import { countCheckoutChanges } from '../../../runner/guard/view.ts';
import { LfsServer, lfsProblem } from '../../support/lfs-server.ts';
import { sealProblem, SealedRoom } from '../../support/sealed.ts';
import { aDirectory, aRepository, commit, gitIn } from '../guard/repositories.ts';

const FILTER = [
  ['filter.lfs.process', 'git-lfs filter-process'],
  ['filter.lfs.clean', 'git-lfs clean -- %f'],
  ['filter.lfs.smudge', 'git-lfs smudge -- %f'],
  ['filter.lfs.required', 'true'],
] as const;

const contentOf = (name: string): string => `${name}\n`.repeat(5_000);
const oidOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A person's repository of which files are in Git LFS, on a forge that asks for their login. */
class LfsHouse {
  readonly server = new LfsServer();
  readonly remote = join(aDirectory(), 'remote.git');
  readonly source = aRepository();
  room!: SealedRoom;

  static async make(grade: 'sealed' | 'fenced'): Promise<LfsHouse> {
    const house = new LfsHouse();
    const { source, remote, server } = house;
    await server.listen();
    gitIn(source, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    gitIn(source, 'remote', 'add', 'origin', remote);
    house.#setUp(source);
    commit(source, '.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    commit(source, 'art/first.bin', contentOf('first'));
    await house.#push(source, 'main');
    house.room = await SealedRoom.make(source, grade);
    return house;
  }

  /** What the person has told git: the filter, the server, and a helper that knows the login. */
  #setUp(directory: string): void {
    const { username, password } = this.server.login;
    const helper = `!f() { echo username=${username}; echo password=${password}; }; f`;
    for (const [key, value] of [
      ...FILTER,
      ['lfs.url', this.server.url],
      ['credential.helper', helper],
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.com'],
    ] as const)
      gitIn(directory, 'config', key, value);
  }

  /** Beside this process, in which the server is. */
  async #push(directory: string, branch: string): Promise<void> {
    await promisify(execFile)('git', ['lfs', 'push', 'origin', branch], { cwd: directory });
    // git-lfs put its hook there, which would give what it has given already.
    gitIn(directory, 'push', '--quiet', '--no-verify', 'origin', branch);
  }

  /** Somebody else pushes a file to a branch that the person has never fetched. */
  async colleague(branch: string, name: string): Promise<void> {
    const work = join(aDirectory(), 'work');
    gitIn(this.source, 'clone', '--quiet', '--no-checkout', this.remote, work);
    this.#setUp(work);
    // In this process git would wait for a server that waits for git.
    gitIn(work, 'config', 'filter.lfs.process', 'git-lfs filter-process --skip');
    gitIn(work, 'checkout', '--quiet', '-b', branch, 'origin/main');
    commit(work, `art/${name}.bin`, contentOf(name));
    await this.#push(work, branch);
  }

  tip(branch: string): string {
    return gitIn(this.remote, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  }

  close(): Promise<void> {
    this.server.close();
    return this.room.end();
  }
}

describe.skipIf(lfsProblem !== null).each(['sealed', 'fenced'] as const)(
  'files of Git LFS in a %s session',
  (grade) => {
    let house: LfsHouse;
    const skipped = grade === 'sealed' && sealProblem !== null;
    beforeAll(async () => {
      if (!skipped) house = await LfsHouse.make(grade);
    }, 60_000);
    afterAll(() => house?.close());

    it.skipIf(skipped)(
      'are there as the person has them, as copies, and count as unchanged',
      async () => {
        const { room } = house;
        const inside = join(room.checkout.top, 'art/first.bin');
        expect(readFileSync(inside, 'utf8')).toBe(contentOf('first'));
        expect(await room.say('git status --porcelain')).toBe('');
        expect(await countCheckoutChanges(room.checkout)).toBe(0);
        const oid = oidOf(contentOf('first'));
        const kept = join('lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid);
        writeFileSync(join(room.checkout.top, '.git', kept), 'spoilt');
        expect(readFileSync(join(house.source, '.git', kept), 'utf8')).toBe(contentOf('first'));
        rmSync(join(room.checkout.top, '.git', kept));
      },
    );

    it.skipIf(skipped)(
      'reach the forge with the push that names them, by the person’s login',
      async () => {
        const { room, server } = house;
        writeFileSync(join(room.checkout.top, 'art/new.bin'), contentOf('new'));
        const said = await room.say(
          'git lfs install --local >/dev/null; git add -A && git commit -qm new && git push origin HEAD:refs/heads/work 2>&1; git config -l; env',
        );
        expect(said).toContain('[new branch]');
        expect(house.tip('work')).not.toBe('');
        expect(server.objects.get(oidOf(contentOf('new')))?.toString()).toBe(contentOf('new'));
        expect(said).not.toContain(server.login.password);
        expect(await countCheckoutChanges(room.checkout)).toBe(0);
        const waiting = join(room.root, 'checkouts/.host', room.checkout.sessionId, 'gate.git/lfs');
        await expect.poll(() => filesIn(waiting)).toEqual([]);
      },
    );

    it.skipIf(skipped || grade !== 'sealed')(
      'reach the forge from a session that reaches its gate alone',
      async () => {
        const { room, server } = house;
        const { checkout } = room;
        const closed = {
          grade: 'sealed',
          reason: 'It was chosen.',
          network: 'model-only',
        } as const;
        room.checkout = { ...checkout, grade: closed };
        writeFileSync(join(checkout.top, 'art/closed.bin'), contentOf('closed'));
        const said = await room.say(
          'git add -A && git commit -qm closed && git push origin HEAD:refs/heads/closed 2>&1; grep -c : /proc/net/dev',
        );
        room.checkout = checkout;
        expect(said).toContain('[new branch]');
        expect(said).toMatch(/^1$/m);
        const given = server.objects.get(oidOf(contentOf('closed')));
        expect(given?.toString()).toBe(contentOf('closed'));
      },
    );

    it.skipIf(skipped)('of others are fetched through the gate', async () => {
      const { room } = house;
      await house.colleague('theirs', 'theirs');
      const said = await room.say(
        'git fetch -q origin && git checkout -q origin/theirs -- art/theirs.bin && head -n1 art/theirs.bin; git reset -q --hard',
      );
      expect(said.trim()).toBe('theirs');
    });

    it.skipIf(skipped)(
      'that are nowhere stay pointers, with a reason, and are not pushed',
      async () => {
        const { room } = house;
        const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;
        writeFileSync(join(room.checkout.top, 'art/none.bin'), pointer);
        const said = await room.say(
          'git checkout -qb none; git add -A; git commit -qm none; rm art/none.bin; git checkout art/none.bin 2>&1; cat art/none.bin; git push --no-verify origin HEAD:refs/heads/none 2>&1; git checkout -q -',
        );
        expect(said).toContain('the remote did not give it');
        expect(said).toContain(`oid sha256:${'a'.repeat(64)}`);
        expect(said).toMatch(/remote rejected.*art\/none\.bin.*not in the checkout/);
        expect(house.tip('none')).toBe('');
      },
      60_000,
    );

    it.skipIf(skipped)(
      'that the forge does not take keep the push back, with its reason',
      async () => {
        const { room, server } = house;
        server.full = true;
        const push = 'git push origin HEAD:refs/heads/full 2>&1';
        writeFileSync(join(room.checkout.top, 'art/full.bin'), contentOf('full'));
        expect(await room.say(`git add -A; git commit -qm full; ${push}`)).toMatch(
          /rejected.*did not reach the remote: .*no room is left/,
        );
        expect(house.tip('full')).toBe('');
        server.full = false;
        expect(await room.say(push)).toContain('[new branch]');
        expect(server.objects.has(oidOf(contentOf('full')))).toBe(true);
      },
    );

    it.skipIf(skipped)('come back to the person’s repository with the branch', async () => {
      const { room, source } = house;
      writeFileSync(join(room.checkout.top, 'art/unpushed.bin'), contentOf('unpushed'));
      await room.say('git add -A; git commit -qm unpushed');
      await bringBack(room.checkout, null);
      gitIn(source, 'config', 'lfs.url', 'http://127.0.0.1:9/nowhere');
      gitIn(source, 'checkout', '--quiet', room.checkout.branch);
      expect(readFileSync(join(source, 'art/unpushed.bin'), 'utf8')).toBe(contentOf('unpushed'));
      expect(await listLosses(room.checkout)).toEqual([]);
    });
  },
);

const filesIn = (directory: string): string[] =>
  existsSync(directory)
    ? execFileSync('find', [directory, '-type', 'f', '-path', '*/objects/*'], { encoding: 'utf8' })
        .split('\n')
        .filter(Boolean)
    : [];
