import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { openHouse, findHeading } from '../support/house.tsx';

const open = async () => {
  const house = await openHouse('/', (world) => {
    world.add(eventsUntilApproval());
  });
  expect(await findHeading('Home')).toBeInTheDocument();
  return house;
};

describe('the keyboard', { timeout: 20_000 }, () => {
  it('goes to a page by two keys', async () => {
    await open();
    await userEvent.keyboard('gm');
    expect(await findHeading('Machines')).toBeInTheDocument();
  });

  it('leaves keys alone while somebody types', async () => {
    const { router } = await open();
    await userEvent.keyboard('n');
    const field = await screen.findByRole('textbox', { name: 'Objective' });
    await userEvent.type(field, 'gs?');
    expect(field).toHaveValue('gs?');
    expect(router.state.location.pathname).toBe('/launch');
  });

  it('lists its own shortcuts', async () => {
    await open();
    await userEvent.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveTextContent(
      'g s',
    );
  });

  it('goes to a session by words of its title', async () => {
    const { router } = await open();
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox'), 'sentinel{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/sessions\/ses_/));
  });
});

describe('the theme', { timeout: 20_000 }, () => {
  it('is chosen from the menu, applied and remembered', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'You and this console' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: /dark/ }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(localStorage.getItem('pilothouse:theme')).toBe('"dark"');
  });
});
