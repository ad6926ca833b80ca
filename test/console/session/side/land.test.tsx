import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { REVIEW } from '../../../../console/mock/review.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../../console/mock/sentinels.ts';
import type { Grade } from '../../../../protocol/grade.ts';
import { asked } from '../../support/house.tsx';
import { openChanges } from './open-changes.ts';

/** Its panel of changes, of a session that has this grade. */
async function openGraded(grade: Grade, prepare?: Parameters<typeof openChanges>[1]) {
  const events = [...eventsUntilApproval(), ...eventsAfterApproval()].map((event) =>
    event.type === 'checkout/prepared'
      ? { ...event, grade: { grade, reason: 'It was chosen.' } }
      : event,
  );
  const house = await openChanges(events, prepare);
  await screen.findByRole('list', { name: 'Changed files' });
  return house;
}
const form = async () => within(await screen.findByRole('form', { name: 'Land it' }));

describe('landing what was reviewed', { timeout: 20_000 }, () => {
  it('opens a pull request with the files that were looked at, and links it', async () => {
    const { world, path } = await openGraded('sealed');
    const land = await form();
    const message = land.getByLabelText('Message of the commit');
    expect(message).toHaveValue('Trim the sentinel sails');
    await userEvent.clear(message);
    await userEvent.click(land.getByRole('button', { name: 'Open a pull request' }));
    expect(await screen.findByText('Say what it does first.')).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.type(message, 'Reef early');
    expect(land.getByText(/sessions land ses_\w+ -m 'Reef early' --as pull_request/)).toBeVisible();
    await userEvent.click(land.getByRole('button', { name: 'Open a pull request' }));
    const link = await screen.findByRole('link', { name: /lighthouse\/sails\/pull\/7/ });
    expect(link).toHaveAttribute('rel', 'noreferrer');
    expect(asked(world)).toEqual([
      {
        path: `${path}/land`,
        body: { tree: REVIEW.tree, how: 'pull_request', message: 'Reef early' },
      },
    ]);
    expect(screen.getByText(/and pushed/)).toBeVisible();
  });

  it('goes no further than its branch where that is chosen', async () => {
    const { world } = await openGraded('fenced');
    const land = await form();
    await userEvent.click(land.getByRole('radio', { name: 'On its branch' }));
    await userEvent.click(land.getByRole('button', { name: 'Commit it' }));
    await waitFor(() => expect(asked(world)).toMatchObject([{ body: { how: 'commit' } }]));
    expect(await screen.findByText(/in your repository too/)).toBeVisible();
  });

  it('goes on from its branch to a pull request, and then no further', async () => {
    const { world } = await openGraded('fenced');
    await userEvent.click((await form()).getByRole('radio', { name: 'On its branch' }));
    world.review = { ...REVIEW, uncommittedFiles: 0 };
    await userEvent.click((await form()).getByRole('button', { name: 'Commit it' }));
    // What was committed stays in sight above the way on.
    expect(await screen.findByText(/in your repository too/)).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: 'Open a pull request' }));
    expect(await screen.findByRole('link', { name: /pull\/7/ })).toBeVisible();
    expect(screen.queryByRole('form', { name: 'Land it' })).toBeNull();
    expect(asked(world)).toMatchObject([
      { body: { how: 'commit' } },
      { body: { how: 'pull_request' } },
    ]);
  });

  it('asks for no words where everything is committed and is only pushed', async () => {
    const { world } = await openGraded('sealed', (made) => {
      made.review = { ...REVIEW, uncommittedFiles: 0 };
    });
    const land = await form();
    expect(land.queryByRole('radio', { name: 'On its branch' })).toBeNull();
    expect(land.getByLabelText('Title')).toBeVisible();
    await userEvent.click(land.getByRole('radio', { name: 'Push' }));
    expect(land.queryByRole('textbox')).toBeNull();
    await userEvent.click(land.getByRole('button', { name: 'Push it' }));
    await waitFor(() => expect(asked(world)).toMatchObject([{ body: { how: 'push' } }]));
  });

  it('commits and no more for an open session, which has no gate', async () => {
    await openGraded('open');
    const land = await form();
    expect(land.queryByRole('radio')).toBeNull();
    expect(land.getByRole('button', { name: 'Commit it' })).toBeEnabled();
  });

  it('is not offered where nothing of an open session is left to commit, or nothing changed', async () => {
    await openGraded('open', (world) => {
      world.review = { ...REVIEW, uncommittedFiles: 0 };
    });
    expect(screen.queryByRole('form', { name: 'Land it' })).toBeNull();
    await openGraded('sealed', (world) => {
      world.review = { ...REVIEW, files: [] };
    });
    expect(screen.queryByRole('form', { name: 'Land it' })).toBeNull();
  });

  it('says why it did not go, keeps the message, and can be pressed again', async () => {
    const { world, path } = await openGraded('sealed', (made, { sessionId }) => {
      made.failures.set(`POST /v1/sessions/${sessionId}/land`, 'review_stale');
    });
    const land = await form();
    await userEvent.type(land.getByLabelText('Message of the commit'), ', again');
    await userEvent.click(land.getByRole('button', { name: 'Open a pull request' }));
    expect(await land.findByRole('alert')).toHaveTextContent(/changed since they were listed/);
    expect(land.getByLabelText('Message of the commit')).toHaveValue(
      'Trim the sentinel sails, again',
    );
    world.failures.delete(`POST ${path}/land`);
    await userEvent.click(land.getByRole('button', { name: 'Open a pull request' }));
    expect(await screen.findByRole('link', { name: /pull\/7/ })).toBeVisible();
  });
});
