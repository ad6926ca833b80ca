import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { asked, openHouse } from '../support/house.tsx';

const type = async (name: RegExp | string, text: string) =>
  userEvent.type(await screen.findByRole('textbox', { name }), text);
const choose = async (name: RegExp) => userEvent.click(await screen.findByRole('radio', { name }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('a launch with a Pilot', { timeout: 20_000 }, () => {
  it('asks for the checks, and says the same as a command', async () => {
    const { world } = await openHouse('/launch');
    await type('Objective', 'Make the tests pass');
    expect(screen.queryByLabelText('Check of step 1')).not.toBeInTheDocument();
    await choose(/A co-pilot/);
    await press('Launch');
    expect((await screen.findAllByText(/Name a command/)).length).toBeGreaterThan(0);
    expect(asked(world)).toEqual([]);
    await type('Check of step 1', 'npm test');
    await press('Add a step');
    await type('Check of step 2', 'npm run lint');
    await press('Remove step 1');
    expect(screen.getByLabelText('Check of step 1')).toHaveValue('npm run lint');
    await type(/Instructions in all/, '7');
    await userEvent.click(screen.getByRole('checkbox', { name: /Begin a conversation/ }));
    expect(
      screen.getByText(/A co-pilot proposes each next step until 1 check passes; .* begun anew/),
    ).toBeVisible();
    expect(screen.getByText(/--mode co-pilot --checklist - .*--max-turns 7/)).toBeInTheDocument();
    await press('Launch');
    await waitFor(() => expect(asked(world)).toHaveLength(1));
    expect(asked(world)[0]?.body).toMatchObject({
      pilot: {
        mode: 'co_pilot',
        brain: { kind: 'checklist', steps: [{ check: 'npm run lint' }] },
        bounds: { maxTurns: 7 },
        beginsAnew: true,
      },
    });
  });

  it('lets a model decide, with a key that is added on the way and shown nowhere', async () => {
    const { world } = await openHouse('/launch');
    await type('Objective', 'Make the tests pass');
    await choose(/^A Pilot/);
    await type('Check of step 1', 'npm test');
    await choose(/A model, by its API/);
    await press('Add a key');
    const dialog = within(await screen.findByRole('dialog', { name: 'A key for a brain' }));
    await userEvent.type(dialog.getByLabelText('Key'), 'sk-sentinel-0123456789');
    await userEvent.click(dialog.getByRole('button', { name: 'Keep the key' }));
    expect(await dialog.findByText('Say what you call it.')).toBeVisible();
    await userEvent.type(dialog.getByLabelText('Name'), 'work');
    await userEvent.click(dialog.getByRole('button', { name: 'Keep the key' }));
    await waitFor(() => expect(screen.getByLabelText('Key')).toHaveValue('bky_1'));
    expect(document.body.innerHTML).not.toContain('sk-sentinel');
    await type('Model that decides', 'some-model');
    await press('Launch');
    await waitFor(() => expect(asked(world)).toHaveLength(2));
    expect(asked(world)[1]).toMatchObject({
      path: '/v1/sessions',
      body: { pilot: { brain: { kind: 'api', keyId: 'bky_1', model: 'some-model' } } },
    });
  });
});
