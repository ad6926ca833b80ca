import { describe, expect, test } from 'vitest';
import { commandId, launchId, turnId } from '../../../protocol/ids.ts';
import type { Story } from '../../../protocol/story.ts';
import { openSession } from '../../../runner/sessions/decide-session.ts';
import { beginsAsFork } from '../../../runner/sessions/forks.ts';
import type { SessionConfig } from '../../../runner/sessions/session-state.ts';
import { aLaunch, SESSION } from '../../support/protocol-builders.ts';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, instruct } from '../../support/session-steps.ts';
import { said } from '../../support/transcript-events.ts';

const STORY: Story = [
  {
    turnId: turnId.parse('trn_before'),
    asked: 'count the masts',
    answer: 'Three.',
    acts: [],
    outcome: 'ok',
  },
];
const LOST = { code: 'conversation_lost', message: 'It does not know it.' } as const;

/** Launches the session again with its second turn, and brings that to its engine. */
function again(simulator: SessionSimulator, story: Story = STORY): void {
  const opened = openSession(
    {
      ...simulator.start(2, simulator.state.launch),
      launchId: launchId.parse('lau_two'),
      commandId: commandId.parse('cmd_two'),
      engineSessionId: 'conversation',
      story,
    },
    simulator.state,
    9_000,
    simulator.config,
  );
  simulator.state = opened.state;
}
const handed = ({ effects }: SessionSimulator) =>
  effects.flatMap((effect) => (effect.kind === 'hand' ? [effect.turn.text] : []));

/** A session that was stopped, and whose checkout is gone since. */
function withoutCheckout(sealed: boolean): SessionSimulator {
  const simulator = anIdleSession(new SessionSimulator());
  simulator.input({ kind: 'stop' });
  simulator.exit(0);
  simulator.input({ kind: 'checkoutGone', sealed });
  return simulator;
}

describe('a conversation that went with its seal', () => {
  test('is begun anew by the next launch, which is told the story and that its place is new', () => {
    const simulator = withoutCheckout(true);
    again(simulator);
    expect(simulator.state).toMatchObject({ conversationBegun: false, engineSessionId: null });
    simulator.run();
    expect(handed(simulator).at(-1)).toMatch(/made anew since[^]*count the masts[^]*\n\ngo$/);
    expect(simulator.ofType('turn/briefed')).toMatchObject([{ turnId: turnNumber(2), turns: 1 }]);
    // The new one is resumed like any other, by this launch and the next.
    simulator.endTurn();
    simulator.broughtBack();
    simulator.input({ kind: 'stop' });
    simulator.exit(0);
    again(simulator);
    expect(simulator.state).toMatchObject({ conversationBegun: true, story: [] });
  });

  test('is begun anew without a story where the cloud tells none', () => {
    const simulator = withoutCheckout(true);
    again(simulator, []);
    expect(simulator.state).toMatchObject({ conversationBegun: false, story: [] });
  });

  test('is not lost where the engine keeps it in the person’s own home', () => {
    const simulator = withoutCheckout(false);
    again(simulator);
    expect(simulator.state).toMatchObject({
      conversationBegun: true,
      engineSessionId: 'conversation',
    });
  });
});

test('a conversation that was begun by hand is not taken up in a minute in which its engine would overwrite it', () => {
  const capabilities = { ...CONFIG.capabilities, overwritesInMinute: true as const };
  const config = { ...CONFIG, capabilities };
  const launch = aLaunch({ conversation: 'conversation', checkout: 'inPlace' });
  const simulator = new SessionSimulator(1, launch, config);
  const input = { ...simulator.start(1, launch), engineSessionId: 'conversation' };
  simulator.state = openSession(input, null, 1, config).state;
  simulator.prepared();
  expect(simulator.state.phase).toEqual({ kind: 'backoff', untilMs: 60_000 });
  simulator.wake();
  expect(simulator.state.phase).toEqual({ kind: 'spawning' });
  // So is one that is launched again, which was begun no longer ago than that.
  simulator.spawned();
  simulator.ready();
  simulator.startTurn();
  simulator.endTurn();
  simulator.broughtBack();
  simulator.input({ kind: 'stop' });
  simulator.exit(0);
  again(simulator);
  expect(simulator.state.conversationSince).toBe(1);
});

