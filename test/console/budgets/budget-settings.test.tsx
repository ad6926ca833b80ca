import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { readAmount } from '../../../console/budgets/draft.ts';
import type { MockWorld } from '../../../console/mock/world.ts';
import { asked, openHouse } from '../support/house.tsx';

/** The field, once the form knows which version it would change: before, a press does nothing. */
async function amount() {
  await screen.findByText('Nobody has set it yet.');
  return screen.findByLabelText('Budget of the account');
}

describe('budgets in the settings', { timeout: 20_000 }, () => {
  it('says that nothing is limited, and sets a daily budget in the zone of the reader', async () => {
    const { world } = await openHouse('/settings');
    await userEvent.type(await amount(), '2.50');
    expect(screen.getByText('There is no budget: nothing is limited.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Set the budget' }));
    const list = await screen.findByRole('list', { name: 'Budgets' });
    expect(list).toHaveTextContent('$2.50 a day of the account');
    expect(list).toHaveTextContent('notional dollars count');
    expect(asked(world)).toMatchObject([
      {
        path: '/v1/budgets',
        body: {
          scope: { kind: 'account' },
          unit: 'dollars',
          renews: 'daily',
          limit: 2_500_000,
          counts: 'all',
          basedOn: 0,
        },
      },
    ]);
    expect(await screen.findByRole('button', { name: 'Change the budget' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText(/There is no budget/)).toBeInTheDocument();
    expect(asked(world).at(-1)?.body).toMatchObject({ limit: null, basedOn: 1 });
  });

  it('sets a budget once, however fast it is pressed', async () => {
    const { world } = await openHouse('/settings');
    await userEvent.type(await amount(), '2.50');
    const button = screen.getByRole('button', { name: 'Set the budget' });
    fireEvent.click(button);
    fireEvent.click(button);
    await screen.findByRole('list', { name: 'Budgets' });
    expect(asked(world)).toHaveLength(1);
  });

  it('shows what is used, removes a budget, and brings it back on what the removal left', async () => {
    const { world } = await openHouse('/settings', (house) => {
      house.budgets.used = 3;
      house.budgets.versions = [
        {
          scope: { kind: 'account' },
          unit: 'turns',
          renews: 'never',
          limit: 3,
          counts: 'all',
          zone: 'UTC',
          version: 1,
          savedBy: 'cli',
          savedAt: 1,
        },
      ];
    });
    const list = await screen.findByRole('list', { name: 'Budgets' });
    expect(list).toHaveTextContent('3 turns used. It does not renew.');
    await userEvent.click(
      within(list).getByRole('button', { name: 'Remove 3 turns in all of the account' }),
    );
    expect(await screen.findByText(/There is no budget/)).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('list', { name: 'Budgets' })).toHaveTextContent(
      '3 turns in all of the account',
    );
    expect(asked(world).at(-1)?.body).toMatchObject({ limit: 3, renews: 'never', basedOn: 2 });
  });

  it('tells in the settings and with the spend where the day is going', async () => {
    const daily = (house: MockWorld) => {
      house.budgets.used = 6_000_000;
      house.budgets.renewsAt = Date.now() + 18 * 60 * 60_000;
      house.budgets.versions = [
        {
          scope: { kind: 'account' },
          unit: 'dollars',
          renews: 'daily',
          limit: 10_000_000,
          counts: 'all',
          zone: 'UTC',
          version: 1,
          savedBy: 'cli',
          savedAt: 1,
        },
      ];
    };
    const { unmount } = await openHouse('/settings', daily);
    const list = () => screen.findByRole('list', { name: 'Budgets' });
    expect(await list()).toHaveTextContent(
      /At the pace of today nothing is left at about .* UTC\./,
    );
    unmount();
    await openHouse('/spend', daily);
    expect(within(await list()).queryByRole('button')).toBeNull();
  });

  it('takes dollars with cents and whole turns, and says so', () => {
    expect(readAmount('dollars', ' $2.5 ')).toEqual({ ok: true, limit: 2_500_000 });
    expect(readAmount('turns', '12')).toEqual({ ok: true, limit: 12 });
    expect(readAmount('turns', '1.5')).toMatchObject({ ok: false });
    expect(readAmount('dollars', '0')).toMatchObject({ ok: false });
  });
});
