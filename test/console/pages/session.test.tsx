import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import {
  eventsAfterApproval,
  eventsUntilApproval,
  REQUEST,
} from '../../../console/mock/sentinels.ts';
import type { MockRecord } from '../../../console/mock/record.ts';
import { asked, findHeading, openHouse } from '../support/house.tsx';

async function openSession() {
  let record: MockRecord | undefined;
  const house = await openHouse('/', (world) => {
    record = world.add(eventsUntilApproval());
  });
  if (!record) throw new Error('no record');
  await house.router.navigate({
    to: '/sessions/$sessionId',
    params: { sessionId: record.sessionId },
  });
  await screen.findByRole('log', {}, { timeout: 5_000 });
  return { ...house, record };
}

describe('the page of a session', { timeout: 20_000 }, () => {
  it('shows its work: words as Markdown, calls as lines, changes as a diff, what it asks', async () => {
    await openSession();
    expect((await screen.findByText('the sails')).tagName).toBe('STRONG');
    expect(screen.getByText('src/sail.ts', { selector: 'button code' })).toBeInTheDocument();
    const removed = document.querySelector('[data-line=removed]');
    expect(removed).toHaveTextContent('hoist();');
    expect(screen.getByRole('heading', { name: 'May it do this?' })).toBeInTheDocument();
    expect(document.querySelector('[data-act=push]')).toHaveTextContent('waits for you');
  });

  it('sends an answer, says that it waits for the engine, and then shows what came of it', async () => {
    const { world, record } = await openSession();
    await userEvent.click(await screen.findByRole('button', { name: 'Allow' }));
    await waitFor(() => {
      expect(asked(world)).toEqual([
        {
          path: `/v1/sessions/${record.sessionId}/approvals/${REQUEST}`,
          body: { decision: 'allow', message: null, answers: null, suggestion: null },
        },
      ]);
    });
    expect(await screen.findByText(/has not confirmed it yet/)).toBeInTheDocument();
    record.append(eventsAfterApproval(), Date.now());
    expect(await screen.findByText('Turn done')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull();
    expect(screen.getAllByText('$0.21').length).toBeGreaterThan(0);
    expect(document.querySelector('[data-act=push]')).toHaveTextContent('done');
  });

  it('streams text and replaces it by the completed block, once', async () => {
    const { record } = await openSession();
    const { view, sessionId } = record;
    const block = { turnId: view.openTurnId, blockId: 'live-1', parentToolId: null };
    record.show({
      type: 'deltas',
      deltas: [{ ...block, sessionId, kind: 'answer', offset: 0, text: 'Half a sen' }],
    });
    expect(await screen.findByText('Half a sen')).toBeInTheDocument();
    record.append(
      [
        {
          type: 'text/completed',
          ...block,
          kind: 'answer',
          text: { text: 'Half a sentence.', truncated: null },
        },
      ],
      Date.now(),
    );
    expect(await screen.findByText('Half a sentence.')).toBeInTheDocument();
    expect(screen.queryByText('Half a sen')).toBeNull();
  });

  it('says since when it is offline, and misses nothing once it is back', async () => {
    const { server, record } = await openSession();
    server.dropSockets();
    expect(await screen.findByText(/No connection to Pilothouse since/)).toBeInTheDocument();
    record.append(eventsAfterApproval(), Date.now());
    expect(await screen.findByText('Turn done', {}, { timeout: 5_000 })).toBeInTheDocument();
    expect(screen.queryByText(/No connection to Pilothouse/)).toBeNull();
    expect(screen.getAllByText('Turn done')).toHaveLength(1);
  });

  it('queues what is said while it works, and shows how far it got', async () => {
    const { world, record } = await openSession();
    const field = screen.getByRole('textbox', { name: 'What to do next' });
    await userEvent.type(field, 'Then clean the deck{Enter}');
    await waitFor(() => expect(field).toHaveValue(''));
    expect(asked(world)[0]?.body).toMatchObject({ text: 'Then clean the deck' });
    expect(await screen.findByText('Then clean the deck')).toBeInTheDocument();
    expect(screen.getByText('Queued, on its way to the machine.')).toBeInTheDocument();
    const turnId = record.view.turns.at(-1)?.turnId;
    if (!turnId) throw new Error('the instruction left no turn');
    record.append(
      [{ type: 'turn/delivered', turnId, delivery: 'received', reason: null }],
      Date.now(),
    );
    expect(
      await screen.findByText('Queued on the machine, waits for its turn.'),
    ).toBeInTheDocument();
  });

  it('has beside it where the work is, what was done, and how it runs', async () => {
    const { record } = await openSession();
    record.append(eventsAfterApproval(), Date.now());
    await screen.findByText('Turn done');
    const side = screen.queryByRole('complementary') ?? (await openDetails());
    expect(within(side).getByText('pilothouse/sentinel')).toBeInTheDocument();
    await userEvent.click(within(side).getByRole('tab', { name: /Acts/ }));
    expect(within(side).getByText('git push origin sentinel')).toBeInTheDocument();
    await userEvent.click(within(side).getByRole('tab', { name: 'Diagnostics' }));
    expect(within(side).getByText('SENTINEL_API_KEY')).toBeInTheDocument();
    expect(
      within(side).getByText('cd /data/checkouts/sentinel && engine --speak'),
    ).toBeInTheDocument();
  });

  it('of an id that no session has says so', async () => {
    const { router } = await openHouse('/');
    await router.navigate({ to: '/sessions/$sessionId', params: { sessionId: 'ses_nobody' } });
    expect(await screen.findByRole('alert', {}, { timeout: 5_000 })).toHaveTextContent(
      'No session has this id.',
    );
  });

  it('of an id that no session has says where to go, and asks no more', async () => {
    const { server, router } = await openHouse('/');
    await router.navigate({ to: '/sessions/$sessionId', params: { sessionId: 'ses_nobody' } });
    const alert = await screen.findByRole('alert', {}, { timeout: 5_000 });
    expect(within(alert).getByRole('link', { name: 'All sessions' })).toHaveAttribute(
      'href',
      '/sessions',
    );
    expect(screen.queryByRole('button', { name: /Retry|Try now/ })).toBeNull();
    const before = server.sockets();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(server.sockets()).toBe(before);
  });

  it('says that somebody signed out, not that the connection is gone', async () => {
    const { server } = await openSession();
    server.signOut();
    expect(await findHeading('You are not signed in')).toBeInTheDocument();
    expect(screen.queryByText(/No connection to Pilothouse/)).toBeNull();
  });
});

async function openDetails(): Promise<HTMLElement> {
  await userEvent.click(screen.getByRole('button', { name: 'Details' }));
  return screen.findByRole('dialog');
}
