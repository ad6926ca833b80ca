import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { TOOL_REQUEST } from '../../../console/mock/requests.ts';
import { eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { openHouse } from '../support/house.tsx';
import { addWaitingCall } from '../support/waiting-call.ts';

const openTray = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog'));
};

describe('the tray of what needs a person', { timeout: 20_000 }, () => {
  it('says what would appear in it while nothing does', async () => {
    await openHouse('/machines');
    const tray = await openTray('Nothing needs you');
    expect(tray.getByText(/Approvals, questions and failures appear here/)).toBeInTheDocument();
    expect(tray.queryByRole('link')).toBeNull();
  });

  it('says which budgets are used up to a mark, and leads to them', async () => {
    const { router } = await openHouse('/machines', ({ budgets }) => {
      budgets.versions = [
        {
          scope: { kind: 'account' },
          unit: 'turns',
          renews: 'daily',
          limit: 10,
          counts: 'all',
          zone: 'UTC',
          version: 1,
          savedBy: 'person',
          savedAt: 1,
        },
      ];
      budgets.used = 8;
    });
    const tray = await openTray('Nothing needs you');
    const link = await tray.findByRole('link', {
      name: /^80 % of the daily budget of the account/,
    });
    await userEvent.click(link);
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'));
  });

  it('counts what waits on every page, leads there, and closes behind the person', async () => {
    const { router } = await openHouse('/machines', (world) => {
      world.add(eventsUntilApproval());
      world.add(eventsUntilApproval());
    });
    const tray = await openTray('2 need you');
    const [first] = tray.getAllByRole('link');
    expect(first).toHaveTextContent('Needs approval');
    await userEvent.click(first as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/ses_/));
    await waitFor(() => expect(screen.queryByText(/Notify me|no notifications/)).toBeNull());
  });

  it('says that a push waits of a session that works on meanwhile', async () => {
    await openHouse('/machines', (world) => {
      const record = world.add(eventsUntilApproval().slice(0, -3));
      record.append(
        [
          {
            type: 'approval/requested',
            request: { ...TOOL_REQUEST, kind: 'push', summary: 'push 1 commit to main' },
          },
        ],
        1_000,
      );
      expect(record.view.state).toBe('working');
    });
    const link = (await openTray('1 need you')).getByRole('link');
    expect(link).toHaveTextContent(/1 approval$/);
    expect(link).not.toHaveTextContent('Working');
  });

  it('counts calls of operators that wait, and leads to where they are answered', async () => {
    const { router } = await openHouse('/machines', (world) => void addWaitingCall(world));
    const tray = await openTray('1 need you');
    const link = tray.getByRole('link', { name: /build watcher/ });
    expect(link).toHaveTextContent('tmux_run_command');
    await userEvent.click(link);
    expect(await screen.findByRole('region', { name: /tmux_run_command waits/ })).toBeVisible();
    expect(router.state.location.pathname).toMatch(/^\/operators\/ins_/);
  });

  it('shows a dozen of many, and still counts them all', async () => {
    await openHouse('/machines', (world) => {
      for (let made = 0; made < 14; made++) world.add(eventsUntilApproval());
    });
    const tray = await openTray('14 need you');
    expect(tray.getAllByRole('link')).toHaveLength(12);
  });

  it('needs nobody while it is not known what waits', async () => {
    await openHouse('/machines', (world) => {
      world.add(eventsUntilApproval());
      world.failures.set('GET /v1/sessions', 'internal');
    });
    expect(await screen.findByRole('button', { name: 'Nothing needs you' })).toBeInTheDocument();
  });
});
