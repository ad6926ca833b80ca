import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { runnerId } from '../../../protocol/ids.ts';
import { PAIRED_RUNNER, PAIRING_CODE } from '../../../console/mock/machines.ts';
import { aRunner, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { asked, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));
const dialog = async () => within(await screen.findByRole('dialog'));

describe('pairing a machine', { timeout: 20_000 }, () => {
  it('says what to run there, shows the code, waits, and says when it came', async () => {
    const { world } = await openHouse('/machines');
    await press('Pair a machine');
    const shown = await dialog();
    expect(await shown.findByText(PAIRING_CODE)).toBeVisible();
    expect(shown.getByText(`pilothouse runner pair ${window.location.origin}`)).toBeVisible();
    expect(shown.getByText('Waiting for it…')).toBeVisible();
    world.runners.push(aRunner({ runnerId: PAIRED_RUNNER, name: 'attic', presence: 'offline' }));
    expect(
      await shown.findByText(
        /attic is paired. Waiting until its runner starts/,
        {},
        { timeout: 9_000 },
      ),
    ).toBeVisible();
    world.runners.push(aRunner({ runnerId: PAIRED_RUNNER, name: 'attic' }));
    world.runners.splice(1, 1);
    expect(
      await shown.findByText(/attic is paired and online/, {}, { timeout: 9_000 }),
    ).toBeVisible();
    await press('Done');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(asked(world)).toEqual([{ path: '/v1/pairings', body: {} }]);
  });

  it('withdraws the code from where it is shown, and makes another', async () => {
    const { world } = await openHouse('/machines');
    await press('Pair a machine');
    await press('Withdraw it');
    expect(await screen.findByText(/nobody comes in with it any more/)).toBeVisible();
    expect(world.pairings.open).toEqual([]);
    await press('Make another code');
    expect(await screen.findByText(PAIRING_CODE)).toBeVisible();
  });

  it('shows what waits to be used on the page, and withdraws it there', async () => {
    const { world } = await openHouse('/machines', (made) => {
      made.pairings.make({}, made.runners, Date.now());
      made.pairings.make({ runnerId: 'run_sentinel' }, made.runners, Date.now());
    });
    await press('Withdraw the code for a new machine');
    await waitFor(() =>
      expect(screen.queryByText(/A code lets a new machine in/)).not.toBeInTheDocument(),
    );
    expect(screen.getByText(/A code lets lighthouse in/)).toBeVisible();
    expect(asked(world)).toEqual([{ path: '/v1/pairings/run_paired/withdraw', body: {} }]);
  });

  it('says that a code was used before it could be withdrawn', async () => {
    const { world } = await openHouse('/machines', (made) => {
      made.pairings.make({}, made.runners, Date.now());
    });
    const button = await screen.findByRole('button', { name: /^Withdraw the code/ });
    world.failures.set('POST /v1/pairings/run_paired/withdraw', 'pairing_not_found');
    await userEvent.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('take its access back');
  });

  it('says that a code has expired, and makes another', async () => {
    const { world } = await openHouse('/machines', (made) => {
      Object.assign(made, { now: () => Date.now() - 3_600_000 });
    });
    await press('Pair a machine');
    expect(await screen.findByText('It has expired.')).toBeVisible();
    await press('Make another code');
    await waitFor(() => expect(asked(world)).toHaveLength(2));
  });
});

describe('the access of a machine', { timeout: 20_000 }, () => {
  it('is taken back by its name, after a word about its sessions, and can be given again', async () => {
    const { world } = await openHouse('/machines', (made) => void made.add(eventsUntilApproval()));
    await press('Revoke the access of lighthouse');
    const shown = await dialog();
    expect(await shown.findByText(/1 session of it is not over and ends/)).toBeVisible();
    await press('Revoke its access');
    expect(asked(world)).toEqual([]);
    expect(await typeName()).toBe('lighthouse');
    await act(async () => press('Revoke its access'));
    expect(await screen.findByText(/^access taken back/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Run doctor' })).not.toBeInTheDocument();
    await press('Pair again');
    expect(await (await dialog()).findByText(PAIRING_CODE)).toBeVisible();
    expect(asked(world)).toEqual([
      { path: '/v1/runners/run_sentinel/revoke', body: {} },
      { path: '/v1/pairings', body: { runnerId: 'run_sentinel' } },
    ]);
  });

  it('that was taken back offers it for no launch', async () => {
    await openHouse('/launch', (made) => {
      made.runners = [aRunner({ presence: 'offline', revokedAt: 1 })];
    });
    expect(await screen.findByText('No machine is connected')).toBeVisible();
  });

  it('that was taken back is no machine of the home page', async () => {
    await openHouse('/', (made) => {
      const gone = { runnerId: runnerId.parse('run_gone'), name: 'gone-away', revokedAt: 1 };
      made.runners = [aRunner(), aRunner({ ...gone, presence: 'offline' })];
    });
    expect(await screen.findByText('lighthouse')).toBeVisible();
    expect(screen.queryByText('gone-away')).not.toBeInTheDocument();
  });
});
