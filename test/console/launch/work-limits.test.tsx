import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { cliTwin } from '../../../console/format/cli.ts';
import { readWorkLimits } from '../../../console/launch/work-limits.ts';
import { summariseLaunch } from '../../../console/launch/words.ts';
import type { LaunchRequest } from '../../../protocol/http.ts';
import { runnerId } from '../../../protocol/ids.ts';
import { openHouse } from '../support/house.tsx';

const NONE = { tokens: '', turns: '', minutes: '' };
const request = (over: Partial<LaunchRequest>): LaunchRequest => ({
  runnerId: runnerId.parse('run_1'),
  engineId: 'claude',
  directory: '/code/shop',
  objective: 'Fix it',
  ...over,
});
const summary = (over: Partial<LaunchRequest>) =>
  summariseLaunch(request(over), { engine: 'Claude', machine: 'desk', asks: ['ask'] });
const limits = { tokens: 2_000_000, turns: 20, timeMs: 5_400_000 };

describe('the limits of a session beside dollars', () => {
  it('are read as typed, and say what is wrong with each', () => {
    expect(readWorkLimits(NONE)).toEqual({ limits: null, problems: {} });
    expect(readWorkLimits({ tokens: '2M', turns: '20', minutes: '90' })).toEqual({
      limits,
      problems: {},
    });
    const { problems } = readWorkLimits({ tokens: 'x', turns: '1.5', minutes: '90' });
    expect(Object.keys(problems)).toEqual(['tokens', 'turns']);
    expect(problems.turns).toContain('whole number');
  });

  it('stand in the sentence that sums the launch up', () => {
    expect(summary({ budgetMicroUsd: 5_000_000, limits })).toContain(
      'stops at $5.00, or 2.0 M tokens, or 20 turns, or 1h 30m of work.',
    );
    const turns = { tokens: null, turns: 3, timeMs: null };
    expect(summary({ limits: turns })).toContain('stops at 3 turns; no spending limit.');
    expect(summary({})).toContain('; no spending limit.');
  });

  it('are the options of the command line', () => {
    expect(cliTwin.launch(request({ limits }))).toContain(
      '--tokens 2000000 --turns 20 --minutes 90',
    );
  });

  it('are typed under what is advanced of the form, which says what cannot be read', async () => {
    await openHouse('/launch');
    await userEvent.click(await screen.findByText('Advanced'));
    const turns = await screen.findByLabelText(/Stop after so many turns/);
    await userEvent.type(turns, '1.5');
    expect(turns).toHaveValue('1.5');
    expect(screen.getByLabelText(/Stop at so many tokens/)).toBeInTheDocument();
    expect(screen.getByLabelText(/taken so many minutes/)).toBeInTheDocument();
  });
});
