import { describe, expect, test } from 'vitest';
import type { ApprovalAnswer } from '../../../protocol/approval.ts';
import { PROMPT_ANSWER_MS } from '../../../protocol/prompt.ts';
import type { Asked } from '../../../runner/engines/prompts.ts';
import { isPromptNews } from '../../../runner/sessions/prompt-rules.ts';
import { nextWakeAt } from '../../../runner/sessions/session-state.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { CONFIG, ONE_SHOT, SessionSimulator } from '../../support/session-simulator.ts';
import { ALLOW, DENY, kinds } from '../../support/session-steps.ts';

const TEXT = 'Continue? [y/N]';
const OFFER: Asked = { at: '1z0', kind: 'offer', prompt: { text: TEXT, answers: ['y', 'n'] } };
const UNKNOWN: Asked = { at: '2z0', kind: 'block', why: 'unknown', excerpt: 'Which one?' };
const SECRET: Asked = { at: '3z0', kind: 'block', why: 'secret', excerpt: 'Password:' };

/** A one-shot command at work, as an engine of a person's own is. */
const atWork = () => new SessionSimulator(1, aLaunch(), ONE_SHOT).run();
const ask = (simulator: SessionSimulator, asked: Asked | null) =>
  simulator.input({ kind: 'prompted', asked });
const give = (simulator: SessionSimulator, answer: ApprovalAnswer) => {
  const [request] = simulator.ofType('approval/requested').slice(-1);
  if (!request) throw new Error('nothing was offered');
  simulator.input({ kind: 'answer', requestId: request.request.requestId, answer });
};
const saying = (line: string): ApprovalAnswer => ({ ...ALLOW, answers: { [TEXT]: line } });
const typed = (simulator: SessionSimulator) =>
  simulator.effects.flatMap((effect) => (effect.kind === 'type' ? [effect.line] : []));

describe('a prompt that was vouched for', () => {
  test('waits for a person, with its answers and its end', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    expect(simulator.view.state).toBe('awaiting_human');
    expect(simulator.view.pendingApprovals).toMatchObject([
      {
        kind: 'question',
        summary: TEXT,
        expiresAt: simulator.now + PROMPT_ANSWER_MS,
        questions: [{ question: TEXT, options: [{ label: 'y' }, { label: 'n' }] }],
      },
    ]);
  });

  test('is asked once, however often it is looked at', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    ask(simulator, OFFER);
    expect(simulator.ofType('approval/requested')).toHaveLength(1);
    expect(isPromptNews(simulator.state, OFFER, simulator.now)).toBe(false);
    expect(isPromptNews(simulator.state, UNKNOWN, simulator.now)).toBe(true);
    expect(isPromptNews(simulator.state, null, simulator.now)).toBe(true);
  });

  test('is typed exactly one of its answers, once', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    give(simulator, saying('y'));
    give(simulator, saying('y'));
    expect(typed(simulator)).toEqual(['y']);
    give(simulator, saying('n'));
    expect(simulator.refusals).toEqual(['approval_answered']);
    expect(kinds(simulator)).not.toContain('answer');
  });

  test.each(['yes', 'y\nrm -rf /', '', ' y'])('is not typed %j, which it does not take', (line) => {
    const simulator = atWork();
    ask(simulator, OFFER);
    give(simulator, saying(line));
    expect(typed(simulator)).toEqual([]);
    expect(simulator.refusals).toEqual(['bad_request']);
    give(simulator, ALLOW);
    expect(simulator.refusals).toEqual(['bad_request', 'bad_request']);
    give(simulator, saying('n'));
    expect(typed(simulator)).toEqual(['n']);
  });

  test('is over once the process goes on', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    give(simulator, saying('y'));
    ask(simulator, null);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'allowed' }]);
    expect(simulator.view).toMatchObject({ state: 'working', pendingApprovals: [] });
  });

  test('that nobody answered is withdrawn when the process goes on by itself', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    ask(simulator, null);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
    give(simulator, saying('y'));
    expect(simulator.refusals).toEqual(['approval_expired']);
  });

  test('that is asked again is another request', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    give(simulator, saying('y'));
    ask(simulator, { ...OFFER, at: '9z0' });
    const ids = simulator.ofType('approval/requested').map(({ request }) => request.requestId);
    expect(new Set(ids).size).toBe(2);
    give(simulator, saying('n'));
    expect(typed(simulator)).toEqual(['y', 'n']);
  });

  test('expires visibly, and the session stays blocked by it', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    simulator.now += PROMPT_ANSWER_MS + 1;
    expect(isPromptNews(simulator.state, OFFER, simulator.now)).toBe(true);
    ask(simulator, OFFER);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'expired' }]);
    expect(simulator.ofType('engine/blocked')).toMatchObject([
      { why: 'unanswered', excerpt: TEXT },
    ]);
    expect(simulator.view.state).toBe('blocked');
    expect(isPromptNews(simulator.state, OFFER, simulator.now)).toBe(false);
  });

  test('does not expire after its answer', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    give(simulator, saying('y'));
    simulator.now += PROMPT_ANSWER_MS + 1;
    ask(simulator, OFFER);
    expect(simulator.ofType('approval/resolved')).toEqual([]);
  });

  test('that a person leaves unanswered blocks, and nothing is typed', () => {
    const simulator = atWork();
    ask(simulator, OFFER);
    give(simulator, DENY);
    expect(simulator.ofType('approval/resolved')).toMatchObject([{ resolution: 'denied' }]);
    expect(simulator.view.state).toBe('blocked');
    expect(typed(simulator)).toEqual([]);
  });

  test('ends with its process, answered or not', () => {
    const answered = atWork();
    ask(answered, OFFER);
    give(answered, saying('y'));
    answered.exit(0);
    expect(answered.ofType('approval/resolved')).toMatchObject([{ resolution: 'allowed' }]);
    const unanswered = atWork();
    ask(unanswered, OFFER);
    unanswered.exit(0);
    expect(unanswered.ofType('approval/resolved')).toMatchObject([{ resolution: 'withdrawn' }]);
  });
});

