import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import {
  aRunner,
  eventsAfterApproval,
  eventsUntilApproval,
} from '../../../console/mock/sentinels.ts';
import { openHouse, findHeading } from '../support/house.tsx';

const worked = [...eventsUntilApproval(), ...eventsAfterApproval()];

describe('spend', { timeout: 20_000 }, () => {
  it('has one figure for each kind, with its word and its entries', async () => {
    await openHouse('/spend', (world) => {
      world.add(worked);
    });
    const entries = await screen.findByRole('region', { name: 'Usage entries' });
    expect(await within(entries).findByText('sentinel-model')).toBeInTheDocument();
    expect(within(entries).getByText('reported')).toBeInTheDocument();
    const figure = document.querySelector('dd [data-bucket=reported]');
    expect(figure).toHaveTextContent('$0.21');
    expect(document.querySelector('[data-bucket=rehearsal]')).toBeNull();
  });

  it('says what will be there before anything is', async () => {
    await openHouse('/spend');
    expect(await findHeading('Nothing was recorded in this time')).toBeInTheDocument();
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('tells work that nothing measures also where nothing was measured', async () => {
    await openHouse('/spend', (world) => {
      world.unmetered = { drives: 4, aiCliDrives: 1, instances: 1, lastAt: 1_000, windowDays: 30 };
    });
    expect(await screen.findByRole('note')).toHaveTextContent('1 operator wrote 4 times');
    expect(await findHeading('Nothing was recorded in this time')).toBeInTheDocument();
  });

  it('keeps the time and the grouping that were chosen in the address', async () => {
    const { router } = await openHouse('/spend', (held) => {
      held.add(worked);
    });
    await screen.findByRole('region', { name: 'Spend by group' });
    await userEvent.click(screen.getByRole('radio', { name: 'Model' }));
    await screen.findByRole('radio', { name: 'Model', checked: true });
    await userEvent.click(screen.getByRole('radio', { name: '7 days' }));
    await waitFor(() => expect(router.state.location.href).toBe('/spend?by=model&time=week'));
  });

  it('draws the days, and groups by every word of the choice', async () => {
    await openHouse('/spend', (held) => {
      held.add(worked);
    });
    expect(await screen.findByRole('figure', { name: /^Charged, by day/ })).toBeInTheDocument();
    const groups = await screen.findByRole('region', { name: 'Spend by group' });
    for (const [choice, name] of [
      ['Session', 'Trim the sentinel sails'],
      ['Repository', 'no directory of its own'],
      ['Engine', 'rehearsal'],
      ['Payer', 'API key'],
    ] as const) {
      await userEvent.click(screen.getByRole('radio', { name: choice }));
      expect(await within(groups).findByText(name)).toBeInTheDocument();
    }
  });

  it('tells a chart that cannot be read apart from the figures that can', async () => {
    await openHouse('/spend', (world) => {
      world.add(worked);
      world.failures.set('GET /v1/usage/days', 'internal');
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Something failed on our side.');
    expect(await screen.findByRole('region', { name: 'Spend by group' })).toBeInTheDocument();
  });

  it('shows what a link says: its grouping, and a person’s own dates', async () => {
    // What was recorded is of today, whatever day and zone that is.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await openHouse(`/spend?by=payer&time=dates&from=2026-11-01&to=${tomorrow}`, (held) => {
      held.add(worked);
    });
    expect(await screen.findByRole('radio', { name: 'Payer', checked: true })).toBeInTheDocument();
    expect(screen.getByLabelText('From')).toHaveValue('2026-11-01');
    expect(screen.getByLabelText('to')).toHaveValue(tomorrow);
  });

  it('reads an address that somebody broke as the usual view', async () => {
    await openHouse('/spend?by=moon&time=never&from=soon', (held) => {
      held.add(worked);
    });
    expect(await screen.findByRole('radio', { name: 'Day', checked: true })).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: '30 days' })).toBeChecked();
  });
});

describe('machines', { timeout: 20_000 }, () => {
  it('tell presence, engines with what each needs, and their own limits', async () => {
    await openHouse('/machines');
    const card = await screen.findByRole('region', { name: 'lighthouse' });
    expect(card).toHaveTextContent('claude is not logged in.');
    expect(card).toHaveTextContent('safe defaults');
    expect(card).toHaveTextContent('not allowed');
  });

  it('are looked at by the doctor, problems first', async () => {
    await openHouse('/machines');
    await userEvent.click(await screen.findByRole('button', { name: 'Run doctor' }));
    const findings = await screen.findByRole('list', { name: 'Findings' });
    const [first] = within(findings).getAllByRole('listitem');
    expect(first).toHaveTextContent('The disk is full.');
    expect(first).toHaveTextContent('Free some of it.');
  });

  it('that are away cannot be looked at, and say why', async () => {
    await openHouse('/machines', (world) => {
      world.runners = [aRunner({ presence: 'offline' })];
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Run doctor' }));
    expect(await screen.findByText(/The machine is offline\./)).toBeVisible();
  });
});

describe('sessions', { timeout: 20_000 }, () => {
  it('are listed with their state, and lead to their page', async () => {
    await openHouse('/sessions', (world) => {
      world.add(worked);
    });
    const link = await screen.findByRole('link', { name: 'Trim the sentinel sails' });
    expect(link.getAttribute('href')).toMatch(/^\/sessions\/ses_/);
    expect(link.closest('li')).toHaveTextContent('Idle');
  });

  it('that do not exist yet are explained', async () => {
    await openHouse('/sessions');
    expect(await findHeading('No session yet')).toBeInTheDocument();
  });
});
