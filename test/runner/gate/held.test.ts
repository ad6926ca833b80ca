import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import {
  openGateSession,
  settleIn,
  type GatePush,
  type GateRoom,
} from '../../../runner/gate/gate-session.ts';
import {
  findNoRoom,
  HELD_PUSH_MAX_BYTES,
  HELD_PUSHES_MAX,
  type HeldPush,
} from '../../../runner/gate/held.ts';
import { isNothing, type PushCommand } from '../../../runner/gate/policy.ts';
import { Quarantine } from '../../../runner/gate/quarantine.ts';
import { settleHeld } from '../../../runner/gate/settle.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';
import {
  aDirectory,
  aRepository,
  commit,
  gitIn,
  ownCheckout,
  SESSION,
} from '../guard/repositories.ts';

const ZERO = '0'.repeat(40);
const TEXT_MAX = 300;
const LINE_MAX = 420;

/** A session whose policy asks, between a person's repository and a real remote. */
class AskingGate {
  readonly source = aRepository();
  readonly remote = join(aDirectory(), 'remote.git');
  readonly work = join(aDirectory(), 'work');
  readonly pushes: GatePush[] = [];
  limits: ReturnType<GateRoom['limits']> = null;
  globs: string[] = [];
  room!: GateRoom;
  base = '';

  static async make(): Promise<AskingGate> {
    const gate = new AskingGate();
    gitIn(gate.source, 'init', '--quiet', '--bare', '--initial-branch=main', gate.remote);
    gitIn(gate.source, 'remote', 'add', 'origin', gate.remote);
    gitIn(gate.source, 'push', '--quiet', 'origin', 'main');
    gitIn(gate.source, 'clone', '--quiet', gate.remote, gate.work);
    gitIn(gate.work, 'config', 'user.name', 'Dev');
    gitIn(gate.work, 'config', 'user.email', 'dev@example.com');
    gate.base = gate.tip('main');
    const checkout = { ...(await ownCheckout(gate.source)), gate: { remote: 'origin' } };
    gate.room = {
      sessionId: SESSION,
      quarantine: new Quarantine(join(aDirectory(), 'gate.git'), checkout, process.env),
      limits: () => gate.limits,
      pushes: () => ({
        policyOf: () => ({ ...DEFAULT_POLICY, mode: 'ask', protectedBranches: gate.globs }),
        pushed: (_session, push) => void gate.pushes.push(push),
        waiting: () => gate.held,
        redactorOf: async () => createRedactor([]),
      }),
      forges: () => ({ forges: [], env: {} }),
      now: Date.now,
      log: () => undefined,
    };
    await gate.room.quarantine.refresh();
    return gate;
  }

  get held(): HeldPush[] {
    return this.pushes.flatMap(({ held }) => held ?? []);
  }

