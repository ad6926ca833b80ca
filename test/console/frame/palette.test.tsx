import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { filterTargets } from '../../../console/frame/palette.tsx';
import { findHeading, openHouse } from '../support/house.tsx';

const openPalette = async () => {
  const house = await openHouse('/machines');
  await findHeading('Machines');
  await userEvent.keyboard('{Meta>}k{/Meta}');
  const field = await screen.findByRole('combobox', { name: 'Page or session' });
  return { ...house, field };
};
const options = () => within(screen.getByRole('listbox')).queryAllByRole('option');
const chosen = () =>
  options()
    .filter((option) => option.getAttribute('aria-selected') === 'true')
    .map((option) => option.textContent);

describe('the palette', { timeout: 20_000 }, () => {
  it('begins in its field, with every page and the keys that lead there', async () => {
    const { field } = await openPalette();
    expect(field).toHaveFocus();
    expect(options().map((option) => option.textContent)).toContain('Spendg d');
    expect(chosen()).toEqual(['Launch a sessionn']);
  });

  it('moves through its list with the arrows and no further than its ends', async () => {
    const { field } = await openPalette();
    await userEvent.type(field, 'ma');
    expect(options()).toHaveLength(1);
    await userEvent.clear(field);
    await userEvent.keyboard('{ArrowUp}');
    expect(chosen()).toEqual(['Launch a sessionn']);
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toEqual(['Homeg h']);
    expect(field).toHaveAttribute('aria-activedescendant', options()[1]?.id);
    await userEvent.keyboard('{ArrowDown}'.repeat(20));
    expect(chosen()).toEqual([options().at(-1)?.textContent]);
  });

  it('goes back to the first of what is left when somebody types on', async () => {
    const { field } = await openPalette();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    await userEvent.type(field, 's');
    expect(chosen()).toEqual([options()[0]?.textContent]);
  });

  it('goes where a row is pressed, and is gone then', async () => {
    const { router } = await openPalette();
    await userEvent.click(screen.getByRole('option', { name: /Decisions/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/decisions'));
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('says when nothing has the words, and goes nowhere then', async () => {
    const { router, field } = await openPalette();
    await userEvent.type(field, 'kraken{ArrowDown}{Enter}');
    expect(screen.getByText('Nothing has these words.')).toBeInTheDocument();
    expect(router.state.location.pathname).toBe('/machines');
  });

  it('is closed by Escape and empty when it is opened again', async () => {
    const { field } = await openPalette();
    await userEvent.type(field, 'spend{Escape}');
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    await userEvent.keyboard('{Control>}K{/Control}');
    expect(await screen.findByRole('combobox')).toHaveValue('');
  });
});

it('of many targets a dozen are shown, in their own order', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    label: `Trim ${index}`,
    hint: '',
    to: `/${index}`,
  }));
  expect(filterTargets(many, 'trim').map(({ to }) => to)).toEqual(
    many.slice(0, 12).map(({ to }) => to),
  );
});
