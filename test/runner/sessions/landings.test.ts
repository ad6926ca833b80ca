import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { LAND_TIMEOUT_MS, landed, landRequest, type Landing } from '../../../protocol/land.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { bringBack } from '../../../runner/guard/bring-back.ts';
import { readPatch, reviewCheckout } from '../../../runner/guard/review.ts';
import { runShell } from '../../../runner/guard/shell.ts';
import type { HeadlessSession } from '../../../runner/sessions/headless-session.ts';
import { Landings } from '../../../runner/sessions/landings.ts';
import type { CheckLine, LaunchPorts } from '../../../runner/sessions/launcher.ts';
import { aLaunch, SESSION } from '../../support/protocol-builders.ts';
import { type SealedRoom, sealProblem } from '../../support/sealed.ts';
import { aRoomAt, PullForge } from '../broker/forge.ts';
import { gitIn, write } from '../guard/repositories.ts';

const GRADES = sealProblem === null ? (['sealed', 'fenced'] as const) : (['fenced'] as const);
/** Real git and several processes each, on a machine that is busy with other things. */
const LONG_MS = 60_000;

let forge: PullForge;
let room: SealedRoom;
let told: EngineEvent[];
let landings: Landings;
/** How long each step was given, in ms. */
let given: number[];

async function enter(grade: 'sealed' | 'fenced' = 'fenced') {
  room = await aRoomAt(forge, grade);
  gitIn(room.checkout.top, 'config', 'user.name', 'Ada');
  gitIn(room.checkout.top, 'config', 'user.email', 'ada@example.com');
  const ports = {
    findEngine: () => room.engine,
    readSecrets: async () => [{ name: 'API_KEY', value: 'canary-value-1' }],
    review: reviewCheckout,
    readPatch,
    bringBack,
    propose: (checkout, ask) => room.keeper.propose(checkout, ask),
    run: ({ command, timeoutMs, signal, checkout, engine }: CheckLine) => {
      given.push(timeoutMs);
      return runShell({
        command,
        directory: checkout.directory,
        env: { ...room.env },
        timeoutMs,
        timeoutWords: 'the time of a landing',
        marker: SESSION,
        keep: 'last',
        seal: (plan) => room.keeper.seal(plan, engine, checkout, null),
        signal,
      });
    },
  } satisfies Partial<LaunchPorts> as unknown as LaunchPorts;
  const state = { launch: aLaunch(), openTurnId: null, held: null, steered: [], phase: {} };
  const session = {
    row: { checkout: room.checkout, state: { ...state, bringingBack: null } },
    returned: (events: readonly EngineEvent[]) => void told.push(...events),
  } as unknown as HeadlessSession;
  landings = new Landings(
    { ports, log: () => undefined },
    { sessions: new Map([[SESSION, session]]), inLane: (_, work) => work() },
  );
}

beforeEach(async () => {
  told = [];
  given = [];
  forge = await PullForge.open();
});
afterEach(async () => {
  await room.keeper.close();
  await forge.close();
});

const MESSAGE = "Trim the sails; it's time\n\nCloses #7, $(touch pwned) `x`";
const treeNow = async () => (await reviewCheckout(room.checkout)).tree;
async function land(how: Landing, over: { tree?: string; message?: string } = {}) {
  const request = { tree: await treeNow(), how, message: MESSAGE, ...over };
  return landed.parse(await landings.land(SESSION, request));
}
const source = () => room.checkout.source.top;
const remote = (...args: string[]) => gitIn(source(), ...args);

describe.each(GRADES)(
  'work that a person lands, of a %s session',
  { timeout: LONG_MS },
  (grade) => {
    beforeEach(() => enter(grade));

    it('is committed as it was reviewed, and is on the branch in the repository', async () => {
      write(room.checkout.top, 'new file.ts', 'a\n');
      write(room.checkout.top, 'readme.md', 'hello again\n');
      const tree = await treeNow();
      const result = await land('commit');
      expect(result).toMatchObject({ committed: true, pushed: false, pullRequest: null });
      const { branch } = room.checkout;
      expect(gitIn(source(), 'rev-parse', branch, `${branch}^{tree}`)).toBe(
        `${result.commit}\n${tree}`,
      );
      expect(gitIn(source(), 'log', '-1', '--format=%an%n%B', branch)).toBe(`Ada\n${MESSAGE}\n`);
      expect(told).toMatchObject([
        { type: 'checkout/broughtBack', turnId: null, commits: 1, uncommittedFiles: 0 },
      ]);
      expect(existsSync(join(room.checkout.top, 'pwned'))).toBe(false);
      expect(gitIn(room.checkout.top, 'status', '--porcelain')).toBe('');
    });

    it('is pushed through the gate, and is that act on record', async () => {
      write(room.checkout.top, 'a.ts', 'a\n');
      const result = await land('push');
      expect(result).toMatchObject({ committed: true, pushed: true });
      // All of it together is over before whoever asked gives up.
      const [commit = 0, push = 0] = given;
      expect(commit).toBeLessThan(LAND_TIMEOUT_MS);
      expect(push).toBeLessThan(commit);
      const ref = `refs/heads/${room.checkout.branch}`;
      expect(remote('ls-remote', 'origin', ref)).toBe(`${result.commit}\t${ref}`);
      expect(room.pushes).toMatchObject([{ outcomes: [{ ref, outcome: 'done', kind: 'push' }] }]);
    });

    it('becomes a pull request with the person’s words', async () => {
      write(room.checkout.top, 'a.ts', 'a\n');
      const result = await land('pull_request');
      expect(result.pullRequest).toBe(forge.urlOf(1));
      expect(forge.opened).toEqual([
        {
          title: "Trim the sails; it's time",
          body: 'Closes #7, $(touch pwned) `x`',
          head: room.checkout.branch,
          base: 'main',
          draft: false,
        },
      ]);
      // Pressed again it is the same one, with what came since.
      write(room.checkout.top, 'b.ts', 'b\n');
      expect((await land('pull_request')).pullRequest).toBe(forge.urlOf(1));
      expect(forge.opened).toHaveLength(1);
    });
  },
);

