import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { type AnswerState, ApprovalCard } from '../../../console/approvals/approval-card.tsx';
import { PLAN, QUESTION, TOOL_REQUEST } from '../../../console/mock/requests.ts';
import { draw } from '../support/render.tsx';

function show(request: typeof TOOL_REQUEST, over: Partial<AnswerState> = {}) {
  const answer = vi.fn<AnswerState['answer']>();
  const state: AnswerState = { reason: null, busy: false, error: null, answer, ...over };
  draw(<ApprovalCard request={request} sessionId="ses_a" state={state} />);
  return answer;
}

describe('the card of a request', () => {
  it('shows the whole command and that it is an act', () => {
    show(TOOL_REQUEST);
    expect(screen.getByText('git push origin sentinel')).toBeInTheDocument();
    expect(screen.getByText('push')).toBeInTheDocument();
  });

  it('shows of a push what would go where, and asks for a reason that stays with it', async () => {
    const text = '2 commits to main: main is protected.\n  a1b2c3 Mend it';
    const input = { text: JSON.stringify({ push: text }), truncated: null };
    const summary = 'push 2 commits to main';
    show({ ...TOOL_REQUEST, kind: 'push', toolName: 'git push', input, summary, suggestions: [] });
    expect(screen.getByRole('heading', { name: 'May this be pushed?' })).toBeInTheDocument();
    expect(screen.getByText(summary)).toBeInTheDocument();
    expect(screen.getByText(/a1b2c3 Mend it/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    expect(screen.getByLabelText(/kept with the push/)).toBeInTheDocument();
  });

  it('allows', async () => {
    const answer = show(TOOL_REQUEST);
    await userEvent.click(screen.getByRole('button', { name: 'Allow' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({ decision: 'allow', suggestion: null }),
    );
  });

  it('allows as far as the engine itself suggests', async () => {
    const answer = show(TOOL_REQUEST);
    await userEvent.click(screen.getByRole('button', { name: 'Allow pushes for this session' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({ decision: 'allow', suggestion: 0 }),
    );
  });

  it('denies with what to do instead', async () => {
    const answer = show(TOOL_REQUEST);
    await userEvent.click(screen.getByRole('button', { name: 'Deny…' }));
    await userEvent.keyboard('Open a pull request');
    await userEvent.click(screen.getByRole('button', { name: 'Deny' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({ decision: 'deny', message: 'Open a pull request' }),
    );
  });

  it('is answered by a key when it has the focus, and only then', async () => {
    const answer = show(TOOL_REQUEST);
    await userEvent.keyboard('a');
    expect(answer).not.toHaveBeenCalled();
    screen.getByRole('region', { name: 'May it do this?' }).focus();
    await userEvent.keyboard('a');
    expect(answer).toHaveBeenCalledOnce();
    await userEvent.keyboard('d');
    expect(screen.getByRole('button', { name: 'Deny' })).toBeInTheDocument();
  });

  it('says why it cannot be answered, and does nothing then', async () => {
    const answer = show(TOOL_REQUEST, { reason: 'It has expired.' });
    const button = screen.getByRole('button', { name: 'Allow' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(button);
    screen.getByRole('region', { name: 'May it do this?' }).focus();
    await userEvent.keyboard('a');
    expect(answer).not.toHaveBeenCalled();
    expect(screen.getAllByText('It has expired.').length).toBeGreaterThan(0);
  });

  it('shows a plan as it is meant to be read', () => {
    show(PLAN);
    expect(screen.getByRole('heading', { name: 'Plan' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Accept' })).toBeInTheDocument();
  });
});

describe('the card of a question', () => {
  it('sends the choices and the words under each question', async () => {
    const answer = show(QUESTION);
    await userEvent.click(screen.getByRole('radio', { name: /Ketch/ }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Port' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'Starboard' }));
    await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({
        answers: { 'Which rigging?': 'Ketch', 'Which lights?': 'Port, Starboard' },
      }),
    );
  });

  it('does not send half an answer, and says what is missing', async () => {
    const answer = show(QUESTION);
    await userEvent.click(screen.getByRole('radio', { name: /Sloop/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
    expect(answer).not.toHaveBeenCalled();
    expect(await screen.findByText(/Answer each question first/)).toBeVisible();
  });

  it('takes own words in place of a choice', async () => {
    const answer = show({ ...QUESTION, questions: QUESTION.questions.slice(0, 1) });
    await userEvent.click(screen.getByRole('radio', { name: /Sloop/ }));
    await userEvent.type(screen.getByRole('textbox'), 'A raft');
    await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({ answers: { 'Which rigging?': 'A raft' } }),
    );
  });
});
