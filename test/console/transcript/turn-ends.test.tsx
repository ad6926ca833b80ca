import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { NoteItem } from '../../../console/feed/items.ts';
import { NoteRow } from '../../../console/transcript/note-row.tsx';
import { QueuedRow, TurnEndRow, TurnRow } from '../../../console/transcript/turn-rows.tsx';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { type TurnView, turnView } from '../../../protocol/session-view.ts';
import { addUsage } from '../../../protocol/usage.ts';
import { aUsage, SESSION, TURN } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const turn = (over: Partial<TurnView> = {}): TurnView =>
  turnView.parse({
    turnId: TURN,
    text: 'Trim the sails',
    actorId: LOCAL_ACTOR,
    state: 'ended',
    delivery: 'confirmed',
    deliveryReason: null,
    outcome: 'ok',
    error: null,
    acceptedAt: 1_000,
    startedAt: 2_000,
    endedAt: 5_200,
    spend: {},
    acts: 0,
    usage: 'recorded',
    ...over,
  });

describe('the end of a turn', () => {
  it.each([
    ['ok', 'Turn done', false],
    ['failed', 'Turn failed', true],
    ['killed', 'The engine died in this turn', true],
    ['interrupted', 'Interrupted', false],
    ['unknown', 'How this turn ended is not known', true],
    [null, 'How this turn ended is not known', true],
  ] as const)('that is %j says “%s”', (outcome, words, alarms) => {
    draw(<TurnEndRow turn={turn({ outcome })} />);
    expect(screen.getByText(words).className.includes('text-red')).toBe(alarms);
  });

  it('counts its time from where it began, or from where it was taken', () => {
    const { redraw } = draw(<TurnEndRow turn={turn()} />);
    expect(screen.getByText('3.2 s')).toBeInTheDocument();
    redraw(<TurnEndRow turn={turn({ startedAt: null })} />);
    expect(screen.getByText('4.2 s')).toBeInTheDocument();
    redraw(<TurnEndRow turn={turn({ endedAt: null })} />);
    expect(screen.queryByText(/ s$/)).toBeNull();
  });

  it('tells what it cost and did, and why it failed', () => {
    const spend = addUsage({}, aUsage({ microUsd: 210_000 }));
    const error = { code: 'overloaded', message: 'The model is overloaded.' } as const;
    const { container } = draw(<TurnEndRow turn={turn({ spend, acts: 2, error })} />);
    expect(container).toHaveTextContent('$0.21');
    expect(container).toHaveTextContent('2 acts');
    expect(screen.getByText('The model is overloaded.')).toBeInTheDocument();
  });

  it.each([
    ['none', 'The engine reported no usage for this turn.'],
    ['unsettled', 'What this turn used is not settled.'],
    ['unobservable', 'This engine cannot report usage. That is not zero.'],
  ] as const)('whose usage is %s says so', (usage, words) => {
    draw(<TurnEndRow turn={turn({ usage })} />);
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  it('says where acts were only witnessed, by an engine that tells none', () => {
    const witnessed = { refs: 3, places: ['origin', 'repository'], skipped: [], others: 0 };
    const { redraw } = draw(
      <TurnEndRow turn={turn({ witnessed, actsObserved: 'unobservable' })} />,
    );
    const words = screen.getByText('Acts witnessed only: 3 refs compared');
    expect(words).toHaveAttribute('title', 'origin, repository');
    redraw(<TurnEndRow turn={turn({ witnessed, actsObserved: 'recorded' })} />);
    expect(screen.queryByText(/witnessed only/)).toBeNull();
  });
});

describe('the head of a turn', () => {
  it.each([
    ['terminal', 'A person drove in the engine’s own terminal.'],
    ['engine', 'The engine began this turn by itself.'],
    [null, 'The engine began this turn by itself.'],
  ] as const)('without an instruction, begun by %j, says who began it', (origin, words) => {
    draw(<TurnRow sessionId={SESSION} turn={turn({ text: null, origin })} number={1} />);
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  it('alarms for an instruction that was lost, until its turn began all the same', () => {
    const lost = { delivery: 'unknown', state: 'accepted' } as const;
    const { redraw } = draw(<TurnRow sessionId={SESSION} turn={turn(lost)} number={1} />);
    expect(screen.getByText(/it may have run/)).toBeInTheDocument();
    redraw(<TurnRow sessionId={SESSION} turn={turn({ ...lost, state: 'started' })} number={1} />);
    expect(screen.queryByText(/it may have run/)).toBeNull();
  });
});

describe('an instruction that waits', () => {
  it.each([
    [null, 'offline', 'accepted', /The machine is away/, false],
    [null, 'online', 'accepted', /on its way to the machine/, false],
    ['received', 'online', 'received', /waits for its turn/, false],
    ['undelivered', 'online', 'undelivered', /^Not delivered\. The disk is full\.$/, true],
  ] as const)('%j, its machine %s, is told', (delivery, presence, marked, words, alarms) => {
    const deliveryReason = delivery === 'undelivered' ? 'The disk is full.' : null;
    const { container } = draw(
      <QueuedRow
        sessionId={SESSION}
        turn={turn({ delivery, deliveryReason })}
        presence={presence}
      />,
    );
    expect(container.querySelector(`[data-delivery=${marked}]`)).toHaveTextContent(
      'Trim the sails',
    );
    expect(screen.getByText(words).className.includes('text-red')).toBe(alarms);
  });
});

describe('a note in the transcript', () => {
  const note = (event: NoteItem['event']): NoteItem => ({
    kind: 'note',
    key: 'note:1',
    at: 1,
    turnId: null,
    parentToolId: null,
    event,
  });
  const setup = (exitCode: number, printed: string) =>
    note({
      type: 'setup/ran',
      command: 'npm ci',
      exitCode,
      output: { text: printed, truncated: null },
      durationMs: 1,
    });

  it('is one line, with the commands in it as commands', () => {
    const { container } = draw(<NoteRow item={setup(0, 'added 9 packages')} />);
    expect(screen.getByText('npm ci').tagName).toBe('CODE');
    expect(container.querySelector('pre')).toBeNull();
  });

  it('shows what was printed below a failure, and no empty box where nothing was', () => {
    const { container, redraw } = draw(<NoteRow item={setup(1, 'no such package\n')} />);
    expect(container.querySelector('pre')?.textContent).toBe('no such package');
    redraw(<NoteRow item={setup(1, ' \n')} />);
    expect(container.querySelector('pre')).toBeNull();
  });

  it('is nothing for what has a place of its own', () => {
    const { container } = draw(
      <NoteRow item={note({ type: 'rateLimit/reported', status: 'allowed', resetsAt: null })} />,
    );
    expect(container.textContent).toBe('');
  });
});
