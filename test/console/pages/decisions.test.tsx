import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { KEY_TOKEN } from '../../../console/mock/decisions.ts';
import { aFinding, aRecord, aReport, aRule } from '../../support/adr-reports.ts';
import { asked, findHeading, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const records = [
  aRecord({ rules: [aRule({ state: 'violated', findings: [aFinding()] })] }),
  aRecord({ id: '0002', title: 'Second', supersedes: ['0001'] }),
  aRecord({ id: '0003', title: 'Third', rules: [aRule({ state: 'could_not_check' })] }),
];
const openReport = (over: Parameters<typeof aReport>[0] = {}) =>
  openHouse('/decisions/of/acme/site', (world) =>
    world.decisions.post('acme/site', 'main', aReport({ records, exitCode: 1, ...over })),
  );
const row = (title: string) => screen.findByRole('button', { name: new RegExp(title) });

describe('decisions', { timeout: 20_000 }, () => {
  it('tell how to begin, make a key and show it once', async () => {
    const { world } = await openHouse('/decisions');
    expect(await findHeading('No repository posts its decisions yet')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Make a key' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Make a key' }));
    expect(dialog.getByText(/Letters, digits/)).toBeInTheDocument();
    await userEvent.type(dialog.getByRole('textbox', { name: 'Repository' }), 'acme/site');
    await userEvent.click(dialog.getByRole('button', { name: 'Make a key' }));
    expect(await dialog.findByText(KEY_TOKEN)).toBeInTheDocument();
    expect(dialog.getByText(/pilothouse adr check --post/)).toBeInTheDocument();
    expect(asked(world)).toEqual([
      { path: '/v1/decisions/keys', body: { repository: 'acme/site', name: 'CI' } },
    ]);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByText(KEY_TOKEN)).toBeNull();
    expect(await screen.findByText('no report yet')).toBeInTheDocument();
  });

  it('are listed by repository, with the last result', async () => {
    await openHouse('/decisions', (world) =>
      world.decisions.post('acme/site', 'main', aReport({ records, exitCode: 1 })),
    );
    const link = await screen.findByRole('link', { name: 'acme/site' });
    expect(link).toHaveAttribute('href', '/decisions/of/acme/site');
    expect(link.closest('li')).toHaveTextContent('violations');
  });

  it('say of each record whether it holds, and never that an unchecked one does', async () => {
    await openReport();
    expect(await row('One pool')).toHaveTextContent('violated');
    expect(await row('Second')).toHaveTextContent('holds');
    expect(await row('Third')).toHaveTextContent('could not check');
  });

  it('open to what enforces a record and where it is broken', async () => {
    await openReport();
    await userEvent.click(await row('One pool'));
    const findings = screen.getByRole('list', { name: 'Findings of pool-importers' });
    expect(findings).toHaveTextContent('src/cart.ts:3:1');
    expect(screen.getByRole('list', { name: 'Rules of 0001' })).toHaveTextContent('1,412 files');
  });

  it('lead from a record to the one that it supersedes', async () => {
    await openReport();
    await userEvent.click(await row('Second'));
    await userEvent.click(screen.getByRole('button', { name: '0001' }));
    expect(
      await screen.findByRole('list', { name: 'Findings of pool-importers' }),
    ).toBeInTheDocument();
  });

  it('are walked through and opened with the keyboard', async () => {
    await openReport();
    // The keys are listened to a moment after the rows are there; above the first is the first.
    await waitFor(async () => {
      await userEvent.keyboard('k');
      expect(await row('0001')).toHaveFocus();
    });
    await userEvent.keyboard('j');
    const second = await row('Second');
    await waitFor(() => expect(second).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(second).toHaveAttribute('aria-expanded', 'true'));
  });

  it('say that an old result is old', async () => {
    await openReport();
    expect(await screen.findByText(/^Last checked/)).toHaveTextContent('at 01234567');
  });

  it('tell a failure', async () => {
    await openHouse('/decisions', (world) =>
      world.failures.set('GET /v1/decisions/repositories', 'internal'),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('Something failed on our side.');
  });

  it('revoke a key once that was confirmed', async () => {
    const { world } = await openHouse('/decisions/of/acme/site', (held) => {
      const address = new URL('http://mock/v1/decisions/keys');
      held.decisions.answer('POST', address, { repository: 'acme/site' }, 1);
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    expect(asked(world)).toEqual([]);
    await typeName();
    await userEvent.click(screen.getByRole('button', { name: 'Revoke the key' }));
    expect(await screen.findByText(/^revoked/)).toBeInTheDocument();
  });
});
