import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../../console/feed/transcript.ts';
import {
  eventsAfterApproval,
  eventsUntilApproval,
  LAUNCH,
} from '../../../../console/mock/sentinels.ts';
import { ActsPanel } from '../../../../console/session/side/acts-panel.tsx';
import { ChangesPanel } from '../../../../console/session/side/changes-panel.tsx';
import { DiagnosticsPanel } from '../../../../console/session/side/diagnostics-panel.tsx';
import { SpendPanel } from '../../../../console/session/side/spend-panel.tsx';
import { TurnsRail } from '../../../../console/session/turns-rail.tsx';
import type { FeedEvent } from '../../../../protocol/engine-event.ts';
import { created, entriesOf, viewAfter } from '../../../support/protocol-builders.ts';
import { draw } from '../../support/render.tsx';
import { drawRouted } from '../../support/routed.tsx';

const UNTIL = eventsUntilApproval();
const WHOLE = [...UNTIL, ...eventsAfterApproval()];
const itemsOf = (events: readonly FeedEvent[]) =>
  reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(events)).items;
const OF = { given: viewAfter(...WHOLE), machine: 'lighthouse' };
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;

describe('the acts beside a transcript', () => {
  it('say what would be listed while there is none', () => {
    draw(<ActsPanel {...OF} items={[]} pending={[]} />);
    expect(screen.getByText(/^None seen\./)).toBeInTheDocument();
  });

  it('wait for an answer, are under way after it, and are done once that is seen', () => {
    const asking = [{ toolId: 'tool-push' }];
    const { redraw } = draw(<ActsPanel {...OF} items={itemsOf(UNTIL)} pending={asking} />);
    expect(screen.getByRole('listitem')).toHaveTextContent(/^push.*origin sentinel.*waits for you/);
    redraw(<ActsPanel {...OF} items={itemsOf(UNTIL)} pending={[]} />);
    expect(screen.getByRole('listitem')).toHaveTextContent('under way');
    redraw(<ActsPanel {...OF} items={itemsOf(WHOLE)} pending={asking} />);
    expect(screen.getByRole('listitem')).toHaveTextContent('done');
    expect(screen.getByRole('listitem')).toHaveTextContent('by you on lighthouse');
  });

  it('say where a command could not be seen whole', () => {
    const unseen = UNTIL.map((event) =>
      event.type === 'act/seen' ? { ...event, act: { ...event.act, uncertain: true } } : event,
    );
    draw(<ActsPanel {...OF} items={itemsOf(unseen)} pending={[]} />);
    expect(screen.getByText(/not all of the command could be seen/)).toBeInTheDocument();
  });
});

describe('the changes beside a transcript', () => {
  it('wait for a checkout', () => {
    draw(<ChangesPanel view={viewAfter(created())} items={[]} presence="online" />);
    expect(screen.getByText('The checkout is not prepared yet.')).toBeInTheDocument();
    expect(screen.getByText(/^None yet\./)).toBeInTheDocument();
  });

  it('of a turn under way are what its tools told, as of the start', () => {
    draw(<ChangesPanel view={viewAfter(...UNTIL)} items={itemsOf(UNTIL)} presence="online" />);
    expect(fact('Branch')).toHaveTextContent('pilothouse/sentinel');
    expect(screen.getByText(/^As of the start/)).toHaveTextContent(/counted when it ends/);
    expect(screen.getByTitle('/data/checkouts/sentinel/src/sail.ts')).toBeInTheDocument();
    expect(screen.queryByText('Take it into your branch')).not.toBeInTheDocument();
  });

  it('in the directory itself offer nothing to merge', () => {
    const view = viewAfter(...WHOLE);
    if (!view.checkout) throw new Error('the sentinel session has a checkout');
    const inPlace = { ...view.checkout, mode: 'inPlace', branch: null, commit: null } as const;
    draw(
      <ChangesPanel
        view={{ ...view, checkout: inPlace }}
        items={itemsOf(WHOLE)}
        presence="online"
      />,
    );
    expect(fact('Branch')).toHaveTextContent('none');
    expect(screen.queryByText('Head')).not.toBeInTheDocument();
    expect(screen.getByText(/^As of turn 1/)).not.toHaveTextContent(/counted when it ends/);
    expect(screen.getByText('Files its tools changed')).toBeInTheDocument();
  });
});

