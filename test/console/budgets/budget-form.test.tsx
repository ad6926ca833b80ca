import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { readAmount } from '../../../console/budgets/draft.ts';
import type { BudgetVersion } from '../../../protocol/shared-budget.ts';
import { asked, openHouse } from '../support/house.tsx';

const budget = (over: Partial<BudgetVersion> = {}): BudgetVersion => ({
  scope: { kind: 'account' },
  unit: 'dollars',
  renews: 'daily',
  limit: 5_000_000,
  counts: 'paid',
  zone: 'Europe/Berlin',
  version: 3,
  savedBy: 'cli',
  savedAt: 1,
  ...over,
});
const field = () => screen.findByLabelText('Budget of the account');
const choose = (label: string, option: string) =>
  userEvent.selectOptions(screen.getByLabelText(label), option);
/** Pressed once the form knows what it changes: before, a press only tells that it does not. */
const save = async (name: string) => {
  const known = /^Nobody has set it yet|it is so now$/;
  await waitFor(() => expect(screen.getAllByText(known).length).toBeGreaterThan(0));
  await userEvent.click(screen.getByRole('button', { name }));
};

describe('an amount as it is typed', () => {
  it.each([
    ['dollars', '20', 20_000_000],
    ['dollars', '$0.000001', 1],
    ['tokens', '2.5M', 2_500_000],
    ['tokens', ' 500k ', 500_000],
    ['turns', ' 100 ', 100],
    ['time', '90', 5_400_000],
    ['time', '0.5', 30_000],
  ] as const)('of %s, %j, is %j', (unit, typed, limit) => {
    expect(readAmount(unit, typed)).toEqual({ ok: true, limit });
  });

  it.each([
    ['dollars', '-1', 'Give dollars above zero'],
    ['dollars', '1,5', 'Give dollars above zero'],
    ['tokens', '2G', 'Give tokens, such as'],
    ['tokens', '0.0000001', 'Give tokens, such as'],
    ['turns', '0', 'Give a whole number of turns'],
    ['time', '', 'Give minutes above zero'],
    ['time', '0.01', 'Give minutes above zero'],
  ] as const)('of %s is not %j, with what to type', (unit, typed, words) => {
    const read = readAmount(unit, typed);
    expect(read.ok ? '' : read.problem).toContain(words);
  });
});

