import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CheckoutFacts, checkoutFacts } from '../../../../protocol/checkout.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

const MIB = 1024 * 1024;
const aCheckout = (sessionId: string, over: Partial<CheckoutFacts> = {}): CheckoutFacts =>
  checkoutFacts.parse({
    sessionId,
    title: 'Fix it',
    engineId: 'claude',
    repository: '/home/person/site',
    directory: `/data/checkouts/${sessionId}`,
    branch: `pilothouse/${sessionId}`,
    bytes: MIB,
    startedAt: 1,
    expiresAt: 2,
    standing: 'safe',
    losses: [],
    ...over,
  });
const UNSAVED: Partial<CheckoutFacts> = {
  standing: 'unsaved',
  losses: ['2 files are changed.', '1 commit is new.'],
};

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop'));
});
afterEach(() => cloud.close());

const run = (...args: string[]) => runOn(cloud, 'checkouts', ...args);
const put = (...items: CheckoutFacts[]) =>
  cloud.garble(/\/checkouts$/, JSON.stringify({ items, nextCursor: null }));
const removes = (sessionId: string, bytes: number | null = MIB) =>
  cloud.garble(
    new RegExp(`/checkouts/${sessionId}/(remove|discard)$`),
    JSON.stringify({ sessionId, bytes }),
  );
const asked = () => cloud.requests('POST').map(({ path }) => path.replace('/v1/runners/run_1', ''));

describe('pilothouse checkouts list', () => {
  it('says so where there is none', async () => {
    put();
    expect((await run('list')).stdout).toBe('No session has a checkout on this machine.\n');
  });

  it('says what each would lose, and how much may go', async () => {
    put(aCheckout('ses_a'), aCheckout('ses_b', UNSAVED), aCheckout('ses_c', { standing: 'open' }));
    const { stdout } = await run('list');
    expect(stdout).toContain(
      'Would be lost:\n  ses_b: 2 files are changed. 1 commit is new.\n    /data/checkouts/ses_b\n',
    );
    expect(stdout).toContain('3 checkouts, 3.1 MB. 1 may go, 1 MB:');
    expect(stdout).toContain('pilothouse checkouts remove --all');
    expect(stdout).not.toMatch(/^ {2}ses_[ac]/m);
  });

  it('does not call a sum whole that lacks a checkout', async () => {
    put(aCheckout('ses_a', { bytes: null }), aCheckout('ses_b', UNSAVED));
    const { stdout } = await run('list');
    expect(stdout).toContain('not measured');
    expect(stdout).toContain('2 checkouts, at least 1 MB.');
  });

  it('advises nothing where nothing may go', async () => {
    put(aCheckout('ses_a', { standing: 'open' }));
    const { stdout } = await run('list');
    expect(stdout).toContain('1 checkout, 1 MB. None of them may go now.');
    expect(stdout).not.toContain('--all');
  });

  it('lets no name on the machine reach the terminal’s escapes', async () => {
    put(aCheckout('ses_a', { ...UNSAVED, branch: 'a\u001b[2Jb', directory: '/x\u001b]0;y\u0007' }));
    expect((await run('list')).stdout).not.toContain('\u001b');
  });
});

describe('pilothouse checkouts remove', () => {
  it('removes those that are safe, and says of the others why they stay', async () => {
    put(aCheckout('ses_a'), aCheckout('ses_b', UNSAVED), aCheckout('ses_c', { standing: 'open' }));
    removes('ses_a');
    const { stdout, exitCode } = await run('remove', '--all');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout.split('\n')).toEqual([
      'Removed ses_a, 1 MB.',
      'Kept ses_b: 2 files are changed. 1 commit is new.',
      'Kept ses_c: The session is not over.',
      '1 checkout removed, 1 MB.',
      '',
    ]);
    expect(asked()).toEqual(['/checkouts/ses_a/remove']);
  });

  it('goes on with the others where one cannot go after all', async () => {
    put(aCheckout('ses_a'), aCheckout('ses_b'));
    cloud.refuse(/ses_a\/remove$/, 'checkout_unsaved', 'It has work now.');
    removes('ses_b', null);
    expect(await jsonOf(cloud, 'checkouts', 'remove', '--all')).toEqual({
      removed: [{ sessionId: 'ses_b', bytes: null }],
      kept: [{ sessionId: 'ses_a', reason: 'It has work now.' }],
    });
  });

  it('stops where the machine is gone, because no other would go either', async () => {
    put(aCheckout('ses_a'), aCheckout('ses_b'));
    cloud.refuse(/ses_a\/remove$/, 'runner_offline');
    expect((await run('remove', '--all')).exitCode).toBe(EXIT.unreachable);
    expect(asked()).toEqual(['/checkouts/ses_a/remove']);
  });

  it('says so where nothing may go', async () => {
    put(aCheckout('ses_a', { standing: 'open' }));
    expect((await run('remove', '--all')).stdout).toContain('Nothing was removed.');
    expect(asked()).toEqual([]);
  });

  it.each([
    [[], 'remove'],
    [['--discard'], 'discard'],
  ])(
    'removes the one that is named with %j, and gives up its work only if told to',
    async (options, verb) => {
      cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created());
      removes(SESSION);
      const { stdout } = await run('remove', 'test1', ...options);
      expect(stdout).toContain(`Removed ${SESSION}, 1 MB.`);
      expect(asked()).toEqual([`/checkouts/${SESSION}/${verb}`]);
    },
  );
});
