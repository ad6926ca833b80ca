import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { RequestFailure } from '../../../console/errors.ts';
import { ConfirmRemoval } from '../../../console/ui/confirm-removal.tsx';
import { Dialog } from '../../../console/ui/dialog.tsx';
import { useQuery } from '@tanstack/react-query';
import { draw } from '../support/render.tsx';

describe('a dialog', () => {
  it('begins in its field, so that Enter does not press what closes it', async () => {
    const change = vi.fn();
    draw(
      <Dialog open onOpenChange={change} title="Name it">
        <button type="button">Other</button>
        <input aria-label="Name" />
      </Dialog>,
    );
    expect(screen.getByRole('textbox')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(change).not.toHaveBeenCalled();
  });

  it('without a field keeps the keyboard within itself', async () => {
    draw(
      <>
        <button type="button">Behind</button>
        <Dialog open onOpenChange={() => undefined} title="Read this">
          <button type="button">Do it</button>
        </Dialog>
      </>,
    );
    const dialog = screen.getByRole('dialog', { name: 'Read this' });
    for (let presses = 0; presses < 4; presses++) {
      await userEvent.tab();
      expect(dialog).toContainElement(document.activeElement as HTMLElement);
    }
  });

  it('is described by its own words, and by none where it has none', () => {
    const { redraw } = draw(
      <Dialog open onOpenChange={() => undefined} title="Go" description="It cannot come back.">
        {null}
      </Dialog>,
    );
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription('It cannot come back.');
    redraw(
      <Dialog open onOpenChange={() => undefined} title="Go">
        {null}
      </Dialog>,
    );
    expect(screen.getByRole('dialog')).not.toHaveAttribute('aria-describedby');
  });

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['its cross', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ])('is closed by %s', async (_, leave) => {
    const change = vi.fn();
    draw(
      <Dialog open onOpenChange={change} title="Go">
        {null}
      </Dialog>,
    );
    await leave();
    expect(change.mock.calls).toEqual([[false]]);
  });
});

const BACK = { said: 'The key is gone.', undo: async () => undefined };

describe('a removal', () => {
  const open = (remove: () => Promise<unknown>, name: string | null = null) => {
    const close = vi.fn();
    const read = vi.fn(async () => []);
    const List = () => {
      useQuery({ queryKey: ['keys', 'all'], queryFn: read });
      return null;
    };
    draw(
      <>
        <List />
        <ConfirmRemoval
          title="Remove the key CI?"
          description="Builds that use it can no longer post."
          {...(name === null ? { name, back: BACK } : { name })}
          action="Remove the key"
          command="pilothouse keys remove key_a"
          remove={remove}
          queryKey={['keys']}
          close={close}
        />
      </>,
    );
    return { close, read };
  };
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  it('is asked about with what it means and its command, and not done by that', () => {
    const remove = vi.fn(async () => undefined);
    open(remove);
    expect(screen.getByRole('dialog')).toHaveTextContent('Builds that use it can no longer post.');
    expect(screen.getByText('pilothouse keys remove key_a')).toBeInTheDocument();
    expect(remove).not.toHaveBeenCalled();
  });

  it('that is done closes once what it changed was read again', async () => {
    let removed: () => void = () => undefined;
    const { close, read } = open(() => new Promise<void>((done) => void (removed = done)));
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    await press('Remove the key');
    expect(screen.getByRole('button', { name: 'Remove the key' })).toBeDisabled();
    expect(close).not.toHaveBeenCalled();
    close.mockImplementation(() => expect(read).toHaveBeenCalledTimes(2));
    await act(async () => removed());
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('that is refused stays, says why, and is done by trying again', async () => {
    const refusal = new RequestFailure('internal', { message: 'Not now.', retryable: true });
    const remove = vi.fn(async () => undefined).mockRejectedValueOnce(refusal);
    const { close } = open(remove);
    await press('Remove the key');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.');
    expect(close).not.toHaveBeenCalled();
    await press('Retry');
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('of what cannot be brought back is done by its name alone, with the keyboard too', async () => {
    const remove = vi.fn(async () => undefined);
    const { close } = open(remove, 'CI');
    const field = screen.getByLabelText('Type CI to confirm');
    expect(field).toHaveFocus();
    await userEvent.keyboard('C{Enter}');
    await press('Remove the key');
    expect(await screen.findByText('Type CI first: this cannot be undone.')).toBeVisible();
    expect(remove).not.toHaveBeenCalled();
    await userEvent.type(field, 'i {Enter}');
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(remove).toHaveBeenCalledOnce();
  });

  it('that never can be done is not offered again as if it could', async () => {
    const refusal = new RequestFailure('forbidden', { message: 'Not for you.', retryable: false });
    open(() => Promise.reject(refusal));
    await press('Remove the key');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not for you.');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});
