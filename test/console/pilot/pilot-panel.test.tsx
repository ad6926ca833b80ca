import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PilotPanel } from '../../../console/pilot/pilot-panel.tsx';
import { canResume } from '../../../console/pilot/words.ts';
import type { PilotDecisionRow, PilotView } from '../../../protocol/pilot-view.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { aPilotView } from '../../support/pilot-builders.ts';
import { draw } from '../support/render.tsx';

const PILOT = aPilotView();
const DECISION: PilotDecisionRow = {
  step: 4,
  at: 1,
  next: 'instruct',
  instruction: 'Correct it',
  reason: '0 of 1 checks pass; “Tests” fails.',
  usage: [],
  evidence: [
    {
      title: 'Tests',
      command: 'npm test',
      passed: false,
      exitCode: 1,
      durationMs: 5,
      tail: 'expected 3',
    },
  ],
  status: 'instructing',
  outcome: 'The instruction is handed over.',
  anew: false,
};

let pilot: PilotView = PILOT;
let usage: PilotDecisionRow['usage'] = [];
let refusal: Response | null = null;
const sent: unknown[] = [];

beforeEach(() => {
  pilot = PILOT;
  refusal = null;
  usage = [];
  sent.length = 0;
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (init?.method === 'POST') {
      sent.push(JSON.parse(init.body as string));
      return refusal ?? Response.json({ accepted: true }, { status: 202 });
    }
    return path.includes('/decisions')
      ? Response.json({ items: [{ ...DECISION, usage }], nextCursor: null })
      : Response.json(pilot);
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () => draw(<PilotPanel sessionId={PILOT.sessionId} />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('a conversation that has grown long', () => {
  it('is kept, or begun anew, as the person says', async () => {
    show();
    await press('Begin a long conversation anew');
    await waitFor(() => expect(sent).toEqual([{ action: 'conversation', beginsAnew: true }]));
    expect(screen.getByText(/pilot conversation ses_pilot1 anew/)).toBeVisible();
  });

  it('says so where it is begun anew, and how to keep it', async () => {
    pilot = { ...PILOT, beginsAnew: true };
    show();
    await press('Keep a long conversation');
    await waitFor(() => expect(sent).toEqual([{ action: 'conversation', beginsAnew: false }]));
    expect(screen.getByText('is begun anew')).toBeVisible();
  });
});

describe('another objective', () => {
  const field = () => screen.getByRole('textbox', { name: 'Objective' });

  it('is given in the words that were there, edited, and shown at the next look', async () => {
    show();
    await press('Change the objective');
    expect(field()).toHaveValue(PILOT.objective);
    await press('Change it');
    expect(await screen.findByText('It is so already.')).toBeVisible();
    await userEvent.clear(field());
    await userEvent.type(field(), 'Reef early');
    expect(screen.getByText(/pilot objective ses_\w+ 'Reef early'$/)).toBeVisible();
    pilot = { ...PILOT, objective: 'Reef early' };
    await press('Change it');
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
    expect(sent).toEqual([{ action: 'objective', objective: 'Reef early' }]);
    expect(await screen.findByText('Reef early')).toBeVisible();
  });

  it('stays in the form with the reason where it is refused, and can be left', async () => {
    const { status, sentence, retryable } = ERRORS.internal;
    const error = { code: 'internal', message: sentence, retryable, context: {}, requestId: 'r' };
    refusal = Response.json({ error }, { status });
    show();
    await press('Change the objective');
    await userEvent.type(field(), '!');
    await press('Change it');
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(field()).toHaveValue(`${PILOT.objective}!`);
    await press('Leave it as it is');
    expect(screen.queryByRole('form')).toBeNull();
  });

  it('is not asked for once the Pilot is over', async () => {
    pilot = { ...PILOT, status: 'finished' };
    show();
    await screen.findByRole('status');
    expect(screen.queryByRole('button', { name: 'Change the objective' })).toBeNull();
  });
});

describe('the panel of a Pilot', () => {
  it('says where it stands and why, and shows each decision with its evidence', async () => {
    show();
    expect(await screen.findByRole('status')).toHaveTextContent(
      'The engine works. The engine works.',
    );
    expect(screen.getByText('0 of 1 checks pass; “Tests” fails.')).toBeVisible();
    await userEvent.click(screen.getByText('Tests'));
    expect(screen.getByText('expected 3')).toBeVisible();
    expect(screen.getByText('2 of 30')).toBeVisible();
  });

  it('says what asking the model for a decision took, and of which model', async () => {
    pilot = { ...PILOT, brain: 'api', brainModel: 'some-model' };
    usage = [
      aUsage({
        model: 'some-model',
        provenance: 'estimated',
        inputTokens: 680,
        outputTokens: 40,
        microUsd: 20_000,
      }),
    ];
    show();
    expect(await screen.findByText('read 1 K, wrote 40 tokens')).toBeVisible();
    expect(screen.getByText(/0\.02/)).toBeVisible();
    expect(screen.getAllByText('some-model')).toHaveLength(2);
  });

  it('pauses, and stops', async () => {
    show();
    await press('Pause');
    await waitFor(() => expect(sent).toEqual([{ action: 'pause' }]));
    await press('Stop the Pilot');
    await waitFor(() => expect(sent.at(-1)).toEqual({ action: 'stop' }));
  });

  it('lets a person edit what a co-pilot proposes, and sends the step that was read', async () => {
    pilot = { ...PILOT, status: 'waiting_person', hold: 'proposal', proposal: 'Correct it' };
    show();
    const field = await screen.findByLabelText('It proposes');
    expect(field).toHaveValue('Correct it');
    await userEvent.type(field, ' well');
    await press('Send it');
    await waitFor(() =>
      expect(sent).toEqual([{ action: 'confirm', step: 7, instruction: 'Correct it well' }]),
    );
  });

  it('sends no words along when the proposal is taken as it is', async () => {
    pilot = { ...PILOT, status: 'waiting_person', hold: 'proposal', proposal: 'Correct it' };
    show();
    await press('Send it');
    await waitFor(() => expect(sent).toEqual([{ action: 'confirm', step: 7 }]));
  });

  it('tells why a wish is refused', async () => {
    pilot = { ...PILOT, status: 'paused' };
    const { sentence, retryable } = ERRORS.pilot_over;
    const error = { code: 'pilot_over', message: sentence, retryable, context: {}, requestId: 'r' };
    refusal = Response.json({ error }, { status: 409 });
    show();
    await press('Resume');
    expect(await screen.findByRole('alert')).toHaveTextContent('has come to its end');
  });

  it('offers nothing to press once it is over', async () => {
    pilot = { ...PILOT, status: 'finished', reason: 'Its check passes.', finishedAt: 3 };
    show();
    expect(await screen.findByRole('status')).toHaveTextContent('Finished.');
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('resuming', () => {
  it('is for a pause and a question, not for a proposal or a takeover', () => {
    expect(canResume({ ...PILOT, status: 'paused' })).toBe(true);
    expect(canResume({ ...PILOT, status: 'waiting_person', hold: 'question' })).toBe(true);
    expect(canResume({ ...PILOT, status: 'waiting_person', hold: 'proposal' })).toBe(false);
    expect(canResume({ ...PILOT, status: 'waiting_person', hold: 'takeover' })).toBe(false);
    expect(canResume(PILOT)).toBe(false);
  });
});
