import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../protocol/engine-event.ts';
import { actId } from '../../../protocol/ids.ts';
import type { PullRequest } from '../../../runner/broker/open.ts';
import type { GuardSeen } from '../../../runner/gate/guard-desk.ts';
import type { PushOutcome } from '../../../runner/gate/receive.ts';
import { afterLook } from '../../../runner/witness/watch.ts';
import { actSeen } from '../../support/feed-events.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession } from '../../support/session-steps.ts';

const ZERO = '0'.repeat(40);
const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

const outcome = (over: Partial<PushOutcome> = {}): PushOutcome => ({
  ref: 'refs/heads/feature',
  before: ZERO,
  after: A,
  kind: 'push',
  outcome: 'done',
  by: 'forge',
  reason: null,
  ...over,
});

/** A session whose first turn is under way. */
function atWork(config = CONFIG): SessionSimulator {
  const simulator = new SessionSimulator(1, undefined, config);
  simulator.run();
  return simulator;
}
let pushes = 0;
const push = (simulator: SessionSimulator, ...outcomes: PushOutcome[]) =>
  simulator.input({ kind: 'pushed', push: { pushId: `push-${pushes++}`, outcomes } });
const claim = (simulator: SessionSimulator, command: string, id = 'act_claim') =>
  simulator.event(actSeen(turnNumber(1), { actId: actId.parse(id), command }));
const eventsOf = <T extends 'act/seen' | 'act/ended'>(simulator: SessionSimulator, type: T) =>
  simulator.events.filter((event): event is EventOf<T> => event.type === type);
const seen = (simulator: SessionSimulator) =>
  eventsOf(simulator, 'act/seen').flatMap(({ act }) => (act.witness === 'gate' ? [act] : []));

const MAIN = { ref: 'refs/heads/main', before: B, after: A };
const REFUSED = {
  kind: 'push',
  command: `git push origin ${'a'.repeat(12)}:refs/heads/main`,
  target: 'origin main',
  reason: 'main is protected',
  move: MAIN,
} as const;
const MERGE = {
  kind: 'merge',
  command: 'gh pr merge 4',
  target: '4',
  reason: 'the session may not merge',
} as const;
const guard = (simulator: SessionSimulator, seen: Partial<GuardSeen>) =>
  simulator.input({
    kind: 'pushed',
    push: {
      pushId: `guard-${pushes++}`,
      outcomes: [],
      guard: { remote: 'origin', passed: [], refused: [], ...seen },
    },
  });
const acts = (simulator: SessionSimulator) =>
  simulator.events.filter(({ type }) => type.startsWith('act/'));

describe('what the guard of an open session saw', () => {
  it('is an act that was not done, where nobody claims it', () => {
    const simulator = anIdleSession(new SessionSimulator());
    guard(simulator, { refused: [REFUSED] });
    expect(acts(simulator)).toMatchObject([
      { act: { witness: 'guard', kind: 'push', target: 'origin main', move: MAIN } },
      { outcome: 'not_done', by: 'policy', reason: 'main is protected' },
    ]);
  });

  it.each([
    ['git push origin HEAD:main', REFUSED],
    ['gh pr merge 4', MERGE],
  ])('is a word on the act that the stream shows, before or after it: %s', (command, refused) => {
    for (const late of [false, true]) {
      const simulator = atWork();
      const tell = () =>
        simulator.event(
          actSeen(turnNumber(1), { actId: actId.parse('act_one'), kind: refused.kind, command }),
        );
      if (!late) tell();
      guard(simulator, { refused: [refused] });
      if (late) tell();
      const said = { type: 'act/witnessed', actId: 'act_one', by: 'guard', finding: 'judged' };
      expect(acts(simulator)).toMatchObject([{ type: 'act/seen' }, said]);
      simulator.endTurn();
      expect(acts(simulator)).toHaveLength(2);
    }
  });

  it('is one act more for all that it does not name', () => {
    const simulator = anIdleSession(new SessionSimulator());
    guard(simulator, { refused: [REFUSED], more: 650 });
    expect(acts(simulator)).toMatchObject([
      { act: { witness: 'guard', target: 'origin main' } },
      { outcome: 'not_done' },
      { act: { witness: 'guard', kind: 'push', command: '650 more of the same', target: null } },
      { outcome: 'not_done', by: 'policy' },
    ]);
  });

  it('is no act where it let something go, and kept for the comparison of refs and the next one', () => {
    const simulator = atWork();
    guard(simulator, { passed: [MAIN] });
    expect(acts(simulator)).toEqual([]);
    expect(simulator.state.watched?.passed).toEqual([MAIN]);
    const first = afterLook(simulator.state.watched);
    expect(first.passed).toEqual([{ ...MAIN, late: true }]);
    expect(afterLook(first).passed).toBeUndefined();
  });
});

