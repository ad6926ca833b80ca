import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import {
  aRunner,
  eventsAfterApproval,
  eventsUntilApproval,
  LAUNCH,
} from '../../../console/mock/sentinels.ts';
import { openHouse, findHeading } from '../support/house.tsx';
import { addHeldOperator } from '../support/held-operator.ts';
import { addWaitingCall } from '../support/waiting-call.ts';

const sentinelFailure = (): FeedEvent => ({
  type: 'launch/failed',
  launchId: LAUNCH,
  state: 'failed_to_start',
  stage: 'queued',
  error: { code: 'workspace_refused', message: 'The directory is not there.' },
  elapsedMs: 12,
  stderrTail: [],
});

describe('home', { timeout: 20_000 }, () => {
  it('teaches with one action when nothing has happened: the rehearsal, where no engine is ready', async () => {
    const { router } = await openHouse('/');
    await userEvent.click(await screen.findByRole('link', { name: 'Try the rehearsal' }));
    expect(await findHeading('Launch a session')).toBeInTheDocument();
    expect(router.state.location.search).toEqual({ engine: 'rehearsal' });
  });

  it('offers a real launch where an engine is ready', async () => {
    const machine = aRunner().machine;
    if (!machine) throw new Error('the sentinel machine tells nothing');
    const engines = machine.engines.map((engine) => ({ ...engine, ready: true }));
    await openHouse('/', (world) => {
      world.runners = [aRunner({ machine: { ...machine, engines } })];
    });
    expect(await screen.findByText(/Claude Code is ready/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Launch a session' })).toHaveAttribute(
      'href',
      '/launch',
    );
  });

  it('says how to connect a machine when there is none', async () => {
    await openHouse('/', (world) => {
      world.runners = [];
    });
    expect(await screen.findByText('pilothouse runner start')).toBeInTheDocument();
  });

  it('puts calls of operators that wait before the sessions, also where there is none', async () => {
    let id = '';
    await openHouse('/', (world) => void (id = addWaitingCall(world)));
    const calls = within(await screen.findByRole('list', { name: 'Calls that wait for you' }));
    const link = await calls.findByRole('link', { name: /build watcher/ });
    expect(link).toHaveTextContent('tmux_run_command');
    expect(link).toHaveAttribute('href', `/operators/${id}`);
    expect(await findHeading('Needs you now')).toBeInTheDocument();
  });

  it('puts an operator that is held by a breach before all, with the way to answer for it', async () => {
    await openHouse('/', (world) => void addHeldOperator(world));
    await userEvent.click(
      await screen.findByRole('link', { name: /build watcher.*1 forbidden act/ }),
    );
    const panel = within(
      await screen.findByRole('region', { name: 'Forbidden by the merge policy' }),
    );
    expect(panel.getByText('git push origin HEAD:main')).toBeInTheDocument();
    await userEvent.type(panel.getByLabelText('Why may it go on?'), 'it was me{Enter}');
    await waitFor(() =>
      expect(
        screen.queryByRole('region', { name: 'Forbidden by the merge policy' }),
      ).not.toBeInTheDocument(),
    );
    expect(await screen.findByRole('button', { name: 'Nothing needs you' })).toBeInTheDocument();
  });

  it('puts what waits for a person first, and counts it in the tray', async () => {
    await openHouse('/', (world) => {
      world.add(eventsUntilApproval());
    });
    expect(await findHeading('Needs you now')).toBeInTheDocument();
    const row = await screen.findByRole('link', { name: 'Trim the sentinel sails' });
    expect(row.closest('li')).toHaveTextContent('Needs approval');
    await userEvent.click(screen.getByRole('button', { name: '1 need you' }));
    expect(within(await screen.findByRole('dialog')).getByText('Needs approval')).toBeVisible();
  });

  it.each([
    ['beside its row', () => screen.getByRole('main')],
    ['where it was told', () => screen.getByRole('region', { name: 'What was just done' })],
  ])('lets a failure be dismissed, and brought back %s', async (_, place) => {
    await openHouse('/', (world) => {
      world.add([...eventsUntilApproval().slice(0, 2), sentinelFailure()]);
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText(/^Dismissed/)).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Nothing needs you' })).toBeInTheDocument();
    await userEvent.click(within(place()).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: '1 need you' })).toBeInTheDocument();
  });

  it('tells what today came to, each kind apart, and leads to all of it', async () => {
    const { router } = await openHouse('/', (world) => {
      world.add([...eventsUntilApproval(), ...eventsAfterApproval()]);
    });
    const today = await screen.findByRole('region', { name: 'Today’s spend' });
    expect(await within(today).findByText('reported')).toBeInTheDocument();
    expect(today).toHaveTextContent('$0.21');
    await userEvent.click(within(today).getByRole('link', { name: 'Spend' }));
    expect(router.state.location.href).toBe('/spend?time=today');
    expect(await screen.findByRole('radio', { name: 'Today', checked: true })).toBeInTheDocument();
  });

  it('says that nothing was spent, which is no zero', async () => {
    await openHouse('/', (world) => {
      world.add(eventsUntilApproval());
    });
    const today = await screen.findByRole('region', { name: 'Today’s spend' });
    expect(await within(today).findByText('Nothing was spent yet.')).toBeInTheDocument();
    expect(today).not.toHaveTextContent('$');
  });

  it('puts the reason in place of the figure when it cannot be read', async () => {
    await openHouse('/', (world) => {
      world.add(eventsUntilApproval());
      world.failures.set('GET /v1/usage/summary', 'internal');
    });
    const today = await screen.findByRole('region', { name: 'Today’s spend' });
    expect(await within(today).findByRole('alert')).toHaveTextContent('Something failed');
    expect(today).not.toHaveTextContent('$');
  });

  it('puts what came to rest since somebody looked before the rest, until it is seen', async () => {
    localStorage.setItem('pilothouse:home:looked', '1000');
    await openHouse('/', (world) => {
      world.add([...eventsUntilApproval(), ...eventsAfterApproval()]);
    });
    expect(await findHeading('Finished since you looked')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Recent' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Mark as seen' }));
    expect(await findHeading('Recent')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Finished since you looked' })).toBeNull();
  });

  it('has seen what was there when the page was left', async () => {
    localStorage.setItem('pilothouse:home:looked', '1000');
    const { unmount } = await openHouse('/', (world) => {
      world.add([...eventsUntilApproval(), ...eventsAfterApproval()]);
    });
    await findHeading('Finished since you looked');
    const before = Date.now();
    unmount();
    expect(Number(localStorage.getItem('pilothouse:home:looked'))).toBeGreaterThanOrEqual(before);
  });

  it('calls nothing new to somebody who is here for the first time', async () => {
    await openHouse('/', (world) => {
      world.add([...eventsUntilApproval(), ...eventsAfterApproval()]);
    });
    expect(await findHeading('Recent')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Finished since you looked' })).toBeNull();
  });

  it('tells a failure with its request id, and tries again when asked', async () => {
    const { world } = await openHouse('/', (held) =>
      held.failures.set('GET /v1/sessions', 'internal'),
    );
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Something failed on our side.');
    expect(alert).toHaveTextContent('req-sentinel');
    world.failures.clear();
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'Try the rehearsal' })).toBeInTheDocument();
  });

  it('says that nothing answers, and since when, when the server goes away', async () => {
    const { server } = await openHouse('/');
    await screen.findByRole('link', { name: 'Try the rehearsal' });
    await server.close();
    expect(
      await screen.findByText(/No connection to Pilothouse since/, {}, { timeout: 8_000 }),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Try the rehearsal' })).toBeInTheDocument();
  });
});
