import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { PilotAsks } from '../../../console/pilot/asks-mark.tsx';
import { DecisionList } from '../../../console/pilot/decision-list.tsx';
import type { PilotDecisionRow, PilotStanding } from '../../../protocol/pilot-view.ts';
import { anEvidence } from '../../support/pilot-builders.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const aDecision = (over: Partial<PilotDecisionRow> = {}): PilotDecisionRow => ({
  step: 4,
  at: 1,
  next: 'instruct',
  instruction: 'Correct it',
  reason: 'It fails.',
  evidence: [],
  usage: [],
  status: 'instructing',
  outcome: 'The instruction is handed over.',
  anew: false,
  ...over,
});
const show = (...decisions: PilotDecisionRow[]) => draw(<DecisionList decisions={decisions} />);

describe('what a Pilot decided', () => {
  it('is nothing before the first turn, and that is said', () => {
    show();
    expect(screen.getByText(/Nothing was decided yet/)).toBeVisible();
    expect(screen.queryByRole('list')).toBeNull();
  });

  it.each([
    ['instruct', 'Instruct'],
    ['finish', 'Finish'],
    ['ask_human', 'Ask a person'],
    ['wait_until', 'Wait'],
    [null, 'Nothing usable'],
  ] as const)('as %s is “%s”', (next, word) => {
    show(aDecision({ next }));
    expect(screen.getByText(word)).toBeVisible();
  });

  it('shows a command in its reason as one', () => {
    show(aDecision({ reason: 'Approve it with `pilothouse checks approve`, and resume.' }));
    expect(screen.getByText('pilothouse checks approve').tagName).toBe('CODE');
  });

  it('tells what came of it where a person is waited for, unless the reason says it', () => {
    show(
      aDecision({ step: 3, status: 'waiting_person', reason: 'Which one?', outcome: 'Which one?' }),
      aDecision({ step: 2, status: 'waiting_person', outcome: 'No usable decision came.' }),
      aDecision({ step: 1 }),
    );
    expect(screen.getAllByText('Which one?')).toHaveLength(1);
    expect(screen.getByText('No usable decision came.')).toBeVisible();
    expect(screen.queryByText('The instruction is handed over.')).toBeNull();
  });

  it('says why the conversation was begun anew before an instruction', () => {
    show(aDecision({ anew: true, outcome: 'It costs about $4.00. It is begun anew.' }));
    expect(screen.getByText('It costs about $4.00. It is begun anew.')).toBeVisible();
  });

  it('shows each check apart, also one that was run twice, with how it ended', () => {
    const killed = anEvidence({ exitCode: null, tail: '' });
    show(aDecision({ evidence: [anEvidence({ passed: true }), killed] }));
    const [passed, failed] = screen.getAllByRole('group') as [HTMLElement, HTMLElement];
    expect(within(passed).getByLabelText('passed')).toBeInTheDocument();
    expect(passed).toHaveTextContent('exit code 0');
    expect(within(failed).getByLabelText('failed')).toBeInTheDocument();
    expect(failed).toHaveTextContent('ended before it was done');
    expect(failed.querySelector('pre')).toBeNull();
  });

  it('says no tokens of a model whose figure never came', () => {
    show(
      aDecision({
        usage: [
          aUsage({ model: 'told', inputTokens: 10_000 }),
          aUsage({ model: 'lost', provenance: 'unsettled', microUsd: null }),
        ],
      }),
    );
    expect(screen.getByText('told').parentElement).toHaveTextContent('read 10 K, wrote 50 tokens');
    expect(screen.getAllByText(/^read /)).toHaveLength(1);
  });
});

describe('the mark of a Pilot in a list', () => {
  const pilot = (over: Partial<PilotStanding>): PilotStanding => ({
    step: 1,
    status: 'waiting_person',
    hold: 'question',
    reason: 'Which database?',
    ...over,
  });

  it.each([
    ['question', 'The Pilot asks'],
    ['proposal', 'The Pilot proposes'],
  ] as const)('for a %s says so, and what on hover', (hold, words) => {
    draw(<PilotAsks pilot={pilot({ hold })} />);
    expect(screen.getByText(words)).toHaveAttribute('title', 'Which database?');
  });

  it.each([
    null,
    pilot({ hold: 'takeover' }),
    pilot({ hold: 'gone' }),
    pilot({ hold: 'halted' }),
    pilot({ hold: null }),
    pilot({ status: 'paused' }),
  ])('is none where nobody is asked: %o', (standing) => {
    const { container } = draw(<PilotAsks pilot={standing} />);
    expect(container).toBeEmptyDOMElement();
  });
});
