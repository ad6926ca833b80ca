import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { REVIEW } from '../../../../console/mock/review.ts';
import { eventsUntilApproval } from '../../../../console/mock/sentinels.ts';
import { describeLine, totalOf } from '../../../../console/session/side/reviewed-files.tsx';
import { openChanges } from './open-changes.ts';

describe('what a session changed', { timeout: 20_000 }, () => {
  it('is listed as git sees it once its turn has ended', async () => {
    await openChanges();
    const list = within(await screen.findByRole('list', { name: 'Changed files' }));
    expect(list.getByText('src/sail.ts')).toBeVisible();
    expect(list.getByText('added')).toBeVisible();
    expect(list.getByText('no text')).toBeVisible();
    expect(screen.getByText('2 files, +1 −1')).toBeVisible();
  });

  it('opens as a diff, whose lines can be spoken of in the next instruction', async () => {
    const { world, path } = await openChanges();
    const list = within(await screen.findByRole('list', { name: 'Changed files' }));
    const row = list.getByRole('button', { name: /src\/sail\.ts/ });
    expect(row).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(row);
    expect(await list.findByText('reef();')).toBeVisible();
    expect(row).toHaveAttribute('aria-expanded', 'true');
    const [added] = list.getAllByRole('button', { name: 'Comment on line 4' }).slice(-1);
    await userEvent.click(added as HTMLElement);
    const field = await screen.findByRole('textbox', { name: 'What to do next' });
    expect(field).toHaveValue('src/sail.ts:4, `reef();`: ');
    // The sheet makes room for it.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.type(field, 'too early{Enter}');
    await waitFor(() => {
      const sent = world.received.find((one) => one.path === `${path}/instructions`);
      expect(sent?.body).toMatchObject({ text: 'src/sail.ts:4, `reef();`: too early' });
    });
  });

  it('says of a file that is no text that nothing of it can be shown', async () => {
    await openChanges();
    await userEvent.click(await screen.findByRole('button', { name: /rig\.png/ }));
    expect(await screen.findByText('Nothing in it differs as text.')).toBeVisible();
  });

  it('is what the tools said while the engine works', async () => {
    const { asked } = await openChanges(eventsUntilApproval());
    expect(await screen.findByText('Files its tools changed')).toBeInTheDocument();
    expect(asked()).toBe(0);
  });

  it('says that it is at work there where the machine says so, and asks again', async () => {
    const { world } = await openChanges(undefined, (made) => {
      made.review = { working: true } as never;
    });
    expect(await screen.findByText(/It is at work there/)).toBeVisible();
    // And by itself what it changed, once that can be told.
    world.review = REVIEW;
    expect(await screen.findByRole('list', { name: 'Changed files' })).toBeVisible();
  });

  it('says that nothing differs, or that there is more than is listed', async () => {
    await openChanges(undefined, (world) => {
      world.review = { ...REVIEW, files: [], moreFiles: 0 };
    });
    expect(await screen.findByText(/Nothing differs from where/)).toBeVisible();
    await openChanges(undefined, (world) => {
      world.review = { ...REVIEW, moreFiles: 12 };
    });
    expect(await screen.findByText(/And 12 more files/)).toBeVisible();
  });

  it('says why it cannot be shown, and looks again when asked', async () => {
    const { world, path } = await openChanges(undefined, (made, { sessionId }) => {
      made.failures.set(`GET /v1/sessions/${sessionId}/changes`, 'runner_offline');
    });
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
    world.failures.delete(`GET ${path}/changes`);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('list', { name: 'Changed files' })).toBeVisible();
  });

  it('says so above the old list where it could not look again', async () => {
    const { world, path } = await openChanges();
    await screen.findByText('2 files, +1 −1');
    world.failures.set(`GET ${path}/changes`, 'runner_offline');
    await userEvent.click(screen.getByRole('button', { name: 'Look again' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/machine/);
    expect(screen.getByText('2 files, +1 −1')).toBeVisible();
    world.failures.clear();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('looks again on request', async () => {
    const { world, asked } = await openChanges();
    await screen.findByText('2 files, +1 −1');
    world.review = { ...REVIEW, files: REVIEW.files.slice(1) };
    await userEvent.click(screen.getByRole('button', { name: 'Look again' }));
    expect(await screen.findByText('1 file, +1 −1')).toBeVisible();
    expect(asked()).toBe(2);
  });
});

describe('the words of it', () => {
  it('count the lines of texts alone', () => {
    expect(totalOf({ ...REVIEW, sessionId: 'ses_1' as never, moreFiles: 3 })).toBe(
      '5 files, +1 −1',
    );
  });

  it.each([
    [{ kind: 'added', before: null, after: 7, text: '  reef();' }, 'a.ts:7, `reef();`: '],
    [{ kind: 'context', before: 6, after: 7, text: 'x' }, 'a.ts:7, `x`: '],
    [{ kind: 'removed', before: 3, after: null, text: 'y' }, 'a.ts, line 3 before, `y`: '],
  ] as const)('name a line %j', (line, words) => {
    expect(describeLine('a.ts', line)).toBe(words);
  });
});
