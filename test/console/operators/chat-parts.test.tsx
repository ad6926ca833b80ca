import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Chat, sayCost } from '../../../console/operators/chat/chat.tsx';
import { Decisions } from '../../../console/operators/chat/decisions.tsx';
import { Entries } from '../../../console/operators/chat/entries.tsx';
import { Requests } from '../../../console/operators/chat/requests.tsx';
import { Say } from '../../../console/operators/chat/say.tsx';
import type { GateDecisionRow, GateRequest } from '../../../protocol/gate.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import type { ChatEvent, ChatState, ChatView } from '../../../protocol/operator-chat.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

type Answer = { status?: number; body: unknown };
/** What is answered by the end of a path; a test changes it and presses. */
let answers: Record<string, Answer> = {};
const posted: { path: string; body: unknown }[] = [];
const refused = (message: string): Answer => {
  const error = { code: 'internal', message, retryable: true, context: {}, requestId: 'r' };
  return { status: 500, body: { error } };
};

beforeEach(() => {
  answers = { requests: { body: { items: [] } } };
  posted.length = 0;
  vi.stubGlobal('fetch', async (address: string, init: { method: string; body: string }) => {
    const [path = ''] = address.split('?');
    if (init.method === 'POST') posted.push({ path, body: JSON.parse(init.body) });
    const { status = 200, body } = answers[path.split('/').at(-1) ?? ''] ?? refused('Unasked.');
    return Response.json(body, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const entries = (...events: ChatEvent[]) =>
  events.map((event, index) => ({ seq: index + 1, at: 1, event }));
const view = (over: Partial<ChatView> = {}): Answer => ({
  body: {
    state: 'idle',
    waiting: null,
    entries: [],
    last: 0,
    spentMicroUsd: 0,
    unpriced: 0,
    budgetMicroUsd: null,
    ...over,
  },
});

describe('what the model of an operator came to', () => {
  it.each([
    [0, 0, 5_000_000, ''],
    [1_200_000, 0, null, 'its model: ~$1.20'],
    [1_200, 0, null, 'its model: < $0.01'],
    [1_200_000, 0, 5_000_000, 'its model: ~$1.20 of $5.00'],
    [1_200_000, 2, null, 'its model: ~$1.20 and 2 answers whose cost is not known'],
    [0, 1, 5_000_000, 'its model: 1 answer whose cost is not known'],
  ])('spent %j, %j unpriced, of %j: %j', (spentMicroUsd, unpriced, budgetMicroUsd, words) => {
    expect(sayCost({ spentMicroUsd, unpriced, budgetMicroUsd })).toBe(words);
  });
});

describe('the standing of a conversation', () => {
  it.each<[ChatState, string, boolean]>([
    ['thinking', 'thinking', true],
    ['calling', 'at work in the terminal', true],
    ['waiting', 'waits for you', true],
    ['resting', 'waits a while before it looks again', true],
    ['stopped', 'stopped', false],
    ['halted', 'needs you', false],
  ])('in the state %s says “%s”, and can be stopped: %j', async (state, words, stoppable) => {
    answers['chat'] = view({ state });
    draw(<Chat instanceId="ins_1" obstacle={null} />);
    expect(await screen.findByText(words)).toHaveAttribute('aria-live', 'polite');
    expect(screen.queryByRole('button', { name: 'Stop' }) !== null).toBe(stoppable);
  });

  it('says why it could not be stopped, and can be stopped again', async () => {
    answers = { ...answers, chat: view({ state: 'thinking' }), stop: refused('Not now.') };
    draw(<Chat instanceId="ins_1" obstacle={null} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Not now.')).toBeInTheDocument();
    answers['stop'] = { body: { accepted: true } };
    await press('Stop');
    await waitFor(() => expect(screen.queryByText('Not now.')).toBeNull());
    expect(posted.map(({ path }) => path)).toEqual(Array(2).fill('/v1/instances/ins_1/chat/stop'));
  });

  it('is read again by a press where it could not be read', async () => {
    answers['chat'] = refused('Not there.');
    draw(<Chat instanceId="ins_1" obstacle={null} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Not there.');
    answers['chat'] = view();
    await press('Retry');
    expect(await screen.findByText('Nothing was said yet')).toBeInTheDocument();
  });
});

describe('what was said and done', () => {
  const answered = (text: string, ...callIds: string[]): ChatEvent => ({
    type: 'answered',
    text,
    calls: callIds.map((callId) => ({
      callId,
      toolCallId: callId,
      name: 'tmux_capture_pane',
      input: { history: 7 },
    })),
    usage: aUsage(),
    upTo: 1,
  });
  type Outcome = Extract<ChatEvent, { type: 'called' }>['outcome'];
  const called = (callId: string, outcome: Outcome, tokens = 0): ChatEvent => ({
    type: 'called',
    callId,
    outcome,
    rule: null,
    text: `result of ${callId}`,
    omitted: 0,
    tokens,
  });

  it.each<[Outcome, string]>([
    ['done', 'done'],
    ['waited', 'waited'],
    ['refused', 'refused by the machine'],
    ['denied', 'denied'],
    ['unknown', 'not known whether it happened'],
    ['not_done', 'not done'],
  ])('tells a call that came to %s as “%s”', (outcome, words) => {
    draw(<Entries entries={entries(answered('', 'a'), called('a', outcome))} />);
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  it('puts each result where its call is, and a call without one is under way', () => {
    draw(<Entries entries={entries(answered('I look.', 'a', 'b'), called('b', 'done', 1_234))} />);
    const calls = screen.getAllByRole('group');
    expect(calls[0]).toHaveTextContent('tmux_capture_pane{"history":7}under way');
    expect(calls[1]).toHaveTextContent('done~1,234 tokensresult of b');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
  });

  it('tells what was lost, stopped and halted apart', () => {
    draw(
      <Entries
        entries={entries(
          { type: 'lost', usage: aUsage() },
          { type: 'stopped', actorId: LOCAL_ACTOR },
          { type: 'halted', reason: 'The budget is used.' },
        )}
      />,
    );
    expect(screen.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
      'An answer of its model was lost.',
      'You stopped it.',
      'The budget is used.',
    ]);
  });

  it('shows what a person said as it was typed, and draws none of it', () => {
    const text = '**not bold**\n<b>nor this</b>';
    draw(<Entries entries={entries({ type: 'said', text, actorId: LOCAL_ACTOR })} />);
    expect(screen.getByRole('listitem').textContent).toBe(text);
  });
});

describe('a call that waits for a person', () => {
  const request = (over: Partial<GateRequest> = {}): GateRequest => ({
    callId: 'chat.4:0',
    instanceId: 'ins_1',
    actor: { kind: 'mcp', id: 'key_1' },
    tool: 'tmux_send_keys',
    risk: 'send',
    target: null,
    params: { keys: ['C-c'] },
    rule: 'consent',
    reason: 'you are asked about what it types',
    at: 1,
    expiresAt: Date.now() + 58.5 * 60_000,
    ...over,
  });

  it.each([
    ['Allow once', 'once'],
    ['Allow for this instance', 'instance'],
    ['Deny', 'deny'],
  ])('is answered by “%s” with %s, for that call alone', async (name, answer) => {
    answers = { requests: { body: { items: [request()] } }, answer: { body: { answer } } };
    draw(<Requests instanceId="ins_1" />);
    const card = await screen.findByRole('region', { name: 'tmux_send_keys waits for you' });
    expect(card).toHaveTextContent('of an MCP client waits for you');
    expect(card).toHaveTextContent('It is denied by itself in 58 min.');
    expect(within(card).getByText(/"C-c"/)).toBeInTheDocument();
    await press(name);
    await waitFor(() =>
      expect(posted).toEqual([
        { path: '/v1/instances/ins_1/calls/chat.4%3A0/answer', body: { answer } },
      ]),
    );
  });

  it('of an agent in the terminal shows what it asks, with no yes for good', async () => {
    const asked = {
      engine: 'claude',
      asks: 'Bash',
      input: '{"command":"git push"}',
      omitted: 40,
      directory: '/code/shop',
    };
    const over = { rule: 'agent', tool: 'agent_permission', params: asked } as const;
    answers = {
      requests: { body: { items: [request(over)] } },
      answer: { body: { answer: 'once' } },
    };
    draw(<Requests instanceId="ins_1" />);
    const card = await screen.findByRole('region', { name: 'claude waits for you' });
    expect(card).toHaveTextContent('claude in its terminal asks to use Bash in /code/shop');
    expect(card).toHaveTextContent('It stands in the terminal alone in 58 min.');
    expect(card).toHaveTextContent('40 further characters of it');
    expect(within(card).getByText('{"command":"git push"}')).toBeInTheDocument();
    expect(within(card).queryByRole('button', { name: 'Allow for this instance' })).toBeNull();
    await press('Allow once');
    await waitFor(() => expect(posted).toMatchObject([{ body: { answer: 'once' } }]));
  });

  it('is not passed over in silence where it cannot be read', async () => {
    answers = { requests: refused('Not there.') };
    draw(<Requests instanceId="ins_1" />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Not there.');
    answers = { requests: { body: { items: [request()] } } };
    await press('Retry');
    expect(await screen.findByRole('region')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('stays with the reason where the answer did not arrive', async () => {
    answers = { requests: { body: { items: [request()] } }, answer: refused('Too late.') };
    draw(<Requests instanceId="ins_1" />);
    await screen.findByRole('region');
    await press('Deny');
    expect(await screen.findByText('Too late.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Deny' })).toBeEnabled();
  });
});

describe('what the gate decided', () => {
  const decision = (over: Partial<GateDecisionRow> = {}): GateDecisionRow => ({
    callId: 'c',
    step: 0,
    at: 1,
    actor: { kind: 'agent', id: 'ins_1' },
    definitionVersion: 1,
    tool: 'tmux_send_keys',
    risk: 'send',
    target: null,
    callSha256: 'x',
    callBytes: 2,
    effect: 'allow',
    rule: null,
    reason: '',
    acts: [],
    outcome: 'done',
    code: null,
    explanation: 'allowed',
    look: null,
    cost: null,
    ...over,
  });
  const lines = async (...items: GateDecisionRow[]) => {
    answers['decisions'] = { body: { items, nextCursor: null } };
    draw(<Decisions instanceId="ins_1" />);
    const table = await screen.findByRole('region', { name: 'Decisions' });
    const [, ...rows] = within(table).getAllByRole('row');
    return rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1)
        .map((cell) => cell.textContent),
    );
  };

  it('says who called, why it was let through or not, and what became of it', async () => {
    const told = await lines(
      decision(),
      decision({ callId: 'd', outcome: 'refused', code: 'terminal_gone' }),
      decision({ callId: 'e', actor: { kind: 'mcp', id: 'k' }, outcome: null }),
      decision({ callId: 'f', actor: { kind: 'person', id: 'u' }, effect: 'deny', outcome: null }),
    );
    expect(told.map(([by, , , became]) => [by, became])).toEqual([
      ['its agent', 'done'],
      ['its agent', 'refused (terminal_gone)'],
      ['MCP client', 'not known'],
      ['you', ''],
    ]);
  });

  it('says of each write whether its cost is known, and that it is the program’s own word', async () => {
    const told = await lines(
      decision({ cost: { metering: 'unmetered' } }),
      decision({
        callId: 'd',
        cost: { metering: 'self-reported', microUsd: 20_000, tokens: 470 },
      }),
      decision({ callId: 'e', cost: { metering: 'self-reported', microUsd: null, tokens: 470 } }),
      decision({ callId: 'f' }),
    );
    expect(told.map((cells) => cells.at(-1))).toEqual([
      'unmetered',
      'self-reported: 470 tokens, $0.02',
      'self-reported: 470 tokens, no price known',
      '',
    ]);
  });

  it('says what will stand there before there is a call', async () => {
    answers['decisions'] = { body: { items: [], nextCursor: null } };
    draw(<Decisions instanceId="ins_1" />);
    expect(await screen.findByText('It has made no call yet')).toBeInTheDocument();
  });

  it('says why it cannot be read', async () => {
    answers['decisions'] = refused('Not there.');
    draw(<Decisions instanceId="ins_1" />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Not there.');
  });
});

describe('the field in which a person speaks to an agent', () => {
  const field = () => screen.getByLabelText('Say what it should do');

  it('keeps what was not sent, for that instance alone', async () => {
    const { unmount } = draw(<Say instanceId="ins_1" obstacle={null} />);
    await userEvent.type(field(), 'Watch');
    unmount();
    const again = draw(<Say instanceId="ins_1" obstacle={null} />);
    expect(field()).toHaveValue('Watch');
    again.unmount();
    draw(<Say instanceId="ins_2" obstacle={null} />);
    expect(field()).toHaveValue('');
  });

  it('sends by Enter and begins a line by Shift Enter', async () => {
    answers['chat'] = { body: { seq: 1 } };
    draw(<Say instanceId="ins_1" obstacle={null} />);
    await userEvent.type(field(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
    await waitFor(() => expect(posted).toMatchObject([{ body: { text: 'one\ntwo' } }]));
    await waitFor(() => expect(field()).toHaveValue(''));
  });

  it('says words once, however often an answer is lost, and the same words again when they are meant again', async () => {
    answers['chat'] = refused('Lost.');
    draw(<Say instanceId="ins_1" obstacle={null} />);
    await userEvent.type(field(), 'go{Enter}');
    await screen.findByText('Lost.');
    answers['chat'] = { body: { seq: 1 } };
    await userEvent.type(field(), '{Enter}');
    await waitFor(() => expect(field()).toHaveValue(''));
    await userEvent.type(field(), 'go{Enter}');
    await waitFor(() => expect(posted).toHaveLength(3));
    const ids = posted.map(({ body }) => (body as { messageId: string }).messageId);
    expect(ids[0]).toMatch(/^msg_/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('keeps the words that were refused, with the reason', async () => {
    answers['chat'] = refused('It is at work.');
    draw(<Say instanceId="ins_1" obstacle={null} />);
    await userEvent.type(field(), 'go{Enter}');
    expect(await screen.findByText('It is at work.')).toBeInTheDocument();
    expect(field()).toHaveValue('go');
  });

  it('sends nothing while something is in the way, by no key either', async () => {
    draw(<Say instanceId="ins_1" obstacle="It is paused." />);
    await userEvent.type(field(), 'go{Enter}');
    await press('Say it');
    expect(await screen.findByText('It is paused.')).toBeVisible();
    expect(posted).toEqual([]);
  });
});
