import { describe, expect, test } from 'vitest';
import { commandId, launchId, turnId } from '../../../protocol/ids.ts';
import type { Story } from '../../../protocol/story.ts';
import { openSession } from '../../../runner/sessions/decide-session.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { CONFIG, ONE_SHOT, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession, instruct } from '../../support/session-steps.ts';

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