  tip(branch: string): string {
    return gitIn(this.remote, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  }

  /** Commits in the session's clone, and brings the objects to where a push would have. */
  commit(path = 'next.txt', on = 'HEAD', subject = ''): string {
    gitIn(this.work, 'checkout', '--quiet', '--detach', on);
    const plain = commit(this.work, path, `work on ${path}`);
    if (subject !== '') gitIn(this.work, 'commit', '--quiet', '--amend', `--message=${subject}`);
    const made = subject === '' ? plain : gitIn(this.work, 'rev-parse', 'HEAD');
    const { directory } = this.room.quarantine;
    gitIn(directory, '-c', 'protocol.file.allow=always', 'fetch', '--quiet', this.work, made);
    return made;
  }

  push(...commands: PushCommand[]) {
    return openGateSession(this.room).decide(commands);
  }

  toMain(after: string, before = this.base): PushCommand {
    return { ref: 'refs/heads/main', before, after };
  }

  /** Whether the gate's repository still has an object. */
  has(id: string): boolean {
    const { directory } = this.room.quarantine;
    const found = gitIn(
      directory,
      'cat-file',
      '--batch-all-objects',
      '--batch-check=%(objectname)',
    );
    return found.includes(id);
  }
}

let gate: AskingGate;
beforeEach(async () => {
  gate = await AskingGate.make();
});
const settle = () => settleIn(gate.room, gate.held.at(-1)!);

describe('a push that the policy leaves to a person', () => {
  it('is refused at once, with the request that it waits as, and moves nothing', async () => {
    const next = gate.commit();
    const [outcome] = await gate.push(gate.toMain(next));
    const [held] = gate.held;
    expect(outcome).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(outcome?.reason).toContain(
      `main is protected; it waits for a person as ${held?.requestId}`,
    );
    expect(outcome?.reason?.length).toBeLessThan(TEXT_MAX);
    expect(gate.tip('main')).toBe(gate.base);
    expect(gate.pushes[0]?.held).toMatchObject({
      summary: 'push 1 commit to main',
      text: expect.stringMatching(/Change next\.txt \(.+\)\n.*next\.txt \| 1 \+/s),
    });
  });

  it('is told in words that are what they seem, and no longer than a person reads', async () => {
    const next = gate.commit('a.txt', 'HEAD', `ok \u202egnp.exe\u001b[2J ${'A'.repeat(90_000)}`);
    const push = Array.from({ length: 6 }, (_, index) => ({
      ref: `refs/heads/main${'b'.repeat(180)}${index}`,
      before: ZERO,
      after: next,
    }));
    gate.globs = ['main*'];
    await gate.push(gate.toMain(next), ...push);
    const { text = '', summary = '' } = gate.pushes[0]?.held ?? {};
    expect(text).toContain('ok gnp.exe[2J AAA');
    for (const hidden of ['\u202e', '\u001b']) expect(`${text} ${summary}`).not.toContain(hidden);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(LINE_MAX);
    expect(text.length).toBeLessThan(7 * 8 * LINE_MAX);
    expect(summary).toMatch(/^push 7 refs to main, .* and 2 more$/);
  });

  it('goes through exactly as it was judged once it is allowed, and again changes nothing', async () => {
    const next = gate.commit();
    await gate.push(gate.toMain(next));
    expect(await settle()).toMatchObject([{ outcome: 'done', by: 'forge' }]);
    expect(gate.tip('main')).toBe(next);
    expect(await settle()).toMatchObject([{ outcome: 'done' }]);
    expect(gate.tip('main')).toBe(next);
  });

  it('asks once for the same commits, and keeps other refs of the push back from nothing', async () => {
    const next = gate.commit();
    const feature = { ref: 'refs/heads/feature', before: ZERO, after: next };
    expect(await gate.push(gate.toMain(next), feature)).toMatchObject([
      { outcome: 'not_done' },
      { outcome: 'done' },
    ]);
    const [again] = await gate.push(gate.toMain(next));
    expect(gate.held).toHaveLength(1);
    expect(again?.reason).toContain(gate.held[0]?.requestId);
  });

  it('of a protected path on a branch of its own is asked about, and allowed', async () => {
    const next = gate.commit('.github/workflows/ci.yml');
    const feature = { ref: 'refs/heads/feature', before: ZERO, after: next };
    const [asked] = await gate.push(feature);
    expect(asked?.reason).toContain('changes .github/workflows/ci.yml');
    expect(gate.tip('feature')).toBe('');
    expect(await settle()).toMatchObject([{ outcome: 'done' }]);
    expect(gate.tip('feature')).toBe(next);
  });

  it('is judged against where the remote is by then', async () => {
    const next = gate.commit();
    await gate.push(gate.toMain(next));
    const theirs = gate.commit('theirs.txt', gate.base);
    gitIn(gate.work, 'push', '--quiet', 'origin', `${theirs}:main`);
    const [outcome] = await settle();
    expect(outcome).toMatchObject({ outcome: 'not_done' });
    expect(outcome?.reason).toContain('the remote has moved since');
    expect(gate.tip('main')).toBe(theirs);
  });

  it('is judged by what the machine allows by then, which a person does not overrule from afar', async () => {
    await gate.push(gate.toMain(gate.commit()));
    gate.limits = {
      protectedBranches: ['main'],
      pushTags: false,
      mergeAtMost: 'ask',
    } as unknown as AskingGate['limits'];
    const [outcome] = await settle();
    expect(outcome?.reason).toContain('limits.toml of this machine lets no session move main');
    expect(gate.tip('main')).toBe(gate.base);
  });

  it('waits out a remote that does not answer, and says so when it never does', async () => {
    await gate.push(gate.toMain(gate.commit()));
    gitIn(gate.source, 'remote', 'set-url', 'origin', join(aDirectory(), 'nowhere.git'));
    const policy = () => {
      throw new Error('was asked');
    };
    const [outcome] = await settleHeld(gate.held[0]!, gate.room.quarantine, policy, [1]);
    expect(outcome).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(outcome?.reason).not.toContain('was asked');
  });
});

describe('what is kept of a push', () => {
  it('is there until nobody waits for it, and then it is deleted', async () => {
    const next = gate.commit();
    await gate.push(gate.toMain(next));
    const [held] = gate.held;
    const { quarantine } = gate.room;
    await quarantine.keepOnly([held?.requestId ?? '']);
    expect(gate.has(next)).toBe(true);
    await quarantine.keepOnly([]);
    expect(gate.has(next)).toBe(false);
    expect(gate.tip('main')).toBe(gate.base);
  });

  it('is not cleaned away from under a push that is being received', async () => {
    const next = gate.commit();
    await gate.push(gate.toMain(next));
    const { quarantine } = gate.room;
    let finish = () => {};
    const receiving = quarantine.use(() => new Promise<void>((resolve) => (finish = resolve)));
    const dropped = quarantine.keepOnly([]);
    const order: string[] = [];
    void dropped.then(() => order.push('dropped'));
    await quarantine.tipOf('refs/heads/main');
    expect(gate.has(next)).toBe(true);
    order.push('received');
    finish();
    await Promise.all([receiving, dropped]);
    expect(order).toEqual(['received', 'dropped']);
  });

  it('is bounded, in size and in number, and not by what a later push replaces', () => {
    const refs = [{ ref: 'refs/heads/main', before: ZERO, after: 'a'.repeat(40) }];
    const waiting = Array.from({ length: HELD_PUSHES_MAX }, (_, index) => ({
      requestId: `apr_${index}`,
      pushId: `${index}`,
      refs: [{ ref: `refs/heads/release/${index}`, kind: 'push', index: 0, reason: '' }],
    })) as unknown as HeldPush[];
    expect(findNoRoom(refs, [], HELD_PUSH_MAX_BYTES)).toBeNull();
    expect(findNoRoom(refs, [], HELD_PUSH_MAX_BYTES + 1)).toContain('257 MB');
    expect(findNoRoom(refs, waiting, 0)).toContain('wait for an answer');
    const [first] = waiting;
    expect(findNoRoom(first?.refs ?? [], waiting, 0)).toBeNull();
    expect(isNothing(ZERO)).toBe(true);
  });

  it('too large is refused with the reason, and nothing of it is asked', async () => {
    const next = gate.commit();
    const tight: GateRoom = {
      ...gate.room,
      pushes: () => ({
        policyOf: () => ({ ...DEFAULT_POLICY, mode: 'ask', protectedBranches: gate.globs }),
        pushed: (_session, push) => void gate.pushes.push(push),
        waiting: () =>
          Array.from({ length: HELD_PUSHES_MAX }, () => ({ refs: [] })) as unknown as HeldPush[],
        redactorOf: async () => createRedactor([]),
      }),
    };
    const [outcome] = await openGateSession(tight).decide([gate.toMain(next)]);
    expect(outcome?.reason).toMatch(/^main is protected: 20 pushes of this session wait/);
    expect(gate.held).toEqual([]);
  });
});
