import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { OFFERED_MS, UndoToast } from '../../../console/frame/undo-toast.tsx';
import { offerUndo } from '../../../console/lib/undo.ts';
import { draw } from '../support/render.tsx';

const region = () => screen.getByRole('region', { name: 'What was just done' });
const offer = (undo: () => Promise<unknown>) =>
  act(() => offerUndo({ said: 'The sail is gone.', undo }));

describe('what was just done', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());

  it('is told in a region that was there before, and is offered for some seconds', () => {
    draw(<UndoToast />);
    expect(region()).toBeEmptyDOMElement();
    offer(() => Promise.resolve());
    expect(region()).toHaveTextContent('The sail is gone.');
    act(() => void vi.advanceTimersByTime(OFFERED_MS + 1));
    expect(region()).toBeEmptyDOMElement();
  });

  it('stays while somebody points at it or is in it', () => {
    draw(<UndoToast />);
    offer(() => Promise.resolve());
    const button = screen.getByRole('button', { name: 'Undo' });
    act(() => button.focus());
    act(() => void vi.advanceTimersByTime(3 * OFFERED_MS));
    expect(button).toBeInTheDocument();
    act(() => button.blur());
    act(() => void vi.advanceTimersByTime(OFFERED_MS + 1));
    expect(region()).toBeEmptyDOMElement();
  });

  it('gives a second offer its whole time', () => {
    draw(<UndoToast />);
    offer(() => Promise.resolve());
    act(() => void vi.advanceTimersByTime(OFFERED_MS - 1_000));
    act(() => offerUndo({ said: 'The oar is gone.', undo: () => Promise.resolve() }));
    act(() => void vi.advanceTimersByTime(OFFERED_MS - 1_000));
    expect(region()).toHaveTextContent('The oar is gone.');
  });
});

it('is taken back by one key, once, and says so', async () => {
  const undo = vi.fn(() => Promise.resolve());
  draw(<UndoToast />);
  offer(undo);
  fireEvent.keyDown(document.body, { key: 'z' });
  fireEvent.keyDown(document.body, { key: 'z' });
  expect(await screen.findByText('Taken back.')).toBeInTheDocument();
  expect(undo).toHaveBeenCalledOnce();
  expect(within(region()).queryByRole('button', { name: 'Undo' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Leave it so' }));
  expect(region()).toBeEmptyDOMElement();
});

it('leaves the key to whoever types', async () => {
  const undo = vi.fn(() => Promise.resolve());
  draw(
    <>
      <input aria-label="Name" />
      <UndoToast />
    </>,
  );
  offer(undo);
  await userEvent.type(screen.getByLabelText('Name'), 'z');
  expect(undo).not.toHaveBeenCalled();
});

it('says why it was not taken back, and stays to be tried again', async () => {
  const undo = vi
    .fn(() => Promise.resolve())
    .mockRejectedValueOnce(new PilothouseError('budget_changed'));
  draw(<UndoToast />);
  offer(undo);
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(/^Not taken back\./)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Taken back.')).toBeInTheDocument();
});

it('is not offered to whoever signs in next', () => {
  const { unmount } = draw(<UndoToast />);
  offer(() => Promise.resolve());
  unmount();
  draw(<UndoToast />);
  expect(region()).toBeEmptyDOMElement();
});
