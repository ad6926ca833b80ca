import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aBrainKey } from '../../support/pilot-builders.ts';
import { asked, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('the settings', { timeout: 20_000 }, () => {
  it('say what a key is for where there is none, and what is wrong where they cannot be read', async () => {
    await openHouse('/settings');
    expect(await screen.findByText(/No key is kept/)).toBeVisible();
    await openHouse('/settings', (world) => {
      world.failures.set('GET /v1/brain-keys', 'internal');
    });
    expect(await screen.findByRole('alert')).toBeVisible();
  });

  it('keep a key, with its name and where it goes, and refuse an address in the open', async () => {
    const { world } = await openHouse('/settings');
    await press('Add a key');
    await userEvent.type(screen.getByLabelText('Name'), 'work');
    await userEvent.type(screen.getByLabelText('Key'), 'sk-sentinel-0123456789');
    const address = screen.getByLabelText(/Address of the API/);
    await userEvent.type(address, 'http://api.example.com/v1');
    await press('Keep the key');
    expect(await screen.findByText(/Give an https/)).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.clear(address);
    await press('Keep the key');
    expect(await screen.findByText('https://api.anthropic.com/v1')).toBeVisible();
    expect(document.body.innerHTML).not.toContain('sk-sentinel');
  });

  it('say when there is nothing to encrypt a key with', async () => {
    await openHouse('/settings', (world) => {
      world.failures.set('POST /v1/brain-keys', 'brain_keys_unavailable');
    });
    await press('Add a key');
    await userEvent.type(screen.getByLabelText('Name'), 'work');
    await userEvent.type(screen.getByLabelText('Key'), 'sk-sentinel-0123456789');
    await press('Keep the key');
    expect(await screen.findByRole('alert')).toHaveTextContent('BRAIN_KEYS_SECRET');
  });

  it('show what a person says that its models cost, and take another price or the list’s', async () => {
    const price = { inputMicroUsd: 290_000, outputMicroUsd: 2_250_000 };
    const { world } = await openHouse('/settings', (made) => {
      made.brainKeys.keys = [aBrainKey({ price })];
    });
    expect(await screen.findByText(/your price: \$0\.29 in, \$2\.25 out/)).toBeVisible();
    await press('Price');
    const field = await screen.findByLabelText(/^Your price/);
    expect(field).toHaveValue('0.29/2.25');
    await userEvent.clear(field);
    await userEvent.type(field, '3');
    await press('Save the price');
    expect(screen.getByText(/such as 0\.15\/0\.60/)).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.clear(field);
    await press('Save the price');
    await waitFor(() => expect(screen.queryByText(/your price/)).not.toBeInTheDocument());
    expect(asked(world)).toMatchObject([
      { path: '/v1/brain-keys/bky_1/price', body: { price: null } },
    ]);
  });

  it('remove a key once that is confirmed', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.brainKeys.keys = [aBrainKey()];
    });
    await press('Remove');
    expect(asked(world)).toEqual([]);
    await typeName();
    await press('Remove the key');
    await waitFor(() => expect(screen.queryByText('work')).not.toBeInTheDocument());
    expect(asked(world).map(({ path }) => path)).toEqual(['/v1/brain-keys/bky_1/remove']);
  });
});
