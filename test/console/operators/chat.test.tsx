import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { MockWorld } from '../../../console/mock/world.ts';
import { reasonNotToSay } from '../../../console/operators/chat/say.tsx';
import type { GateRequest } from '../../../protocol/gate.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { CHAT_TEXT_MAX, type ChatEvent } from '../../../protocol/operator-chat.ts';
import type { InstanceDetail } from '../../../protocol/operator-http.ts';
import { asked, openHouse } from '../support/house.tsx';

const usage = {
  model: 'm',
  provenance: 'estimated',
  payer: 'api-key',
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 1,
} as const;
const TALK: ChatEvent[] = [
  { type: 'said', text: 'Watch the build', actorId: LOCAL_ACTOR },
  {
    type: 'answered',
    text: 'I look at it.',
    calls: [{ callId: 'chat.2.0', toolCallId: 't', name: 'tmux_capture_pane', input: {} }],
    usage,
    upTo: 1,
  },
  {
    type: 'called',
    callId: 'chat.2.0',
    outcome: 'denied',
    rule: 'consent',
    text: 'Denied: subscriber has not agreed to read.',
    omitted: 0,
    tokens: 1_234,
  },
  { type: 'halted', reason: 'The budget is used.' },
];

const open = async (prepare: (world: MockWorld) => void = () => undefined) => {
  let id = '';
  const set = (world: MockWorld) => {
    const made = world.operators.answer(
      'POST',
      '/v1/instances',
      {
        operatorId: 'opr_tmux',
        runnerId: world.runners[0]?.runnerId,
        agreedVersion: 1,
        name: 'build watcher',
        boundTarget: { target: 'tmux:default:812.1700000000:%3', label: 'build' },
        brain: { keyId: 'bky_1', model: 'm' },
      },
      1_000,
    ) as InstanceDetail;
    id = made.instance.id;
    prepare(world);
  };
  const probe = await openHouse('/operators', set);
  await userEvent.click(await screen.findByRole('link', { name: /build watcher/ }));
  return { world: probe.world, id };
};

describe('the conversation on the page of an instance', { timeout: 30_000 }, () => {
  it('begins with what to say, and sends it', async () => {
    const { world, id } = await open();
    expect(await screen.findByText('Nothing was said yet')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Say what it should do'), 'Watch{Enter}');
    await waitFor(() =>
      expect(asked(world).map(({ path }) => path)).toContain(`/v1/instances/${id}/chat`),
    );
    expect(await screen.findByText('Watch')).toBeVisible();
  });

  it('shows what was said, called and denied, what it costs, and why it halted', async () => {
    await open(({ operators: { chats } }) => {
      chats.add(...TALK);
      chats.state = 'halted';
    });
    const log = within(await screen.findByRole('log'));
    expect(log.getByText('Watch the build')).toBeVisible();
    expect(log.getByText('denied')).toBeVisible();
    expect(log.getByText('~1,234 tokens')).toBeVisible();
    expect(log.getByText('The budget is used.')).toBeVisible();
    expect(screen.getByText('needs you')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  it('reads what is new, and not again what is on the page', async () => {
    const { world, id } = await open(({ operators: { chats } }) => chats.add(...TALK));
    const log = within(await screen.findByRole('log'));
    world.operators.chats.add({ type: 'said', text: 'And then?', actorId: LOCAL_ACTOR });
    await userEvent.type(screen.getByLabelText('Say what it should do'), 'Well?{Enter}');
    expect(await log.findByText('And then?')).toBeVisible();
    expect(await log.findByText('Well?')).toBeVisible();
    expect(log.getAllByText('Watch the build')).toHaveLength(1);
    const reads = world.received.filter(
      ({ method, path }) => method === 'GET' && path === `/v1/instances/${id}/chat`,
    );
    expect(reads[0]?.query).toMatchObject({ after: '0' });
    expect(reads.slice(1).every(({ query }) => Number(query['after']) >= TALK.length)).toBe(true);
    expect(reads.length).toBeGreaterThan(1);
  });

  it('asks the person about a call that waits, with what it would do', async () => {
    await open(({ operators: { chats } }) => {
      const request: GateRequest = {
        callId: 'chat.4.0',
        instanceId: 'ins_1',
        actor: { kind: 'agent', id: 'ins_1' },
        tool: 'tmux_run_command',
        risk: 'run',
        target: null,
        params: { command: 'npm test' },
        rule: 'policy',
        reason: 'merge policy (pr) on publish',
        at: 1_000,
        expiresAt: Date.now() + 60_000,
      };
      chats.requests.push(request);
    });
    const card = within(
      await screen.findByRole('region', { name: 'tmux_run_command waits for you' }),
    );
    expect(card.getByText(/npm test/)).toBeVisible();
    expect(card.getByRole('button', { name: 'Allow once' })).toBeVisible();
    // What the merge policy asks about is asked each time.
    expect(card.queryByRole('button', { name: 'Allow for this instance' })).toBeNull();
  });
});

describe('words to an agent', () => {
  it.each([
    ['', null, /^Write/],
    ['go', 'It is paused.', /^It is paused/],
    ['x'.repeat(CHAT_TEXT_MAX + 1), null, /longer than 20,000/],
  ])('are not sent with a reason to tell', (text, obstacle, reason) => {
    expect(reasonNotToSay(text, obstacle)).toMatch(reason);
  });

  it('are sent otherwise', () => {
    expect(reasonNotToSay('go', null)).toBeNull();
  });
});
