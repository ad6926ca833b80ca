import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PolicyVersion } from '../../../protocol/policy-http.ts';
import { asked, openHouse } from '../support/house.tsx';

const version = (number: number, part: PolicyVersion['part']): PolicyVersion => ({
  scope: { kind: 'account' },
  version: number,
  part,
  widens: null,
  savedBy: 'cli',
  savedAt: 1_000,
});
const preview = () => screen.findByRole('region', { name: 'What a launch may do then' });

describe('the policy in the settings', { timeout: 20_000 }, () => {
  it('says in sentences what a change comes to, and what of it would have no effect', async () => {
    const { world } = await openHouse('/settings');
    expect(await preview()).toHaveTextContent('May not push to the default branch.');
    expect(screen.getByText('Nobody has changed it here.')).toBeInTheDocument();
    expect(screen.getByRole('option', { name: /^as by default: pull requests/ })).toBeVisible();
    expect(screen.getByLabelText(/Protected paths/)).toHaveAttribute(
      'placeholder',
      'as by default',
    );
    await userEvent.selectOptions(screen.getByLabelText('Merges'), 'ask');
    expect(await preview()).toHaveTextContent('mode stays pr');
    await userEvent.type(screen.getByLabelText(/Why it may allow more/), 'I look at each');
    expect(await preview()).toHaveTextContent(
      'Leaves each push to the default branch to a person.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Save as version 1' }));
    await screen.findByText('Version 1');
    expect(asked(world)).toEqual([
      {
        path: '/v1/policy',
        body: {
          scope: { kind: 'account' },
          part: { mode: 'ask' },
          widens: 'I look at each',
          basedOn: 0,
        },
      },
    ]);
    expect(screen.getByText(/May allow more: “I look at each”/)).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('Version 2');
    expect(asked(world).at(-1)?.body).toEqual({
      scope: { kind: 'account' },
      part: {},
      widens: null,
      basedOn: 1,
    });
  });

  it('saves nothing that means nothing, and says which line', async () => {
    const { world } = await openHouse('/settings');
    await preview();
    await userEvent.type(screen.getByLabelText(/Rules of tools/), 'forbid everything');
    expect(await preview()).toHaveTextContent('Tools, line 1');
    await userEvent.click(screen.getByRole('button', { name: 'Save as version 1' }));
    expect(asked(world)).toEqual([]);
  });

  it('brings an older version back as the newest', async () => {
    const { world } = await openHouse('/settings', (house) => {
      house.policies.versions = [version(2, { mode: 'none' }), version(1, { force: 'never' })];
    });
    const list = await screen.findByRole('list', { name: 'Versions, the newest first' });
    expect(within(list).getByText('It is so now.')).toBeInTheDocument();
    await userEvent.click(within(list).getByRole('button', { name: 'Bring back version 1' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Save as version 3' }));
    await screen.findByText('Version 3');
    expect(asked(world)).toMatchObject([{ body: { part: { force: 'never' }, basedOn: 2 } }]);
  });

  it('is of one repository where that is chosen, on top of what holds for all', async () => {
    const { world } = await openHouse('/settings', (house) => {
      house.policies.versions = [version(1, { protectedBranches: ['release/*'] })];
    });
    await preview();
    await userEvent.click(screen.getByRole('button', { name: 'For one repository…' }));
    await userEvent.type(screen.getByLabelText(/Repository, or a directory/), '/code/shop/');
    await userEvent.click(screen.getByRole('button', { name: 'Show its policy' }));
    await screen.findByText('/code/shop');
    expect(await screen.findByRole('option', { name: /^as the account says: pull/ })).toBeVisible();
    await userEvent.selectOptions(await screen.findByLabelText('Merges'), 'none');
    expect(await preview()).toHaveTextContent('May not push to the default branch, release/*.');
    await userEvent.click(screen.getByRole('button', { name: 'Save as version 1' }));
    await screen.findByText('Version 1');
    expect(asked(world)).toMatchObject([
      { body: { scope: { kind: 'repository', directory: '/code/shop' }, part: { mode: 'none' } } },
    ]);
  });

  it('is saved once, however fast it is pressed', async () => {
    const { world } = await openHouse('/settings');
    await preview();
    await userEvent.selectOptions(screen.getByLabelText('Merges'), 'none');
    const form = screen.getByRole('form', { name: 'Policy' });
    fireEvent.submit(form);
    fireEvent.submit(form);
    await screen.findByText('Version 1');
    expect(asked(world)).toHaveLength(1);
  });

  it('that somebody else changed meanwhile is kept as it was typed, with why it was not saved', async () => {
    const { world } = await openHouse('/settings', (house) => {
      house.failures.set('POST /v1/policy', 'policy_changed');
    });
    await preview();
    await userEvent.selectOptions(screen.getByLabelText('Merges'), 'none');
    await userEvent.click(screen.getByRole('button', { name: 'Save as version 1' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('changed since you read it');
    expect(screen.getByLabelText('Merges')).toHaveValue('none');
    expect(world.policies.versions).toEqual([]);
    // What somebody else saved is one press away.
    world.failures.clear();
    world.policies.versions = [version(1, { mode: 'merge' })];
    await userEvent.click(screen.getByRole('button', { name: 'Show how it stands now' }));
    expect(await screen.findByRole('button', { name: 'Save as version 2' })).toBeVisible();
    expect(screen.getByLabelText('Merges')).toHaveValue('merge');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('asks for the whole path of a repository, and goes back without one', async () => {
    await openHouse('/settings');
    await preview();
    await userEvent.click(screen.getByRole('button', { name: 'For one repository…' }));
    await userEvent.type(screen.getByLabelText(/Repository, or a directory/), 'shop');
    const show = screen.getByRole('button', { name: 'Show its policy' });
    expect(show).toHaveAttribute('aria-disabled', 'true');
    expect(show).toHaveAttribute('title', 'Give the whole path of the repository, from / on.');
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByText('All launches')).toBeVisible();
  });

  it('of a repository wants a machine first', async () => {
    await openHouse('/settings', (house) => {
      house.runners = [];
    });
    await preview();
    await userEvent.click(screen.getByRole('button', { name: 'For one repository…' }));
    await userEvent.type(screen.getByLabelText(/Repository, or a directory/), '/code');
    const show = screen.getByRole('button', { name: 'Show its policy' });
    expect(show).toHaveAttribute('title', 'Connect a machine first.');
  });

  it('says so when it cannot be read', async () => {
    await openHouse('/settings', (house) => {
      house.failures.set('GET /v1/policy', 'internal');
    });
    expect(await screen.findByRole('alert')).toBeVisible();
  });
});