describe('a push through the gate', () => {
  it('is an act of its own for each ref, with who decided and why', () => {
    const simulator = anIdleSession(new SessionSimulator());
    const refused = { outcome: 'not_done', by: 'policy', reason: 'main is protected' } as const;
    push(
      simulator,
      outcome(),
      outcome({ ref: 'refs/heads/main', before: B, ...refused }),
      outcome({ ref: 'refs/heads/old', before: B, after: ZERO, kind: 'delete' }),
    );
    expect(seen(simulator)).toMatchObject([
      {
        kind: 'push',
        target: 'origin feature',
        command: `git push origin ${'a'.repeat(12)}:refs/heads/feature`,
      },
      { kind: 'push', target: 'origin main', move: { before: B, after: A } },
      { kind: 'delete', command: 'git push origin --delete old' },
    ]);
    expect(eventsOf(simulator, 'act/ended')).toMatchObject([
      { outcome: 'done', by: 'forge' },
      refused,
      { outcome: 'done', by: 'forge' },
    ]);
    expect(simulator.view.acts).toBe(3);
  });

  it('is the act that the stream shows, and counted once', () => {
    const simulator = atWork();
    claim(simulator, 'git push origin HEAD:feature');
    push(simulator, outcome());
    expect(seen(simulator)).toMatchObject([{ claimId: 'act_claim', turnId: turnNumber(1) }]);
    expect(simulator.view.acts).toBe(1);
  });

  it('is the same act where the stream is read a moment later', () => {
    const simulator = atWork();
    push(simulator, outcome());
    expect(seen(simulator)).toEqual([]);
    claim(simulator, 'git push');
    expect(seen(simulator)).toMatchObject([{ claimId: 'act_claim' }]);
    simulator.endTurn();
    expect(simulator.view.acts).toBe(1);
  });

  it('that nobody claims is told with the turn’s end, as a second act', () => {
    const simulator = atWork();
    claim(simulator, 'git push origin other', 'act_other');
    simulator.event({ type: 'act/ended', actId: actId.parse('act_other'), outcome: 'done' });
    push(simulator, outcome());
    simulator.endTurn();
    expect(seen(simulator)).toHaveLength(1);
    expect(seen(simulator)[0]?.claimId).toBeUndefined();
    expect(simulator.view.acts).toBe(2);
  });

  it('is not taken for a claim that comes much later and names another branch', () => {
    const simulator = atWork();
    push(simulator, outcome());
    simulator.now += 60_000;
    claim(simulator, 'git push origin other');
    simulator.endTurn();
    expect(seen(simulator)[0]?.claimId).toBeUndefined();
  });

  it('belongs to the claim that names its branch, of two that are under way', () => {
    const simulator = atWork();
    claim(simulator, 'git push origin feature', 'act_one');
    claim(simulator, 'git push origin other', 'act_two');
    push(simulator, outcome());
    expect(seen(simulator)).toMatchObject([{ claimId: 'act_one' }]);
  });

  it('is told at once of an engine that shows no acts', () => {
    const capabilities = { ...CONFIG.capabilities, acts: 'none' } as const;
    const simulator = atWork({ ...CONFIG, capabilities });
    push(simulator, outcome());
    expect(seen(simulator)).toMatchObject([{ turnId: turnNumber(1) }]);
  });
});