describe('a conversation that its engine does not know', () => {
  test.each([
    ['of a persistent engine', CONFIG],
    ['of a one-shot engine, after turns of the same launch', ONE_SHOT],
  ])(
    '%s fails the launch, and the next one begins anew with what was not delivered',
    (_, config) => {
      const simulator = new SessionSimulator(1, aLaunch(), config).run();
      simulator.endTurn();
      if (config === CONFIG) simulator.input({ kind: 'stop' });
      simulator.exit(0);
      simulator.broughtBack();
      if (config === CONFIG) again(simulator, []);
      else instruct(simulator, 2);
      if (config === CONFIG) simulator.prepared();
      simulator.spawned();
      simulator.input({ kind: 'fatal', error: LOST });
      simulator.exit(1);
      expect(simulator.ofType('launch/failed')).toMatchObject([
        { state: 'provider_failed', error: { code: 'conversation_lost' } },
      ]);
      expect(simulator.deliveries(2).at(-1)).toBe('undelivered');
      expect(simulator.ofType('turn/started')).toHaveLength(1);
      again(simulator);
      expect(simulator.state).toMatchObject({ conversationBegun: false, story: STORY });
      expect(simulator.state.queue).toHaveLength(1);
    },
  );

  test('and that a person named is asked for again: nothing of it is on record here', () => {
    const launch = aLaunch({ conversation: 'conversation', checkout: 'inPlace' });
    const simulator = new SessionSimulator(1, launch);
    const input = { ...simulator.start(1, launch), engineSessionId: 'conversation' };
    simulator.state = openSession(input, null, 1, CONFIG).state;
    simulator.prepared();
    simulator.spawned();
    simulator.input({ kind: 'fatal', error: LOST });
    simulator.exit(1);
    again(simulator, []);
    expect(simulator.state).toMatchObject({
      conversationBegun: true,
      engineSessionId: 'conversation',
    });
  });
});

describe('a conversation whose engine was killed in its first turn', () => {
  const images = [{ path: '/images/1.png', type: 'image/png' }] as const;

  /** Killed in the first turn, after a word of it, with the next instruction at its engine. */
  function killed(config: SessionConfig, launch = aLaunch()): SessionSimulator {
    const simulator = new SessionSimulator(1, launch, config).run();
    simulator.event(said('Three masts.', { turnId: turnNumber(1) }));
    simulator.endTurn({ outcome: 'killed', usage: 'unsettled' });
    simulator.exit(null);
    simulator.broughtBack();
    simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'on', images } });
    simulator.spawned();
    return simulator;
  }

  test.each([
    ['of a persistent engine', CONFIG],
    ['of a one-shot engine', ONE_SHOT],
  ])('%s is begun anew by itself where it was not kept, told what it held', (_, config) => {
    const simulator = killed(config);
    expect(simulator.state).toMatchObject({ conversationBegun: true, story: [] });
    simulator.input({ kind: 'fatal', error: LOST });
    simulator.exit(1);
    expect(simulator.ofType('launch/failed')).toEqual([]);
    expect(simulator.ofType('notice/raised').at(-1)?.code).toBe('conversation_begun_anew');
    expect(simulator.state.phase.kind).toBe('spawning');
    expect(simulator.state).toMatchObject({ conversationBegun: false, engineSessionId: null });
    expect(simulator.state.story).toMatchObject([
      { asked: 'go', answer: 'Three masts.', outcome: 'killed' },
    ]);
    simulator.spawned();
    expect(simulator.state.held).toMatchObject({ turnId: turnNumber(2), images });
    if (config === CONFIG) expect(handed(simulator).at(-1)).toMatch(/Three masts\.[^]*\n\non$/);
    simulator.ready();
    simulator.startTurn(turnNumber(2));
    expect(simulator.state).toMatchObject({ conversationBegun: true, story: [] });
  });

  test('goes on as it was where the engine kept it, and is a person’s to begin anew from then on', () => {
    const simulator = killed(CONFIG);
    expect(handed(simulator).at(-1)).toBe('on');
    simulator.ready();
    simulator.startTurn(turnNumber(2));
    expect(simulator.state.unkept).toBeNull();
    simulator.endTurn({ outcome: 'killed', usage: 'unsettled' });
    simulator.exit(null);
    simulator.broughtBack();
    instruct(simulator, 3);
    simulator.spawned();
    simulator.input({ kind: 'fatal', error: LOST });
    expect(simulator.ofType('launch/failed')).toHaveLength(1);
  });

  test('is for a person to begin anew where nothing waits for it', () => {
    const simulator = new SessionSimulator(1).run();
    simulator.endTurn({ outcome: 'killed', usage: 'unsettled' });
    simulator.exit(null);
    simulator.broughtBack();
    simulator.input({ kind: 'stop' });
    again(simulator, []);
    simulator.state = { ...simulator.state, queue: [] };
    simulator.prepared();
    simulator.spawned();
    simulator.input({ kind: 'fatal', error: LOST });
    expect(simulator.ofType('launch/failed')).toHaveLength(1);
  });

  test('and that began as a fork does not begin as one again, and is told what that held', () => {
    const fork = {
      turnId: turnId.parse('trn_before'),
      number: 1,
      nextTurnId: null,
      filesNow: true,
    };
    const from = { sessionId: SESSION, branch: null, story: STORY, fork };
    const simulator = killed(CONFIG, aLaunch({ from }));
    simulator.input({ kind: 'fatal', error: LOST });
    simulator.exit(1);
    expect(beginsAsFork(simulator.state)).toBe(false);
    expect(simulator.state.story.map(({ asked }) => asked)).toEqual(['count the masts', 'go']);
  });
});
