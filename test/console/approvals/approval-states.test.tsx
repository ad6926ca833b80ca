import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { type AnswerState, ApprovalCard } from '../../../console/approvals/approval-card.tsx';
import { ApprovalRow } from '../../../console/approvals/approval-row.tsx';
import { RequestFailure } from '../../../console/errors.ts';
import type { ApprovalItem } from '../../../console/feed/items.ts';
import { PLAN, QUESTION, TOOL_REQUEST } from '../../../console/mock/requests.ts';
import type { ApprovalRequest } from '../../../protocol/approval.ts';
import { draw } from '../support/render.tsx';

function show(over: Partial<ApprovalRequest> = {}, given: Partial<AnswerState> = {}) {
  const answer = vi.fn<AnswerState['answer']>();
  const state: AnswerState = { reason: null, busy: false, error: null, answer, ...given };
  const card = (now: AnswerState) => (
    <ApprovalCard request={{ ...TOOL_REQUEST, ...over }} sessionId="ses_a" state={now} />
  );
  const { redraw } = draw(card(state));
  return { answer, become: (next: Partial<AnswerState>) => redraw(card({ ...state, ...next })) };
}
const card = () => screen.getByRole('region');

describe('the card of a request', () => {
  it.each([
    [90_000, /^waits 1 min more$/],
    [-10_000, /^no longer waits$/],
  ])('that expires %i ms from now says so', (leftMs, words) => {
    show({ expiresAt: Date.now() + leftMs });
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  it('has the command that answers it in a terminal', () => {
    show();
    expect(
      screen.getByText(`pilothouse sessions approve ses_a ${TOOL_REQUEST.requestId}`),
    ).toBeInTheDocument();
  });

  it('keeps a denial that was refused, with why, and its commands as commands', async () => {
    const { become } = show();
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    await userEvent.keyboard('Open a pull request');
    const message = 'It was answered. See `pilothouse sessions status`.';
    become({ error: new RequestFailure('approval_answered', { message, retryable: false }) });
    expect(screen.getByRole('alert')).toHaveTextContent(
      'It was answered. See pilothouse sessions status.',
    );
    expect(screen.getByRole('textbox')).toHaveValue('Open a pull request');
  });

  it('goes back from a denial without saying anything', async () => {
    const { answer } = show();
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('button', { name: 'Allow' })).toBeInTheDocument();
    expect(answer).not.toHaveBeenCalled();
  });

  it('asks of a plan what to change, and takes it without words too', async () => {
    const { answer } = show({ ...PLAN });
    await userEvent.click(screen.getByRole('button', { name: 'Change it…' }));
    expect(screen.getByLabelText(/it may stay empty/)).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Deny' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({ decision: 'deny', message: null }),
    );
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }])(
    'leaves a key with %j to the browser',
    (held) => {
      const { answer } = show();
      expect(fireEvent.keyDown(card(), { key: 'a', ...held })).toBe(true);
      expect(answer).not.toHaveBeenCalled();
    },
  );

  it('keeps its own keys from the page, and only those', () => {
    show();
    const page = vi.fn<(event: KeyboardEvent) => void>();
    document.addEventListener('keydown', page);
    fireEvent.keyDown(card(), { key: 'd' });
    fireEvent.keyDown(card(), { key: 'j' });
    document.removeEventListener('keydown', page);
    expect(page.mock.calls.map(([{ key }]) => key)).toEqual(['j']);
  });

  it('takes letters of a denial for words, not for answers', async () => {
    const { answer } = show();
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    await userEvent.keyboard('a dash');
    expect(screen.getByRole('textbox')).toHaveValue('a dash');
    expect(answer).not.toHaveBeenCalled();
  });

  it('is answered once: not again while its answer is on its way', async () => {
    const { answer } = show({}, { busy: true });
    expect(screen.getByRole('button', { name: 'Allow' })).toBeDisabled();
    fireEvent.keyDown(card(), { key: 'a' });
    expect(answer).not.toHaveBeenCalled();
  });
});

describe('the line of a request that is over', () => {
  const row = (over: Partial<ApprovalItem>) =>
    draw(
      <ApprovalRow
        item={
          {
            kind: 'approval',
            key: 'row',
            at: Date.now() - 3_600_000,
            decidedAt: null,
            turnId: null,
            request: TOOL_REQUEST,
            answer: null,
            channel: 'telegram',
            resolution: 'denied',
            ...over,
          } as ApprovalItem
        }
      />,
    );

  it('says what came of it, of what, from where and when it was decided', () => {
    row({ decidedAt: Date.now() - 160_000 });
    expect(screen.getByText(/^Denied from the telegram:$/)).toBeInTheDocument();
    expect(screen.getByText('git push origin sentinel')).toBeInTheDocument();
    expect(screen.getByText('2 min ago')).toBeInTheDocument();
  });

  it('keeps the words of whoever denied it', () => {
    const message = 'Open a pull request';
    row({ answer: { decision: 'deny', message, answers: null, suggestion: null } });
    expect(screen.getByText(`“${message}”`)).toBeInTheDocument();
  });

  it('keeps each answer beside its question', () => {
    const answers = { 'Which rigging?': 'Ketch', 'Which lights?': 'Port' };
    row({
      request: QUESTION,
      resolution: 'allowed',
      answer: { decision: 'allow', message: null, answers, suggestion: null },
    });
    expect(screen.getByText('Ketch').closest('p')).toHaveTextContent('Which rigging? Ketch');
    expect(screen.getByText('Port').closest('p')).toHaveTextContent('Which lights? Port');
  });
});
