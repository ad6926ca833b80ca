import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { WebhookView } from '../../../protocol/webhook.ts';
import { openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const webhook = (over: Partial<WebhookView> = {}): WebhookView => ({
  host: 'hooks.example.org',
  kinds: ['approval'],
  added: [],
  quiet: null,
  createdAt: Date.now(),
  lastAt: null,
  status: null,
  fault: null,
  ...over,
});
const section = async () =>
  within(
    (await screen.findByRole('heading', { name: 'Webhook' })).closest('section') as HTMLElement,
  );

describe('a webhook', { timeout: 20_000 }, () => {
  it('is set with its address, and shows its secret once', async () => {
    const { world } = await openHouse('/settings');
    await userEvent.click(await screen.findByRole('button', { name: 'Set a webhook' }));
    const address = await screen.findByLabelText('Address');
    await userEvent.type(address, 'https://10.0.0.1/x{Enter}');
    expect(await screen.findByText(/on the public internet/)).toBeVisible();
    expect(world.push.webhook).toBeNull();
    await userEvent.clear(address);
    await userEvent.type(address, 'https://hooks.example.org/services/T0{Enter}');
    expect(await screen.findByText('whsec_sentinel')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('whsec_sentinel')).toBeNull();
    expect((await section()).getByText('hooks.example.org')).toBeVisible();
    expect(document.body).not.toHaveTextContent('services/T0');
  });

  it('says what it answered, is tested, chosen and taken off', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.push.webhook = webhook({ fault: 'it answered 410', status: 410 });
    });
    const shown = await section();
    expect(await shown.findByText('Not told the last time: it answered 410.')).toBeVisible();
    await userEvent.click(shown.getByLabelText(/session failed/));
    await waitFor(() => expect(world.push.webhook?.kinds).toEqual(['approval', 'failed']));
    world.push.webhook = webhook();
    await userEvent.click(shown.getByRole('button', { name: 'Test it' }));
    expect(await shown.findByText('It answered 200.')).toBeVisible();
    await userEvent.click(shown.getByRole('button', { name: 'Remove' }));
    await typeName();
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the webhook' }));
    expect(await shown.findByText('No webhook is told.')).toBeVisible();
    expect(world.push.webhook).toBeNull();
  });
});
