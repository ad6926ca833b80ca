import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import {
  ACT,
  eventsAfterApproval,
  eventsUntilApproval,
  REQUEST,
} from '../../../console/mock/sentinels.ts';
import type { MockWorld } from '../../../console/mock/world.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { breachFound, overridden } from '../../support/breach-builders.ts';
import { findHeading, openHouse } from '../support/house.tsx';

const allowed: FeedEvent = {
  type: 'approval/decided',
  requestId: REQUEST,
  answer: { decision: 'allow', message: null, answers: null, suggestion: null },
  actorId: LOCAL_ACTOR,
  channel: 'console',
};
const worked = [...eventsUntilApproval(), allowed, ...eventsAfterApproval()];
const broke = [...worked, breachFound({ actId: ACT })];
const fill = (world: MockWorld) => void world.add(worked);
const acts = () => screen.findByRole('region', { name: 'Acts' });
const askedFor = (world: MockWorld, path: string) =>
  world.received.filter((each) => each.path === path).at(-1)?.query;

describe('the chain of the ledgers', { timeout: 20_000 }, () => {
  const mark = () => screen.findByRole('region', { name: 'Chain of the ledgers' });

  it('is compared when somebody asks, and says how much holds', async () => {
    const { world } = await openHouse('/acts', fill);
    expect(await mark()).toHaveTextContent('Each row here is a link of its session’s chain.');
    expect(askedFor(world, '/v1/chains')).toBeUndefined();
    await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
    await waitFor(async () => expect(await mark()).toHaveTextContent(/Unchanged: \d+ rows of 1/));
    expect(within(await acts()).getByTitle(/with the hash c0ffee/)).toHaveTextContent(/^#\d+$/);
  });

  it('names what was changed, in the report at once', async () => {
    await openHouse('/acts/report', (world) => {
      const { sessionId } = world.add(worked);
      world.tampered.set(sessionId, [{ fault: 'altered', number: 3, ledger: 'act', key: 'act_1' }]);
    });
    await waitFor(async () => expect(await mark()).toHaveTextContent('1 session no longer holds'));
    expect(await mark()).toHaveTextContent('Link 3: the act act_1 is not what was recorded.');
  });

  it('that cannot be read says what to do', async () => {
    await openHouse('/acts/report', (world) => {
      fill(world);
      world.failures.set('GET /v1/chains', 'internal');
    });
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeInTheDocument();
  });
});

describe('acts', { timeout: 20_000 }, () => {
  it('says what an act is before there is one', async () => {
    await openHouse('/acts');
    expect(await findHeading('No act was seen yet')).toBeInTheDocument();
  });

  it('tell when, what, on what, what became of it, who saw it and under which policy', async () => {
    await openHouse('/acts', fill);
    const row = within(await acts())
      .getByText('push')
      .closest('tr');
    expect(row).toHaveTextContent('done');
    expect(row).toHaveTextContent('origin sentinel');
    expect(row).toHaveTextContent('Trim the sentinel sails');
    expect(row).toHaveTextContent('stream');
    expect(row).toHaveTextContent('defaults');
  });

  it('mark what the policy forbids', async () => {
    await openHouse('/acts', (world) => void world.add(broke));
    expect(within(await acts()).getByText('forbidden')).toBeInTheDocument();
  });

  it('are filtered by the words of the choices, which are kept in the address', async () => {
    const { world, router } = await openHouse('/acts', fill);
    await acts();
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'merge');
    expect(await findHeading('No act is of this kind')).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'push');
    await userEvent.selectOptions(screen.getByLabelText('Outcome'), 'done');
    await userEvent.selectOptions(screen.getByLabelText('Seen by'), 'stream');
    await userEvent.selectOptions(screen.getByLabelText('Policy'), 'no');
    await acts();
    await waitFor(() =>
      expect(askedFor(world, '/v1/acts')).toMatchObject({
        kind: 'push',
        outcome: 'done',
        witness: 'stream',
        breach: 'false',
      }),
    );
    expect(router.state.location.search).toMatchObject({ kind: 'push', outcome: 'done' });
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
  });

  it('show what a link says, and read a broken one as the whole ledger', async () => {
    await openHouse('/acts?kind=merge', fill);
    expect(await screen.findByLabelText('Kind')).toHaveValue('merge');
    expect(await findHeading('No act is of this kind')).toBeInTheDocument();
    await openHouse('/acts?kind=mutiny&outcome=victory&session=mine', fill);
    expect(await acts()).toBeInTheDocument();
  });

  it('of one session say so, and lead back to all', async () => {
    const { router } = await openHouse('/acts?session=ses_sentinel', fill);
    await userEvent.click(await screen.findByRole('button', { name: /One session/ }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
  });

  it('are exported with the same filter, by the page and by the command beside it', async () => {
    await openHouse('/acts?kind=push&breach=yes', fill);
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    expect(screen.getByRole('menuitem', { name: 'Save as JSON' })).toHaveAttribute(
      'href',
      '/v1/acts/export?kind=push&breach=true&format=json',
    );
    expect(screen.getByText('pilothouse acts export --kind push --breach true')).toBeVisible();
  });

  it('tell a failure with a way to try again', async () => {
    await openHouse('/acts', (world) => world.failures.set('GET /v1/acts', 'internal'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Something failed on our side.');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
  });

  it('offer no other try where it would fail the same way', async () => {
    await openHouse('/acts', (world) => world.failures.set('GET /v1/acts', 'forbidden'));
    expect(await screen.findByRole('alert')).toHaveTextContent('This credential may not do that.');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});

describe('the other ledgers', { timeout: 20_000 }, () => {
  it('tell each breach with how to undo it and who has answered for it', async () => {
    const { router } = await openHouse('/acts', (world) => {
      world.add(broke);
      world.add([...worked, breachFound(), overridden('reverted by hand')]);
    });
    await userEvent.click(await screen.findByRole('radio', { name: 'Breaches' }));
    const list = await screen.findByRole('list', { name: 'Breaches' });
    const [first, second] = within(list).getAllByRole('listitem');
    const both = `${first?.textContent} ${second?.textContent}`;
    expect(both).toContain('Nobody has answered for it yet.');
    expect(both).toContain('Answered for from the cli');
    expect(both).toContain('reverted by hand');
    expect(both).toContain('git push --force-with-lease');
    expect(router.state.location.searchStr).toBe('?show=breaches');
  });

  it('tell who answered what an engine asked for, from where', async () => {
    await openHouse('/acts?show=approvals', (world) => {
      world.add(worked);
      world.add(eventsUntilApproval({ objective: 'Caulk the hull' }));
    });
    const table = await screen.findByRole('region', { name: 'Approvals' });
    const answered = within(table).getByText('Trim the sentinel sails').closest('tr');
    expect(answered).toHaveTextContent(/allowed.*you.*console.*allowed/);
    const waiting = within(table).getByText('Caulk the hull').closest('tr');
    expect(waiting).toHaveTextContent('waits for you');
  });

  it('tell who changed what, and what was refused', async () => {
    await openHouse('/acts?show=access');
    const table = await screen.findByRole('region', { name: 'Access log' });
    expect(within(table).getByText('sessions.launch')).toBeInTheDocument();
    expect(within(table).getByText('session_not_found')).toBeInTheDocument();
  });

  it.each([
    ['breaches', 'No breach in this time'],
    ['approvals', 'Nothing was asked in this time'],
  ])('say what %s are where there are none', async (show, heading) => {
    await openHouse(`/acts?show=${show}`);
    expect(await findHeading(heading)).toBeInTheDocument();
  });
});

describe('the report of a time', { timeout: 20_000 }, () => {
  const whole = () =>
    waitFor(() =>
      expect(screen.getByRole('button', { name: 'Print' })).not.toHaveAttribute('aria-disabled'),
    );

  it('holds every part, none of which is left out because it is empty', async () => {
    await openHouse('/acts/report', fill);
    await screen.findByRole('region', { name: 'Acts by kind' });
    for (const name of ['Breaches of the policy', 'Approvals', 'Every act'])
      expect(screen.getByRole('heading', { name })).toBeInTheDocument();
    expect(screen.getByText('None.')).toBeInTheDocument();
    expect(screen.getByText(/^From .* until now\. Made .* by sentinel/)).toBeInTheDocument();
  });

  it('is printed by a button, once it is whole', async () => {
    const printed = vi.fn<() => void>();
    vi.stubGlobal('print', printed);
    await openHouse('/acts/report', fill);
    await whole();
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(printed).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  it('is not printed without what was spent, and says why that is missing', async () => {
    const printed = vi.fn<() => void>();
    vi.stubGlobal('print', printed);
    const { world } = await openHouse('/acts/report', (held) => {
      fill(held);
      held.failures.set('GET /v1/usage/summary', 'internal');
    });
    await screen.findByRole('region', { name: 'Acts by kind' });
    expect(await screen.findByRole('alert')).toHaveTextContent('Something failed on our side.');
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(printed).not.toHaveBeenCalled();
    expect(await screen.findByText(/A part of it could not be read/)).toBeVisible();
    world.failures.clear();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await whole();
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(printed).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  it('says why it cannot be made', async () => {
    await openHouse('/acts/report', (world) => world.failures.set('GET /v1/approvals', 'internal'));
    expect(await screen.findByRole('alert')).toHaveTextContent('Something failed on our side.');
  });
});
