import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { limitPolicy, type PushCommand } from '../../../runner/gate/policy.ts';
import { Quarantine } from '../../../runner/gate/quarantine.ts';
import { decidePush } from '../../../runner/gate/receive.ts';
import { forgeOptions, readRemoteSettings } from '../../../runner/gate/forge.ts';
import { FLUSH, packetOf } from '../../../runner/gate/pkt-line.ts';
import { GateServer } from '../../../runner/gate/server.ts';
import {
  aDirectory,
  aRepository,
  commit,
  gitIn,
  OTHER_SESSION,
  ownCheckout,
  SESSION,
} from '../guard/repositories.ts';

const ZERO = '0'.repeat(40);
const POLICY = { ...limitPolicy(DEFAULT_POLICY, null), protectedBranches: ['release/*'] };

/** A person's repository with a real remote, and the runner's own between that and a session. */
async function aGate() {
  const remote = join(aDirectory(), 'remote.git');
  const source = aRepository();
  gitIn(source, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  gitIn(source, 'remote', 'add', 'origin', remote);
  gitIn(source, 'push', '--quiet', 'origin', 'main', 'main:theirs');
  const checkout = { ...(await ownCheckout(source)), gate: { remote: 'origin' } };
  const quarantine = new Quarantine(join(aDirectory(), 'gate.git'), checkout, process.env);
  const tip = (ref: string) => gitIn(remote, 'for-each-ref', '--format=%(objectname)', ref);
  return { remote, source, checkout, quarantine, tip };
}
let gate: Awaited<ReturnType<typeof aGate>>;
let base: string;
let next: string;

beforeAll(async () => {
  gate = await aGate();
  base = gate.tip('refs/heads/main');
  // Its objects are borrowed from the person's repository, as those of a push would lie here.
  next = commit(gate.source, 'next.txt', 'next');
  await gate.quarantine.refresh();
});

const push = (...commands: PushCommand[]) => decidePush(commands, gate.quarantine, POLICY);
const branch = (name: string, before = ZERO, after = next): PushCommand => ({
  ref: `refs/heads/${name}`,
  before,
  after,
});

describe('a remote whose address is a path from the repository', () => {
  it('is found where the person’s own git finds it', async () => {
    const source = aRepository();
    gitIn(source, 'clone', '--quiet', '--bare', '.', '../beside.git');
    gitIn(source, 'remote', 'add', 'origin', '../beside.git');
    gitIn(source, 'fetch', '--quiet', 'origin');
    const checkout = { ...(await ownCheckout(source)), gate: { remote: 'origin' } };
    const quarantine = new Quarantine(join(aDirectory(), 'gate.git'), checkout, process.env);
    await quarantine.refresh();
    expect(await quarantine.readBranches()).toMatchObject({ defaultBranch: 'main' });
    rmSync(join(source, '../beside.git'), { recursive: true });
  });
});

describe('a push through the gate', () => {
  it('moves a new branch, and knows it for the session’s own from then on', async () => {
    expect((await gate.quarantine.readFacts(branch('mine'), [])).own).toBe(false);
    expect(await push(branch('mine'))).toMatchObject([{ outcome: 'done', reason: null }]);
    expect(gate.tip('refs/heads/mine')).toBe(next);
    expect(await gate.quarantine.readFacts(branch('mine', next, base), [])).toEqual({
      own: true,
      forward: false,
      changes: { known: true, paths: [] },
    });
    expect(await push(branch('mine', next, base))).toMatchObject([{ outcome: 'done' }]);
    expect(gate.tip('refs/heads/mine')).toBe(base);
  });

  it('forgets a branch of its own with its end: the next of that name may be somebody’s', async () => {
    await push(branch('gone'));
    expect(await push(branch('gone', next, ZERO))).toMatchObject([{ outcome: 'done' }]);
    expect(gate.tip('refs/heads/gone')).toBe('');
    expect((await gate.quarantine.readFacts(branch('gone'), [])).own).toBe(false);
  });

  it('is answered ref by ref: what is refused keeps nothing else back', async () => {
    const outcomes = await push(
      branch('main', base),
      branch('release/1'),
      branch('allowed'),
      { ref: 'refs/tags/v1', before: ZERO, after: next },
      branch('theirs', base, ZERO),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'not_done',
      'not_done',
      'done',
      'not_done',
      'not_done',
    ]);
    for (const { outcome, reason } of outcomes) expect(reason === null).toBe(outcome === 'done');
    expect(gate.tip('refs/heads/main')).toBe(base);
    expect(gate.tip('refs/heads/theirs')).toBe(base);
    expect(gate.tip('refs/tags/v1')).toBe('');
  });

  it('from where somebody else has moved on is refused by the remote itself', async () => {
    gitIn(gate.source, 'push', '--quiet', 'origin', `${base}:refs/heads/moved`);
    const [created] = await push(branch('moved'));
    expect(created).toMatchObject({ outcome: 'not_done', reason: 'stale info' });
    expect(gate.tip('refs/heads/moved')).toBe(base);
    expect((await gate.quarantine.readFacts(branch('moved'), [])).own).toBe(false);
  });

  it('that the remote’s hook refuses says so of that ref alone', async () => {
    const hook = join(gate.remote, 'hooks', 'update');
    writeFileSync(hook, '#!/bin/sh\n[ "$1" != refs/heads/bad ]\n', { mode: 0o755 });
    expect(await push(branch('bad'), branch('good'))).toMatchObject([
      { outcome: 'not_done', reason: 'hook declined' },
      { outcome: 'done' },
    ]);
    writeFileSync(hook, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  });

  it('to a protected branch is left to a person, or goes through, as the policy says', async () => {
    gitIn(gate.source, 'push', '--quiet', 'origin', `${base}:refs/heads/release/2`);
    await gate.quarantine.refresh();
    const as = (mode: 'ask' | 'merge') =>
      decidePush([branch('release/2', base)], gate.quarantine, { ...POLICY, mode });
    const [left] = await as('ask');
    expect(left).toMatchObject({ outcome: 'not_done', by: 'policy', asks: true });
    expect(gate.tip('refs/heads/release/2')).toBe(base);
    expect(await as('merge')).toMatchObject([{ outcome: 'done', by: 'forge' }]);
    expect(gate.tip('refs/heads/release/2')).toBe(next);
  });

  it('of hundreds of refs is refused whole, before git is asked about any of them', async () => {
    const many = Array.from({ length: 101 }, (_, index) => branch(`many-${index}`));
    const outcomes = await push(...many);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['not_done']));
    expect(outcomes).toHaveLength(many.length);
    expect(outcomes[0]?.reason).toContain('100 refs');
    expect(gate.tip('refs/heads/many-0')).toBe('');
  });

  it('to a remote that is gone has an outcome that nobody knows, not one that was refused', async () => {
    const broken = await aGate();
    await broken.quarantine.refresh();
    gitIn(broken.source, 'remote', 'remove', 'origin');
    const after = gitIn(broken.source, 'rev-parse', 'HEAD');
    const [outcome] = await decidePush([branch('x', ZERO, after)], broken.quarantine, POLICY);
    expect(outcome).toMatchObject({ outcome: 'unknown' });
    expect(outcome?.reason).toContain('look there before you push again');
  });
});

