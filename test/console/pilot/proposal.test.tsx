import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Proposal } from '../../../console/pilot/proposal.tsx';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import { aPilotView } from '../../support/pilot-builders.ts';
import { draw } from '../support/render.tsx';

const sent: unknown[] = [];
let refusal: ErrorCode | null = null;
beforeEach(() => {
  sent.length = 0;
  refusal = null;
  vi.stubGlobal('fetch', async (_path: string, init?: RequestInit) => {
    sent.push(JSON.parse(init?.body as string));
    if (refusal === null) return Response.json({ accepted: true }, { status: 202 });
    const { sentence: message, retryable, status } = ERRORS[refusal];
    const error = { code: refusal, message, retryable, context: {}, requestId: 'r' };
    return Response.json({ error }, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (proposal: string | null, proposesAnew: string | null = null) => {
  const onDone = vi.fn();
  const pilot = aPilotView({ status: 'waiting_person', hold: 'question', proposal, proposesAnew });
  draw(<Proposal pilot={pilot} onDone={onDone} />);
  return onDone;
};
const send = () => screen.getByRole('button', { name: 'Send it' });
const field = () => screen.getByRole('textbox');

describe('the next instruction', () => {
  it('is a person’s own where nothing is proposed, and needs words', async () => {
    const onDone = show(null);
    expect(screen.getByLabelText('Say what to do next')).toHaveValue('');
    expect(send()).toHaveAttribute('title', 'An instruction needs words.');
    await userEvent.type(field(), '   ');
    await userEvent.click(send());
    expect(sent).toEqual([]);
    await userEvent.type(field(), 'Use the other one');
    await userEvent.click(send());
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(sent).toEqual([{ action: 'confirm', step: 7, instruction: '   Use the other one' }]);
  });

  it('begins the conversation anew where that is proposed, unless the person keeps it', async () => {
    const onDone = show('Correct it', 'It is long.');
    await userEvent.click(send());
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    await userEvent.click(screen.getByLabelText('Begin the conversation anew before it'));
    await userEvent.click(send());
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(2));
    expect(sent).toEqual([
      { action: 'confirm', step: 7 },
      { action: 'confirm', step: 7, keep: true },
    ]);
  });

  it('asks nothing of a conversation that goes on', () => {
    show('Correct it');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('that is proposed and emptied is not taken for a yes to what was proposed', async () => {
    show('Delete it');
    await userEvent.clear(field());
    expect(send()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(send());
    expect(sent).toEqual([]);
  });

  it('stays as it was edited when it is refused, with what to do', async () => {
    refusal = 'pilot_moved_on';
    const onDone = show('Correct it');
    await userEvent.type(field(), ' well');
    await userEvent.click(send());
    expect(await screen.findByText(/Read what it proposes now/)).toBeVisible();
    expect(field()).toHaveValue('Correct it well');
    expect(onDone).not.toHaveBeenCalled();
  });

  it('is sent once, however fast it is pressed', async () => {
    const onDone = show('Correct it');
    fireEvent.click(send());
    fireEvent.click(send());
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(sent).toEqual([{ action: 'confirm', step: 7 }]);
  });
});