describe('a prompt that nobody vouched for', () => {
  test('blocks the session with its words and what to do', () => {
    const simulator = atWork();
    ask(simulator, UNKNOWN);
    expect(simulator.view).toMatchObject({ state: 'blocked', blocked: { excerpt: 'Which one?' } });
    expect(simulator.view.reason).toContain('your own terminal');
    expect(simulator.view.pendingApprovals).toEqual([]);
  });

  test('for a secret says that it is one', () => {
    const simulator = atWork();
    ask(simulator, SECRET);
    expect(simulator.view.reason).toContain('Secrets are never typed');
  });

  test('is forgotten once the process goes on', () => {
    const simulator = atWork();
    ask(simulator, UNKNOWN);
    ask(simulator, null);
    expect(simulator.view).toMatchObject({ state: 'working', blocked: null, reason: null });
    expect(simulator.ofType('engine/unblocked')).toHaveLength(1);
  });

  test('makes room for the next one', () => {
    const simulator = atWork();
    ask(simulator, UNKNOWN);
    ask(simulator, SECRET);
    expect(simulator.view.blocked?.excerpt).toBe('Password:');
    expect(simulator.ofType('engine/unblocked')).toHaveLength(1);
  });

  test('is not ended for its silence', () => {
    const simulator = atWork();
    expect(nextWakeAt(simulator.state, ONE_SHOT)).not.toBeNull();
    ask(simulator, UNKNOWN);
    expect(nextWakeAt(simulator.state, ONE_SHOT)).toBeNull();
    ask(simulator, null);
    expect(nextWakeAt(simulator.state, ONE_SHOT)).not.toBeNull();
  });

  test('stops with the session', () => {
    const simulator = atWork();
    ask(simulator, UNKNOWN);
    simulator.input({ kind: 'stop' });
    simulator.exit(null);
    expect(simulator.view).toMatchObject({ state: 'stopped', blocked: null });
  });
});

describe('a persistent engine that asks before it is ready', () => {
  const booting = () => {
    const simulator = new SessionSimulator();
    simulator.prepared();
    simulator.spawned();
    return simulator;
  };

  test('is blocked, and no deadline ends it meanwhile', () => {
    const simulator = booting();
    expect(nextWakeAt(simulator.state, CONFIG)).not.toBeNull();
    ask(simulator, UNKNOWN);
    expect(simulator.view.state).toBe('blocked');
    expect(nextWakeAt(simulator.state, CONFIG)).toBeNull();
  });

  test('goes on with its launch, and has the whole time for it', () => {
    const simulator = booting();
    ask(simulator, UNKNOWN);
    simulator.now += 5_000;
    ask(simulator, null);
    expect(simulator.view.state).toBe('bootstrap_submitted');
    expect(nextWakeAt(simulator.state, CONFIG)).toBe(simulator.now + CONFIG.bootstrapMs);
    simulator.ready();
    simulator.startTurn();
    expect(simulator.view.state).toBe('working');
  });

  test('that ends there has failed to start, and is blocked no more', () => {
    const simulator = booting();
    ask(simulator, UNKNOWN);
    for (let tries = 0; tries <= CONFIG.retryDelaysMs.length; tries++) {
      simulator.exit(1);
      simulator.wake();
      if (simulator.spawning) simulator.spawned();
    }
    expect(simulator.view).toMatchObject({ state: 'failed_to_start', blocked: null });
  });

  test('is offered no answer: its input belongs to its protocol', () => {
    const simulator = booting();
    ask(simulator, OFFER);
    expect(simulator.view).toMatchObject({ state: 'blocked', pendingApprovals: [] });
  });
});