describe('the runner’s own repository', () => {
  it('holds no login, no hook but its own, and is nobody else’s to read', () => {
    const { directory } = gate.quarantine;
    expect(readFileSync(join(directory, 'config'), 'utf8')).not.toContain(gate.remote);
    expect(statSync(directory).mode & 0o077).toBe(0);
    expect(existsSync(join(directory, 'hooks', 'update'))).toBe(false);
  });

  it('forgets a branch that is gone from the remote', async () => {
    const here = () =>
      gitIn(gate.quarantine.directory, 'for-each-ref', '--format=%(refname)', 'refs/heads/short');
    gitIn(gate.source, 'push', '--quiet', 'origin', `${base}:refs/heads/short`);
    await gate.quarantine.refresh();
    expect(here()).toBe('refs/heads/short');
    gitIn(gate.source, 'push', '--quiet', 'origin', ':refs/heads/short');
    await gate.quarantine.refresh();
    expect(here()).toBe('');
    expect(gate.quarantine.defaultBranch).toBe('main');
  });
});

describe('how a remote is reached', () => {
  it('is what the repository says of remotes, and nothing that it says of anything else', async () => {
    const source = aRepository();
    for (const [key, value] of [
      ['http.proxy', 'http://127.0.0.1:9'],
      ['core.sshCommand', 'ssh -i key'],
      ['core.fsmonitor', 'run-me'],
      ['core.hooksPath', '/evil'],
      ['alias.push', '!run-me'],
    ] as const)
      gitIn(source, 'config', key, value);
    const settings = await readRemoteSettings(source);
    expect(settings).toEqual([
      ['core.sshcommand', 'ssh -i key'],
      ['http.proxy', 'http://127.0.0.1:9'],
    ]);
    const { env } = forgeOptions('/x', settings, {});
    expect(env?.['GIT_SSH_COMMAND']).toMatch(/^ssh -i key -o BatchMode=yes/);
    expect(
      forgeOptions('/x', settings, { GIT_SSH_COMMAND: 'own' }).env?.['GIT_SSH_COMMAND'],
    ).toMatch(/^own -o BatchMode=yes/);
    expect(env?.['GIT_ALLOW_PROTOCOL']).not.toContain('ext');
  });
});