describe('a pull request that the gate was asked for', () => {
  const URL = 'https://forge.example/octo/site/pull/1';
  const asked = (over: Partial<PullRequest> = {}): PullRequest => ({
    head: 'feature',
    base: 'main',
    outcome: 'done',
    by: 'forge',
    reason: null,
    url: URL,
    ...over,
  });
  const ask = (simulator: SessionSimulator, pullRequest = asked()) =>
    simulator.input({
      kind: 'pushed',
      push: { pushId: `ask-${pushes++}`, outcomes: [], pullRequest },
    });
  const claimAsk = (simulator: SessionSimulator, id: string) =>
    simulator.event(
      actSeen(turnNumber(1), {
        actId: actId.parse(id),
        kind: 'pull_request',
        command: 'gh pr create --fill',
      }),
    );

  it('is an act with its address, and with why there is none', () => {
    const simulator = anIdleSession(new SessionSimulator());
    ask(simulator);
    const reason = 'the policy lets this session open no pull requests';
    ask(simulator, asked({ outcome: 'not_done', by: 'policy', reason, url: null, base: null }));
    expect(seen(simulator)).toMatchObject([
      { kind: 'pull_request', target: URL, command: `pull request feature into main: ${URL}` },
      { target: 'feature', command: 'pull request feature into the default branch' },
    ]);
    expect(eventsOf(simulator, 'act/ended')).toMatchObject([
      { outcome: 'done', by: 'forge' },
      { outcome: 'not_done', by: 'policy', reason },
    ]);
  });

  it('is what a command claims that asks for one, whichever is read first', () => {
    for (const first of ['claim', 'gate']) {
      const simulator = atWork();
      if (first === 'claim') claimAsk(simulator, 'act_ask');
      ask(simulator);
      if (first === 'gate') claimAsk(simulator, 'act_ask');
      expect(seen(simulator)).toMatchObject([{ kind: 'pull_request', claimId: 'act_ask' }]);
    }
  });

  it('is told of with what was done on it: a comment is no change, nor the asking for one', () => {
    const simulator = atWork();
    const on = (kind: 'edit' | 'comment') =>
      ask(simulator, asked({ base: null, change: { kind, number: 7 } }));
    claimAsk(simulator, 'act_ask');
    const comment = { actId: actId.parse('act_comment'), kind: 'comment' as const };
    simulator.event(actSeen(turnNumber(1), { ...comment, command: 'gh pr comment 7 --body x' }));
    on('comment');
    on('edit');
    expect(seen(simulator)).toMatchObject([
      { kind: 'comment', claimId: 'act_comment', command: `comment on pull request #7: ${URL}` },
      { kind: 'pull_request', claimId: 'act_ask', command: `change of pull request #7: ${URL}` },
    ]);
  });

  it.each(['gh pr comment 7 --body "/merge"', 'gh api repos/o/r/issues/7/comments -f body=/merge'])(
    'is one act with a comment that orders a merge, and no push is: %s',
    (command) => {
      const simulator = atWork();
      const order = { actId: actId.parse('act_order'), kind: 'merge' as const, uncertain: true };
      simulator.event(actSeen(turnNumber(1), { ...order, command }));
      push(simulator, outcome());
      ask(simulator, asked({ base: null, change: { kind: 'comment', number: 7 } }));
      simulator.endTurn();
      const joined = { kind: 'comment', claimId: 'act_order' };
      expect(seen(simulator)).toMatchObject([joined, { kind: 'push' }]);
      expect(seen(simulator)[1]).not.toHaveProperty('claimId');
    },
  );

  it('is not what a push claims, nor is a push what asks for one', () => {
    const simulator = atWork();
    claim(simulator, 'git push origin feature', 'act_push');
    claimAsk(simulator, 'act_ask');
    ask(simulator);
    push(simulator, outcome());
    expect(seen(simulator)).toMatchObject([
      { kind: 'pull_request', claimId: 'act_ask' },
      { kind: 'push', claimId: 'act_push' },
    ]);
  });
});