describe('the diagnostics beside a transcript', () => {
  const show = (...events: FeedEvent[]) =>
    drawRouted(<DiagnosticsPanel view={viewAfter(...events)} items={itemsOf(events)} />);

  it('before the engine answered are that nothing is known', async () => {
    await show(created());
    expect(fact('Model')).toHaveTextContent('the engine’s own choice');
    for (const name of ['Credential', 'Paid by']) expect(fact(name)).toHaveTextContent('not known');
    expect(fact('Conversation')).toHaveTextContent('none yet');
    expect(screen.queryByText('Process')).not.toBeInTheDocument();
    expect(screen.queryByText('Last process ended')).not.toBeInTheDocument();
  });

  it('name the credential and never have its value', async () => {
    await show(...WHOLE);
    expect(fact('Credential')).toHaveTextContent(/^SENTINEL_API_KEY$/);
    expect(fact('Process')).toHaveTextContent('4242');
    expect(fact('Conversation')).toHaveTextContent('conversation-sentinel');
  });

  it.each([
    [{ exitCode: 1, signal: null, expected: false }, '1', 'none', 'no, it ended by itself'],
    [{ exitCode: null, signal: 'SIGTERM', expected: true }, 'none', 'SIGTERM', 'yes'],
    [{ exitCode: 0, signal: null, expected: true }, '0', 'none', 'yes'],
  ])('tell how the last process ended: %j', async (end, code, signal, wanted) => {
    const stderrTail = ['out of rope'];
    await show(...WHOLE, { type: 'engine/exited', launchId: LAUNCH, stderrTail, ...end });
    expect(fact('Exit code')).toHaveTextContent(code);
    expect(fact('Signal')).toHaveTextContent(signal);
    expect(fact('Asked for')).toHaveTextContent(wanted);
    expect(screen.getByText('out of rope')).toBeInTheDocument();
  });

  it('list the notices with those that are errors apart', async () => {
    const notice = (level: 'info' | 'error', message: string): FeedEvent =>
      ({ type: 'notice/raised', level, message }) as FeedEvent;
    await show(...WHOLE, notice('info', 'A calm sea.'), notice('error', 'A leak.'));
    expect(screen.getByText(/A leak\./).closest('li')).toHaveClass('text-red');
    expect(screen.getByText(/A calm sea\./).closest('li')).not.toHaveClass('text-red');
  });
});

describe('the spend beside a transcript', () => {
  it('says that there is no turn yet', async () => {
    await drawRouted(<SpendPanel view={viewAfter(created())} />);
    expect(screen.getByText('No turn yet.')).toBeInTheDocument();
  });

  it('is told turn by turn, also of one that nobody asked for', async () => {
    const view = viewAfter(...WHOLE);
    const [turn] = view.turns;
    if (!turn) throw new Error('the sentinel session has a turn');
    const own = { ...turn, turnId: 'trn_own' as never, text: null, spend: {} };
    const driven = { ...own, turnId: 'trn_driven' as never, origin: 'terminal' as const };
    await drawRouted(<SpendPanel view={{ ...view, turns: [turn, own, driven] }} />);
    const [first, second, third] = screen.getAllByRole('listitem').slice(-3);
    expect(third).toHaveTextContent(/^3driven in the terminal—$/);
    expect(first).toHaveTextContent(/^1Trim the sentinel sails.*\$0\.21/);
    expect(second).toHaveTextContent(/^2begun by the engine itself—$/);
  });

  it('shows the brain and the gate apart from all of it, where there are any', async () => {
    const view = viewAfter(...WHOLE);
    const { unmount } = await drawRouted(<SpendPanel view={view} />);
    expect(screen.queryByText('Of it, the Pilot’s brain')).not.toBeInTheDocument();
    unmount();
    const gate = { calls: 3, refused: 0, microUsd: 213_000, engineMicroUsd: 213_000 };
    const model = { through: 'gate', reason: null, ...gate } as const;
    await drawRouted(<SpendPanel view={{ ...view, brainSpend: view.spend, model }} />);
    expect(screen.getByText('Of it, the Pilot’s brain')).toBeInTheDocument();
    expect(screen.getByText(/^3 calls through the model gate: \$0\.21/)).toBeInTheDocument();
  });
});

describe('the rail of turns', () => {
  it('leads to each turn, and says of each how it stands and who began it', async () => {
    const view = viewAfter(...WHOLE);
    const [turn] = view.turns;
    if (!turn) throw new Error('the sentinel session has a turn');
    const other = (turnId: string, over: object) =>
      ({ ...turn, turnId, text: null, spend: {}, ...over }) as typeof turn;
    const turns = [
      turn,
      other('trn_hand', { origin: 'terminal', outcome: 'interrupted' }),
      other('trn_own', { origin: 'engine', state: 'accepted', delivery: 'unknown' }),
    ];
    const shown: string[] = [];
    draw(<TurnsRail turns={turns} showTurn={(turnId) => shown.push(turnId)} />);
    const rail = within(screen.getByRole('navigation', { name: 'Turns' }));
    const turnButton = (name: string) => rail.getByRole('button', { name: new RegExp(name) });
    expect(turnButton('Turn 1, done')).toHaveAttribute('title', 'Trim the sentinel sails');
    expect(turnButton('Turn 2, interrupted')).toHaveAttribute('title', 'driven in the terminal');
    const own = turnButton('Turn 3, not delivered');
    expect(own).toHaveAttribute('title', 'begun by the engine itself');
    await userEvent.click(own);
    expect(shown).toEqual(['trn_own']);
  });
});