describe('what is not landed', { timeout: LONG_MS }, () => {
  beforeEach(() => enter());
  const refused = (code: string, detail: RegExp) => ({
    code,
    message: expect.stringMatching(detail),
  });

  it('are files that are others than those reviewed', async () => {
    write(room.checkout.top, 'a.ts', 'a\n');
    const tree = await treeNow();
    write(room.checkout.top, 'a.ts', 'b\n');
    await expect(land('commit', { tree })).rejects.toMatchObject({ code: 'review_stale' });
    expect(gitIn(room.checkout.top, 'log', '--oneline').split('\n')).toHaveLength(1);
  });

  it('is nothing', async () => {
    await expect(land('push')).rejects.toMatchObject({ code: 'nothing_to_land' });
  });

  it('is what the policy leaves to a person, which the gate says', async () => {
    room.policy = { ...DEFAULT_POLICY, protectedBranches: ['pilothouse/**'], mode: 'pr' };
    write(room.checkout.top, 'a.ts', 'a\n');
    await expect(land('push')).rejects.toMatchObject(refused('land_refused', /is protected/));
    // The commit stays, and the next press goes on from it.
    expect(gitIn(source(), 'log', '-1', '--format=%s', room.checkout.branch)).toContain('Trim');
    room.policy = DEFAULT_POLICY;
    expect(await land('push')).toMatchObject({ committed: false, pushed: true });
  });

  it('is what the forge refuses, once it is pushed', async () => {
    forge.instead.push({ method: 'POST', keep: false, answer: { status: 403, body: {} } });
    write(room.checkout.top, 'a.ts', 'a\n');
    await expect(land('pull_request')).rejects.toMatchObject(
      refused('land_refused', /was pushed, and no pull request was opened/),
    );
    expect(room.pushes[0]?.outcomes).toMatchObject([{ outcome: 'done' }]);
    expect((await land('pull_request')).pullRequest).toBe(forge.urlOf(1));
  });

  it('is what a hook of the session would have put in its place', async () => {
    const hooks = join(room.checkout.top, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, 'pre-commit'), '#!/bin/sh\necho evil > evil.txt; git add evil.txt\n');
    chmodSync(join(hooks, 'pre-commit'), 0o755);
    write(room.checkout.top, 'a.ts', 'a\n');
    await land('commit');
    expect(existsSync(join(room.checkout.top, 'evil.txt'))).toBe(false);
  });

  it('is a commit that filters of the session make of it, and that is said', async () => {
    write(room.checkout.top, '.gitattributes', '*.ts filter=swap\n');
    gitIn(room.checkout.top, 'config', 'filter.swap.clean', 'echo swapped');
    write(room.checkout.top, 'a.ts', 'a\n');
    await expect(land('commit')).rejects.toMatchObject(
      refused('land_refused', /not what was reviewed/),
    );
  });

  it('goes to no branch but the session’s', async () => {
    gitIn(room.checkout.top, 'checkout', '-q', '-b', 'elsewhere');
    write(room.checkout.top, 'a.ts', 'a\n');
    await expect(land('commit')).rejects.toMatchObject(
      refused('land_refused', /not on pilothouse/),
    );
  });

  it('is told without a secret', async () => {
    write(room.checkout.top, '.gitattributes', '*.ts filter=leak\n');
    gitIn(
      room.checkout.top,
      'config',
      'filter.leak.clean',
      'echo leaks canary-value-1 >&2; exit 1',
    );
    gitIn(room.checkout.top, 'config', 'filter.leak.required', 'true');
    write(room.checkout.top, 'a.ts', 'a\n');
    const failed = await land('commit').catch((error: Error) => error.message);
    expect(failed).toMatch(/leaks/);
    expect(failed).not.toContain('canary-value-1');
  });
});

describe('what is asked for', () => {
  it.each([
    [{ message: ' \n ' }],
    [{ message: 'a\u0000b' }],
    [{ message: 'a\u001b[31mb' }],
    [{ base: '--mirror' }],
    [{ tree: 'HEAD' }],
    [{ how: 'merge' }],
  ])('is refused in the form %j', (over) => {
    const whole = { tree: 'a'.repeat(40), how: 'push', message: 'x', ...over };
    expect(landRequest.safeParse(whole).success).toBe(false);
  });
});
