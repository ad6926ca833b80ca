import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BranchChoice } from '../../../console/decisions/branch-choice.tsx';
import { BuildSteps, buildCommand } from '../../../console/decisions/build-steps.tsx';
import type { BranchResult, ReportSummary } from '../../../protocol/decisions.ts';
import { draw } from '../support/render.tsx';
import { kept } from './kept.ts';

const { summary } = kept({ startedAt: Date.now() - 5_400_000 });
const older: ReportSummary = {
  ...summary,
  reportId: 'drp_older' as never,
  exitCode: 2,
  commit: null,
};
const branch = (name: string, exitCode: 0 | 1 | 2): BranchResult => ({
  branch: name,
  latest: { ...summary, branch: name, exitCode },
  latestFull: null,
});

afterEach(() => vi.unstubAllGlobals());

describe('the choice of a branch and of its checks', () => {
  const open = (more = 0) => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ items: [summary, older], nextCursor: null }),
    );
    const chosen: unknown[] = [];
    const branches = [branch('main', 0), branch('fix', 1)] as const;
    draw(
      <BranchChoice
        repository="acme/site"
        branches={branches}
        more={more}
        chosen={branches[0]}
        reportId={summary.reportId}
        choose={(change) => chosen.push(change)}
      />,
    );
    return chosen;
  };
  const choice = (name: string) => screen.getByRole('combobox', { name });

  it('says which branches are not clean, and leaves the check of another behind', async () => {
    const chosen = open();
    expect(screen.getByRole('option', { name: 'main' })).toBeInTheDocument();
    await userEvent.selectOptions(choice('Branch'), 'fix — violations');
    expect(chosen).toEqual([{ branch: 'fix', report: undefined }]);
  });

  it('puts a check in the address unless it is the last, which may be another tomorrow', async () => {
    const chosen = open();
    expect(choice('Check')).toHaveTextContent('latest, 1 h ago at 01234567 — clean');
    await screen.findByRole('option', { name: '1 h ago — could not check' });
    await userEvent.selectOptions(choice('Check'), 'drp_older');
    await userEvent.selectOptions(choice('Check'), summary.reportId);
    expect(chosen).toEqual([{ report: 'drp_older' }, { report: undefined }]);
  });

  it.each([
    [1, '1 branch that was checked longer ago is not listed'],
    [3, '3 branches that were checked longer ago are not listed'],
  ])('says of how many branches it does not tell: %i', (more, said) => {
    open(more);
    expect(screen.getByText(said)).toBeInTheDocument();
  });
});

describe('the steps of a build', () => {
  it.each([
    ['http://localhost:8787', true],
    ['http://127.0.0.1:8787', true],
    ['http://[::1]:8787', true],
    ['https://pilothouse.example', false],
    ['https://localhost.example', false],
  ])('at %s warn that other machines do not reach it: %s', (origin, warned) => {
    window.happyDOM.setURL(`${origin}/decisions`);
    draw(<BuildSteps />);
    expect(screen.getByText(buildCommand(origin))).toBeInTheDocument();
    expect(screen.queryByText(/answers on this machine alone/) !== null).toBe(warned);
  });
});
