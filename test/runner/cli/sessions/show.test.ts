import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../../protocol/engine-event.ts';
import { sessionDetail } from '../../../../protocol/http.ts';
import { DEFAULT_POLICY } from '../../../../protocol/merge-policy.ts';
import { describePolicy } from '../../../../protocol/policy-words.ts';
import { turnId } from '../../../../protocol/ids.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import {
  accepted,
  anApproval,
  aQuestion,
  ended,
  launchFailed,
  ready,
  running,
  started,
} from '../../../support/transcript-events.ts';
import { aUsage, created, OTHER_TURN, SESSION, TURN } from '../../../support/protocol-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const add = (...events: FeedEvent[]) =>
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), ...events);
const show = async () => {
  const { exitCode, stdout, stderr } = await runOn(cloud, 'sessions', 'show', SESSION);
  expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.ok, stderr: '' });
  return stdout;
};

describe('pilothouse sessions show', () => {
  const ofLongTurns = (): FeedEvent[] => {
    const turns = ['trn_a', 'trn_b', 'trn_c'].map((id) => turnId.parse(id));
    return turns.flatMap((each): FeedEvent[] => [
      accepted({ turnId: each }),
      started({ turnId: each }),
      {
        type: 'usage/recorded',
        turnId: each,
        entries: [aUsage({ cacheReadTokens: 300_000, microUsd: 200_000 })],
      },
      ended({ turnId: each }),
    ]);
  };

  it('says what a conversation that has grown long will cost, and how to begin anew', async () => {
    add(created(), ...running(), ...ofLongTurns());
    const text = await show();
    expect(text).toMatch(/Ahead .*The next 10 turns will cost about \$2\.00\./);
    expect(text).toContain(`pilothouse sessions compact ${SESSION}`);
  });

  it('names a new session where the long conversation cannot be begun anew', async () => {
    const stopped: FeedEvent = { type: 'session/ended', end: 'stopped', reason: '' };
    add(created(), ...running(), ...ofLongTurns(), stopped);
    const text = await show();
    expect(text).toContain(`pilothouse launch --from ${SESSION}`);
    expect(text).not.toContain('sessions compact');
  });

  it('has the facts of a session that only just began', async () => {
    add(created({ engineId: 'claude', directory: '/srv/site' }));
    expect(await show()).toBe(
      [
        `Fix the test  ${SESSION}`,
        '  State     queued',
        '  Engine    claude',
        '  Machine   laptop (run_1)',
        '  Works in  /srv/site',
        `  Policy    ${describePolicy(DEFAULT_POLICY).join(' ')}`,
        '  Spend     no usage recorded',
        '  Acts      0',
        '',
      ].join('\n'),
    );
  });

  it('adds the version and the model that the engine said it is', async () => {
    add(created({ engineId: 'claude' }), accepted(), ready());
    expect(await show()).toContain('  Engine    claude · 2.1 · opus\n');
  });

  it('leaves out what the engine did not say', async () => {
    add(created({ engineId: 'claude' }), ready({ engineVersion: null, model: null }));
    expect(await show()).toContain('  Engine    claude\n');
  });

  it.each([
    [{ mode: 'own', branch: 'pilothouse/fix' }, '/co/1 on pilothouse/fix'],
    [{ mode: 'inPlace', branch: null }, '/co/1'],
  ] as const)('says where it works: %j', async (over, shown) => {
    add(created(), {
      type: 'checkout/prepared',
      directory: '/co/1',
      baseCommit: 'abc',
      included: [],
      fromUncommitted: false,
      ...over,
    });
    expect(await show()).toContain(`  Works in  ${shown}\n`);
  });

  it('says why it is in the state it is in', async () => {
    add(created(), accepted(), launchFailed());
    expect(await show()).toContain('  State     failed_to_start: The directory is not there.\n');
  });

  it('tells of a failed launch how far it came, its last words, and the ways on', async () => {
    const stage = 'bootstrap_submitted';
    add(
      created(),
      accepted(),
      launchFailed({ stage, elapsedMs: 30_000, stderrTail: ['why\u0007'] }),
    );
    expect(await show()).toContain(
      [
        'Failed in stage bootstrap_submitted after 30 s (workspace_refused)',
        '  why',
        `Try again: pilothouse sessions retry ${SESSION}`,
        `Open in my terminal: pilothouse sessions by-hand ${SESSION}`,
      ].join('\n'),
    );
  });

  it('names no command by hand of a launch that never had one, and nothing once it works', async () => {
    add(created(), accepted(), launchFailed());
    expect(await show()).toMatch(/Try again: .*\n$/);
    const over = [launchFailed(), ...running()];
    cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created(), ...over);
    expect(await show()).not.toContain('Failed in stage');
  });

  it('has a line for each turn: outcome, time, cost and words', async () => {
    const usage: FeedEvent = {
      type: 'usage/recorded',
      turnId: TURN,
      entries: [aUsage({ microUsd: 50_000 })],
    };
    add(created(), accepted({ text: 'First' }), ...running(), usage, ended());
    const [, turns] = (await show()).split('Turns\n');
    expect(turns).toMatch(/^ {2}1\. ok · \d\.\d s · \$0\.05 reported {2}First\n$/);
  });

  it.each([
    [[], 'accepted'],
    [
      [{ type: 'turn/delivered', turnId: OTHER_TURN, delivery: 'received', reason: null }],
      'received',
    ],
    [
      [{ type: 'turn/delivered', turnId: OTHER_TURN, delivery: 'undelivered', reason: 'away' }],
      'undelivered',
    ],
    [[started({ turnId: OTHER_TURN })], 'started'],
    [[started({ turnId: OTHER_TURN }), ended({ turnId: OTHER_TURN, outcome: 'killed' })], 'killed'],
  ] as [FeedEvent[], string][])('shows how far a turn is: %#', async (events, state) => {
    add(created(), accepted({ turnId: OTHER_TURN, text: 'Second' }), ...events);
    expect(await show()).toMatch(new RegExp(`  1\\. ${state}.* · no usage recorded  Second\\n`));
  });

  it.each([
    ['engine', 'begun by the engine'],
    ['terminal', 'driven in the terminal'],
  ] as const)('names a turn that nobody asked for: %s', async (origin, words) => {
    add(created(), ...running(), started({ turnId: OTHER_TURN, origin }), ended());
    expect(await show()).toContain(words);
  });

  it('says why a turn failed under its line', async () => {
    const error = { code: 'overloaded', message: 'Send it\u001b[1A again in a while.' } as const;
    add(created(), accepted(), ...running(), ended({ outcome: 'failed', error }));
    expect(await show()).toMatch(/1\. failed .*\n {5}Send it again in a while\.\n/);
  });

  it('says for how long an engine at work is silent, and when that ends its turn', async () => {
    add(created({ noOutputMs: 120_000 }), accepted(), ...running());
    expect(await show()).toMatch(/ {2}Silent {4}for \d.*; after 2m 0s its turn is ended\n/);
    cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created(), accepted());
    expect(await show()).not.toContain('Silent');
  });

  it('shows what waits, with the commands that answer it', async () => {
    add(created(), accepted(), ...running(), {
      type: 'approval/requested',
      request: anApproval(),
    });
    expect(await show()).toContain(
      `? Bash waits for you (push): git push origin main\n  pilothouse sessions approve ${SESSION} apr_test1\n`,
    );
  });

  it('shows a question with its options, and how to answer in words', async () => {
    add(created(), accepted(), ...running(), {
      type: 'approval/requested',
      request: aQuestion('Which database?'),
    });
    expect(await show()).toContain(
      `  Which database?\n    - SQLite\n    - Postgres\n  pilothouse sessions approve ${SESSION} apr_test1 --answer "…"\n`,
    );
  });

  it('cannot be steered by a title or a reason', async () => {
    add(
      created({ objective: '\u001b]0;owned\u0007Fix' }),
      launchFailed({
        error: { code: 'unknown', message: 'no\u001b[1A\u0008thing' },
      }),
    );
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(await show()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('is the whole detail for a program', async () => {
    add(created(), accepted(), ...running());
    const detail = sessionDetail.parse(await jsonOf(cloud, 'sessions', 'show', SESSION));
    expect([detail.summary.state, detail.view.openTurnId]).toEqual(['working', TURN]);
  });
});