describe('the form of a budget', { timeout: 20_000 }, () => {
  it('says what is missing when it is pressed too early, and asks for nothing', async () => {
    const { world } = await openHouse('/settings');
    await field();
    await choose('In', 'tokens');
    await save('Set the budget');
    expect(await screen.findByText('Give tokens, such as 500k or 2M.')).toBeVisible();
    expect(asked(world)).toEqual([]);
  });

  it('changes the one that there is as it stands: its version, its zone and what it counts', async () => {
    const { world } = await openHouse('/settings', ({ budgets }) => {
      budgets.versions = [budget(), budget({ unit: 'turns', version: 1 })];
    });
    await userEvent.type(await field(), '8');
    await waitFor(() => expect(screen.getByLabelText('Counts')).toHaveValue('paid'));
    await save('Change the budget');
    await waitFor(() =>
      expect(asked(world)).toMatchObject([
        { body: { limit: 8_000_000, counts: 'paid', zone: 'Europe/Berlin', basedOn: 3 } },
      ]),
    );
    expect(await field()).toHaveValue('');
  });

  it('is saved on the version that is shown, whatever was saved since', async () => {
    const { world } = await openHouse('/settings', ({ budgets }) => {
      budgets.versions = [budget()];
    });
    await userEvent.type(await field(), '8');
    await screen.findByText('Version 3');
    world.budgets.versions = [budget({ version: 4, limit: 1_000_000 }), ...world.budgets.versions];
    await save('Change the budget');
    await waitFor(() => expect(asked(world)).toMatchObject([{ body: { basedOn: 3 } }]));
  });

  it('sets one of a repository, beside that of the account', async () => {
    const { world } = await openHouse('/settings', ({ budgets }) => {
      budgets.versions = [budget()];
    });
    await field();
    await save('A budget of one repository…');
    await userEvent.type(screen.getByLabelText(/Repository, or a directory/), '/code/shop/');
    await save('Set its budget');
    await userEvent.type(await screen.findByLabelText('Budget of this repository'), '2');
    expect(await screen.findByText('Nobody has set it yet.')).toBeVisible();
    expect(
      screen.getByText(/budget set --directory \/code\/shop --daily --dollars 2$/),
    ).toBeVisible();
    await save('Set the budget');
    const list = await screen.findByRole('list', { name: 'Budgets' });
    await waitFor(() => expect(list).toHaveTextContent('$2.00 a day of /code/shop'));
    expect(list).toHaveTextContent('$5.00 a day of the account');
    expect(asked(world)).toMatchObject([
      {
        body: {
          scope: {
            kind: 'repository',
            runnerId: world.runners[0]?.runnerId,
            directory: '/code/shop',
          },
          basedOn: 0,
        },
      },
    ]);
  });

  it('shows below what the budget was, and who said so', async () => {
    await openHouse('/settings', ({ budgets }) => {
      budgets.versions = [
        budget({ version: 2, limit: null, savedBy: 'person' }),
        budget({ version: 1 }),
      ];
    });
    const was = await screen.findByRole('list', { name: /Versions of this budget/ });
    const [now, before] = within(was).getAllByRole('listitem');
    expect(now).toHaveTextContent(/Version 2removedin the console, .* it is so now/);
    expect(before).toHaveTextContent('$5.00, paid alone, days of Europe/Berlin');
    expect(before).toHaveTextContent('by command line');
    // There is none any more: the next is version 3 all the same.
    expect(screen.getByRole('button', { name: 'Set the budget' })).toBeInTheDocument();
    await choose('In', 'turns');
    expect(await screen.findByText('Nobody has set it yet.')).toBeVisible();
  });

  it('says why what it was cannot be read, and saves on nothing', async () => {
    const { world } = await openHouse('/settings', ({ failures }) => {
      failures.set('GET /v1/budgets/versions', 'internal');
    });
    await userEvent.type(await field(), '8');
    const alert = await screen.findByRole('alert');
    await userEvent.click(screen.getByRole('button', { name: 'Set the budget' }));
    expect(asked(world)).toEqual([]);
    world.failures.clear();
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Nobody has set it yet.')).toBeVisible();
  });

  it('knows a budget by its unit and by when it renews', async () => {
    await openHouse('/settings', ({ budgets }) => void (budgets.versions = [budget()]));
    await field();
    expect(await screen.findByRole('button', { name: 'Change the budget' })).toBeInTheDocument();
    await choose('Renews', 'never');
    expect(await screen.findByRole('button', { name: 'Set the budget' })).toBeInTheDocument();
    await choose('In', 'turns');
    // Which dollars count is no question of turns.
    expect(screen.queryByLabelText('Counts')).toBeNull();
  });

  it('keeps what was typed when it is refused, and sends it again on retry', async () => {
    const { world } = await openHouse('/settings', ({ failures }) => {
      failures.set('POST /v1/budgets', 'internal');
    });
    await userEvent.type(await field(), '20');
    await save('Set the budget');
    const alert = await screen.findByRole('alert');
    expect(await field()).toHaveValue('20');
    world.failures.clear();
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('list', { name: 'Budgets' })).toHaveTextContent('$20.00 a day');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('how budgets stand', { timeout: 20_000 }, () => {
  it('says what cannot be read, and reads it again', async () => {
    const { world } = await openHouse('/settings', ({ failures }) => {
      failures.set('GET /v1/budgets', 'internal');
    });
    const alert = await screen.findByRole('alert');
    expect(screen.queryByLabelText('Budget of the account')).toBeNull();
    world.failures.clear();
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await field()).toBeInTheDocument();
  });

  it('keeps one that could not be removed, with the reason beside it', async () => {
    await openHouse('/settings', ({ budgets, failures }) => {
      budgets.versions = [budget()];
      failures.set('POST /v1/budgets', 'internal');
    });
    const list = await screen.findByRole('list', { name: 'Budgets' });
    expect(list).toHaveTextContent('paid dollars alone count');
    await userEvent.click(within(list).getByRole('button', { name: /^Remove \$5\.00 a day/ }));
    expect(await within(list).findByRole('alert')).toHaveTextContent('Something failed');
    expect(list).toHaveTextContent('$5.00 a day');
  });
});
