import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { MockWorld } from '../../../console/mock/world.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { findHeading, openHouse } from '../support/house.tsx';

const worked = [...eventsUntilApproval(), ...eventsAfterApproval()];
const ids = (world: MockWorld) => [...world.records.keys()];

describe('comparing runs', { timeout: 20_000 }, () => {
  it('says what it is for before two are chosen', async () => {
    await openHouse('/compare');
    expect(await findHeading('Nothing to compare yet')).toBeInTheDocument();
  });

  it('holds two beside each other, and takes one out again', async () => {
    const { world, router } = await openHouse('/compare', (held) => {
      held.add(worked);
      held.add(worked);
    });
    const [one = '', other = ''] = ids(world);
    const add = await screen.findByRole('combobox', { name: 'Add a run' });
    await within(add).findByRole('option', { name: new RegExp(one.slice(-6)) });
    await userEvent.selectOptions(add, one);
    expect(await findHeading('One more run')).toBeInTheDocument();
    await userEvent.selectOptions(add, other);
    const table = await screen.findByRole('region', { name: 'Runs side by side' });
    expect(within(table).getAllByRole('columnheader')).toHaveLength(3);
    expect(within(table).getByRole('row', { name: /Turns/ })).toHaveTextContent(/1\D*1/);
    expect(router.state.location.search).toEqual({ sessions: `${one},${other}` });
    const [out] = within(table).getAllByRole('button', { name: /^Take / });
    if (out) await userEvent.click(out);
    expect(await findHeading('One more run')).toBeInTheDocument();
  });

  it('tells what went wrong with a run that is not there', async () => {
    await openHouse('/compare?sessions=ses_gone1,ses_gone2');
    expect(await screen.findByRole('alert')).toHaveTextContent(/no session/i);
  });

  it('is led to from the sessions, and from each one', async () => {
    const { world } = await openHouse('/sessions', (held) => {
      held.add(worked);
    });
    expect(ids(world)).toHaveLength(1);
    const link = await screen.findByRole('link', { name: 'Compare runs' });
    expect(link).toHaveAttribute('href', '/compare');
  });
});