const nobodyAsks = () => Promise.reject(new Error('nobody asks here'));

describe('the gate’s port', () => {
  const root = join(aDirectory(), 'runner');
  const logged: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  let server: GateServer;
  beforeAll(async () => {
    mkdirSync(root, { recursive: true });
    server = new GateServer(root, log);
    server.open(SESSION, {
      quarantine: gate.quarantine,
      decide: () => Promise.resolve([]),
      ask: nobodyAsks,
      change: nobodyAsks,
      read: nobodyAsks,
    });
  });
  afterAll(() => server.close());

  /** What a caller is answered to its first bytes. */
  async function say(bytes: string): Promise<string> {
    const { port } = new URL(await server.urlOf(SESSION));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(bytes);
    let heard = '';
    for await (const chunk of socket) heard += String(chunk);
    return heard;
  }
  const asking = (session: string, token: string) =>
    say(packetOf(`git-upload-pack /${session}/${token}\0host=x\0`) + FLUSH);

  it('shows the remote’s branches to whoever holds the session’s token', async () => {
    expect(await asking(SESSION, server.tokenOf(SESSION))).toContain('refs/heads/theirs');
  });

  it('tells nobody else apart: a wrong token, another’s, an unknown session', async () => {
    const right = server.tokenOf(SESSION);
    const wrong = [
      await asking(
        SESSION,
        right.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      await asking(SESSION, right.slice(1)),
      await asking(SESSION, server.tokenOf(OTHER_SESSION)),
      await asking(OTHER_SESSION, server.tokenOf(OTHER_SESSION)),
    ];
    expect(new Set(wrong).size).toBe(1);
    expect(wrong[0]).toContain('ERR no session of this machine has this address');
  });

  it('answers what is not git’s protocol with an error, and goes on', async () => {
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '0004', '0000', 'ffff', '0x1f'])
      expect(await say(bytes)).toMatch(/^00[0-9a-f]{2}ERR /);
    expect(await asking(SESSION, server.tokenOf(SESSION))).toContain('refs/heads/theirs');
  });

  it('takes no push of more than its bound, and ends it while it comes in', async () => {
    const narrow = new GateServer(join(aDirectory(), 'runner'), log, 2_000);
    const decided: string[] = [];
    narrow.open(SESSION, {
      quarantine: gate.quarantine,
      decide: (commands) => {
        decided.push(...commands.map(({ ref }) => ref));
        return Promise.resolve([]);
      },
      ask: nobodyAsks,
      change: nobodyAsks,
      read: nobodyAsks,
    });
    const work = join(aDirectory(), 'work');
    gitIn(gate.source, 'clone', '--quiet', gate.remote, work);
    gitIn(work, 'config', 'user.email', 'ada@example.com');
    gitIn(work, 'config', 'user.name', 'Ada');
    commit(work, 'large.bin', randomBytes(20_000).toString('hex'));
    const url = await narrow.urlOf(SESSION);
    const pushed = promisify(execFile)('git', ['push', url, 'HEAD:refs/heads/large'], {
      cwd: work,
    });
    await expect(pushed).rejects.toThrow(/pack exceeds maximum allowed size/);
    expect(decided).toEqual([]);
    await narrow.close();
  });

  it('and its tokens are the same after the runner starts again', async () => {
    const before = await server.urlOf(SESSION);
    await server.close();
    server = new GateServer(root, log);
    expect(await server.urlOf(SESSION)).toBe(before);
    expect(statSync(join(root, 'gate.key')).mode & 0o077).toBe(0);
  });
});
