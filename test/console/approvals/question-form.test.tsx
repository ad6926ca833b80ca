import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { type AnswerState, ApprovalCard } from '../../../console/approvals/approval-card.tsx';
import { QUESTION } from '../../../console/mock/requests.ts';
import type { ApprovalRequest } from '../../../protocol/approval.ts';
import { STDIN_TOOL } from '../../../protocol/prompt.ts';
import { draw } from '../support/render.tsx';

const [rigging, lights] = QUESTION.questions;
if (!rigging || !lights) throw new Error('the sentinel request asks two questions');

function show(over: Partial<ApprovalRequest> = {}, given: Partial<AnswerState> = {}) {
  const answer = vi.fn<AnswerState['answer']>();
  const state: AnswerState = { reason: null, busy: false, error: null, answer, ...given };
  draw(<ApprovalCard request={{ ...QUESTION, ...over }} sessionId="ses_a" state={state} />);
  return answer;
}
const answerButton = () => screen.getByRole('button', { name: 'Answer' });
const answers = (answer: ReturnType<typeof show>) => answer.mock.lastCall?.[0].answers;

describe('the form of a question', () => {
  it('takes back a choice of several, and keeps the others in the order of choosing', async () => {
    const answer = show({ questions: [lights] });
    for (const name of ['Starboard', 'Port', 'Starboard', 'Starboard'])
      await userEvent.click(screen.getByRole('checkbox', { name }));
    await userEvent.click(answerButton());
    expect(answers(answer)).toEqual({ 'Which lights?': 'Port, Starboard' });
  });

  it('puts own words beside several choices', async () => {
    const answer = show({ questions: [lights] });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Port' }));
    await userEvent.type(screen.getByRole('textbox'), 'a torch');
    await userEvent.click(answerButton());
    expect(answers(answer)).toEqual({ 'Which lights?': 'Port, a torch' });
  });

  it('forgets own words once one of the options is chosen instead', async () => {
    const answer = show({ questions: [rigging] });
    await userEvent.type(screen.getByRole('textbox'), 'A raft');
    await userEvent.click(screen.getByRole('radio', { name: /Ketch/ }));
    expect(screen.getByRole('textbox')).toHaveValue('');
    await userEvent.click(answerButton());
    expect(answers(answer)).toEqual({ 'Which rigging?': 'Ketch' });
  });

  it('is a no without words where the person does not want to answer', async () => {
    const answer = show();
    await userEvent.click(screen.getByRole('button', { name: 'Do not answer' }));
    expect(answer).toHaveBeenCalledWith(
      expect.objectContaining({ decision: 'deny', message: null, answers: null }),
    );
  });

  it('of a prompt takes exactly what somebody vouched for', async () => {
    const answer = show({ toolName: STDIN_TOOL, questions: [rigging] });
    expect(screen.getByRole('heading', { name: 'It waits for a line' })).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    await userEvent.click(answerButton());
    expect(await screen.findByText('Choose an answer first.')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: /Sloop/ }));
    await userEvent.click(answerButton());
    expect(answers(answer)).toEqual({ 'Which rigging?': 'Sloop' });
  });

  it.each([
    ['that has expired', { reason: 'It has expired.' }],
    ['whose answer is on its way', { busy: true }],
  ])('is not sent by Enter for a question %s', async (_, state) => {
    const answer = show({ questions: [rigging] }, state);
    await userEvent.type(screen.getByRole('textbox'), 'A raft');
    fireEvent.submit(screen.getByRole('textbox'));
    expect(answer).not.toHaveBeenCalled();
  });

  it('leaves the letters of own words to the words', async () => {
    const answer = show({ questions: [rigging] });
    screen.getByRole('region', { name: 'It asks you' }).focus();
    await userEvent.keyboard('ad');
    await userEvent.type(screen.getByRole('textbox'), 'a dinghy');
    expect(screen.getByRole('textbox')).toHaveValue('a dinghy');
    expect(answer).not.toHaveBeenCalled();
  });
});
