import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import type { OwnCheckout } from '../../../runner/guard/checkout.ts';
import { releaseCheckout } from '../../../runner/guard/release.ts';
import { describeWorkspace } from '../../../runner/guard/workspace.ts';
import { TURN } from '../../support/protocol-builders.ts';
import {
  aDirectory,
  aRepository,
  commit,
  commitInCheckout,
  gitIn,
  limitsFor,
  ownCheckout,
  write,
} from './repositories.ts';

let source: string;
let checkout: OwnCheckout;
let proof: string;

beforeEach(async () => {
  source = aRepository();
  checkout = await ownCheckout(source);
  proof = join(aDirectory(), 'ran');
});

/** A program that leaves proof of having run. */
function trap(): string {
  const path = join(aDirectory(), 'trap.sh');
  writeFileSync(path, `#!/bin/sh\necho ran >> '${proof}'\ncat\nexit 0\n`);
  chmodSync(path, 0o755);
  return path;
}

const HOOKS = [
  'post-checkout',
  'pre-commit',
  'post-commit',
  'reference-transaction',
  'post-merge',
  'pre-auto-gc',
  'post-index-change',
  'fsmonitor-watchman',
  'update',
  'pre-receive',
  'post-update',
];

function trapHooks(gitDirectory: string): void {
  mkdirSync(join(gitDirectory, 'hooks'), { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(gitDirectory, 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${proof}'\n`);
    chmodSync(join(gitDirectory, 'hooks', hook), 0o755);
  }
}

function configure(gitDirectory: string, program: string): void {
  const text = `
[core]
	fsmonitor = ${program}
	sshCommand = ${program}
	pager = ${program}
	editor = ${program}
	hooksPath = ${join(gitDirectory, 'hooks')}
	alternateRefsCommand = ${program}
	attributesFile = ${join(gitDirectory, 'evil-attributes')}
[filter "evil"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[diff "evil"]
	command = ${program}
	textconv = ${program}
[diff]
	external = ${program}
[uploadpack]
	packObjectsHook = ${program}
[gpg]
	program = ${program}
[protocol "ext"]
	allow = always
[remote "evil"]
	url = "ext::${program}"
	promisor = true
	uploadpack = ${program}
`;
  appendFileSync(join(gitDirectory, 'config'), text);
  writeFileSync(join(gitDirectory, 'evil-attributes'), '* filter=evil diff=evil\n');
  mkdirSync(join(gitDirectory, 'info'), { recursive: true });
  writeFileSync(join(gitDirectory, 'info', 'attributes'), '* filter=evil diff=evil\n');
}

describe('git on our side over a checkout that the session rigged', () => {
  test('runs none of its hooks, filters, monitors or transports', async () => {
    write(checkout.top, '.gitattributes', '* filter=evil diff=evil\n');
    const head = commitInCheckout(checkout, 'work', 'work');
    write(checkout.top, 'uncommitted', 'x');
    write(checkout.top, 'readme.md', 'touched\n');
    trapHooks(join(checkout.top, '.git'));
    configure(join(checkout.top, '.git'), trap());
    const [event] = await bringBack(checkout, TURN);
    expect(event).toMatchObject({ commit: head, uncommittedFiles: 2 });
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
    await releaseCheckout(checkout, false);
    expect(existsSync(proof)).toBe(false);
    // The trap does work: the session's own git would have sprung it.
    expect(() => gitIn(checkout.top, 'status')).toThrow('evil');
    expect(existsSync(proof)).toBe(true);
  });

  test('does not follow a promise that missing objects can be fetched', async () => {
    const head = commitInCheckout(checkout, 'work', 'work');
    const blob = gitIn(checkout.top, 'rev-parse', `${head}:work`);
    rmSync(join(checkout.top, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    configure(join(checkout.top, '.git'), trap());
    appendFileSync(
      join(checkout.top, '.git', 'config'),
      '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n',
    );
    await expect(bringBack(checkout, TURN)).rejects.toMatchObject({ code: 'workspace_refused' });
    expect(existsSync(proof)).toBe(false);
    expect(gitIn(source, 'for-each-ref', 'refs/heads/pilothouse')).toBe('');
  });

  test('refuses a git directory that was exchanged for another repository', async () => {
    const secret = aRepository();
    commit(secret, 'private', 'private');
    renameSync(join(checkout.top, '.git'), join(checkout.top, 'old'));
    symlinkSync(join(secret, '.git'), join(checkout.top, '.git'));
    await expect(bringBack(checkout, TURN)).rejects.toMatchObject({ code: 'workspace_refused' });
    expect(await releaseCheckout(checkout, false)).toMatchObject({ removed: false });
  });

  test('refuses objects borrowed from a repository that is not the source', async () => {
    const secret = aRepository();
    const hidden = commit(secret, 'private', 'private');
    writeFileSync(
      join(checkout.top, '.git', 'objects', 'info', 'alternates'),
      `${join(secret, '.git', 'objects')}\n`,
    );
    gitIn(checkout.top, 'update-ref', `refs/heads/${checkout.branch}`, hidden);
    await expect(bringBack(checkout, TURN)).rejects.toMatchObject({
      message: expect.stringContaining('alternates'),
    });
    expect(() => gitIn(source, 'cat-file', 'commit', hidden)).toThrow('bad file');
  });

  test.each(['objects', 'refs', 'packed-refs', 'HEAD', 'shallow'])(
    'refuses a link in the place of %s',
    async (name) => {
      const place = join(checkout.top, '.git', name);
      rmSync(place, { recursive: true, force: true });
      symlinkSync(join(source, '.git', name), place);
      await expect(bringBack(checkout, TURN)).rejects.toMatchObject({
        message: expect.stringContaining(name),
      });
    },
  );

  test.each(['ref: refs/heads/../../../etc/passwd\n\nx', 'ref: --upload-pack', '', 'nonsense'])(
    'refuses a HEAD that says %j',
    async (text) => {
      writeFileSync(join(checkout.top, '.git', 'HEAD'), text);
      await expect(bringBack(checkout, TURN)).rejects.toMatchObject({
        message: expect.stringContaining('HEAD'),
      });
    },
  );

  describe('with objects that git itself finds malformed', () => {
    function malformedCommit(): string {
      const tree = gitIn(checkout.top, 'rev-parse', 'HEAD^{tree}');
      const file = join(aDirectory(), 'object');
      writeFileSync(file, `tree ${tree}\nauthor no address here\ncommitter A <a@b> 1 +0000\n\nx\n`);
      return gitIn(checkout.top, 'hash-object', '-t', 'commit', '--literally', '-w', file);
    }

    test('refuses them', async () => {
      gitIn(checkout.top, 'update-ref', `refs/heads/${checkout.branch}`, malformedCommit());
      await expect(bringBack(checkout, TURN)).rejects.toMatchObject({ code: 'workspace_refused' });
      expect(gitIn(source, 'for-each-ref', 'refs/heads/pilothouse')).toBe('');
    });

    test('brings back what is well formed, and keeps the checkout for the rest', async () => {
      gitIn(checkout.top, 'update-ref', 'refs/heads/aside', malformedCommit());
      const head = commitInCheckout(checkout, 'a', 'a');
      const events = await bringBack(checkout, TURN);
      expect(events[1]).toMatchObject({
        code: 'branch_not_fetched',
        message: expect.stringContaining('aside'),
      });
      expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
      expect(await releaseCheckout(checkout, false)).toMatchObject({ removed: false });
    });
  });

  test('is not held up by a thousand branches', async () => {
    const head = commitInCheckout(checkout, 'a', 'a');
    const orphan = gitIn(checkout.top, 'commit-tree', 'HEAD^{tree}', '-m', 'aside');
    const refs = Array.from(
      { length: 1000 },
      (_, index) => `create refs/heads/b${index} ${orphan}\n`,
    ).join('');
    execFileSync('git', ['update-ref', '--stdin'], { cwd: checkout.top, input: refs });
    await bringBack(checkout, TURN);
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(head);
    expect(gitIn(source, 'for-each-ref', 'refs/heads/pilothouse').split('\n')).toHaveLength(2);
  });

  test('removes a checkout without following its links', async () => {
    const outside = aDirectory();
    writeFileSync(join(outside, 'precious'), 'x');
    commitInCheckout(checkout, '.gitignore', 'link\n');
    symlinkSync(outside, join(checkout.top, 'link'));
    expect(await releaseCheckout(checkout, false)).toEqual({ removed: true });
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('x');
  });
});

describe('git on our side over the person’s repository', () => {
  test('runs none of its hooks when a session begins, returns and is released', async () => {
    trapHooks(join(source, '.git'));
    const second = await ownCheckout(source, {
      title: 'Another',
      sessionId: 'ses_two' as typeof checkout.sessionId,
    });
    commitInCheckout(second, 'a', 'a');
    await bringBack(second, TURN);
    expect(await releaseCheckout(second, false)).toEqual({ removed: true });
    expect(existsSync(proof)).toBe(false);
    expect(existsSync(join(second.top, '.git', 'hooks'))).toBe(false);
  });

  test('starts nothing to describe a directory, whatever its configuration says', async () => {
    write(source, '.gitattributes', '* filter=evil diff=evil\n');
    configure(join(source, '.git'), trap());
    trapHooks(join(source, '.git'));
    write(source, 'readme.md', 'HELLO\n');
    const described = await describeWorkspace(source, limitsFor('/'));
    expect(described.uncommittedFiles).toBeGreaterThan(0);
    expect(existsSync(proof)).toBe(false);
  });

  test('is not led astray by GIT_ variables of the environment that started the runner', async () => {
    const other = aRepository();
    process.env['GIT_DIR'] = join(other, '.git');
    process.env['GIT_INDEX_FILE'] = join(other, 'index');
    try {
      const described = await describeWorkspace(source, limitsFor('/'));
      expect(described.repository).toBe(source);
      commitInCheckout(checkout, 'a', 'a');
      await bringBack(checkout, TURN);
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_INDEX_FILE'];
    }
    expect(gitIn(source, 'rev-parse', checkout.branch)).toBe(
      gitIn(checkout.top, 'rev-parse', 'HEAD'),
    );
    expect(gitIn(other, 'for-each-ref', 'refs/pilothouse')).toBe('');
  });
});
