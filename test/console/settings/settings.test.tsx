import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { setTheme } from '../../../console/lib/theme.ts';
import { findHeading, openHouse } from '../support/house.tsx';

describe('settings', { timeout: 20_000 }, () => {
  afterEach(() => setTheme('system'));

  it('choose how the console looks, and follow what is chosen elsewhere', async () => {
    await openHouse('/settings');
    const theme = within(await screen.findByRole('radiogroup', { name: 'Theme' }));
    expect(theme.getByRole('radio', { name: 'As the system' })).toBeChecked();
    await userEvent.click(theme.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(theme.getByRole('radio', { name: 'Dark' })).toBeChecked();
  });

  it('say what is kept for good and what goes by itself, and when', async () => {
    await openHouse('/settings');
    await findHeading('What is kept');
    const spanOf = async (what: RegExp) =>
      (await screen.findByText(what)).nextElementSibling?.textContent;
    expect(await spanOf(/every ledger/)).toBe('for good');
    expect(await spanOf(/own checkout/)).toBe('30 d');
    expect(await spanOf(/no instruction took/)).toBe('7 d');
    expect(await spanOf(/Ended terminals/)).toBe('30 min');
    expect(screen.getByText('~/.config/pilothouse/limits.toml')).toBeVisible();
    expect(screen.getByText(/checkout_days = 14/)).toBeVisible();
  });

  it('say which machine keeps something for another time, and where it says so', async () => {
    const [day, source] = [86_400_000, '/etc/pilothouse/limits.toml'];
    await openHouse('/settings', ({ runners: [runner] }) => {
      Object.assign(runner?.machine?.limits ?? {}, {
        source,
        kept: { checkout: 3 * day, output: 30 * day, image: 30 * day },
      });
    });
    const row = (await screen.findByText(/own checkout/)).nextElementSibling;
    await waitFor(() => expect(row).toHaveTextContent('30 dlighthouse: 3 d'));
    expect(screen.getByText(/Copies of images/).nextElementSibling).toHaveTextContent(/^30 d$/);
    expect(screen.getByText(source)).toBeVisible();
  });
});
