import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Doctor } from '../../../console/machines/doctor.tsx';
import { errorAnswer } from '../../../console/mock/world.ts';
import type { DoctorFinding } from '../../../protocol/machine.ts';
import { drawRouted } from '../support/routed.tsx';

const asked: string[] = [];
let answer: () => Promise<Response> | Response;

beforeEach(() => {
  asked.length = 0;
  answer = () => Response.json({ findings: [] });
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const finding = (check: string, status: DoctorFinding['status'], remedy: string | null = null) => ({
  check,
  status,
  message: `${check} was looked at`,
  remedy,
});
const press = async () => userEvent.click(screen.getByRole('button', { name: 'Run doctor' }));
const DOCTOR = '/v1/runners/run_sentinel/doctor';

describe('the doctor of a machine', () => {
  it('is asked only when somebody presses, and once however often', async () => {
    const answered = Promise.withResolvers<Response>();
    answer = () => answered.promise;
    await drawRouted(<Doctor runnerId="run_sentinel" presence="online" />);
    expect(asked).toEqual([]);
    await press();
    const looking = await screen.findByRole('button', { name: 'Looking…' });
    expect(looking).toBeDisabled();
    await userEvent.click(looking);
    answered.resolve(Response.json({ findings: [finding('git', 'ok')] }));
    expect(await screen.findByText('git was looked at')).toBeVisible();
    expect(asked).toEqual([DOCTOR]);
  });

  it('shows what needs doing first, and each with the word for its mark', async () => {
    answer = () =>
      Response.json({
        findings: [
          finding('git', 'ok'),
          finding('node', 'warning'),
          finding('disk', 'problem', 'Free some of it with `docker system prune`.'),
          finding('clock', 'ok'),
        ],
      });
    await drawRouted(<Doctor runnerId="run_sentinel" presence="online" />);
    await press();
    const list = await screen.findByRole('list', { name: 'Findings' });
    const rows = within(list).getAllByRole('listitem');
    expect(rows.map((row) => row.dataset['status'])).toEqual(['problem', 'warning', 'ok', 'ok']);
    expect(rows.at(-1)).toHaveTextContent('clock');
    expect(within(rows[0] as HTMLElement).getByLabelText('problem')).toBeInTheDocument();
    expect(within(rows[0] as HTMLElement).getByText('docker system prune').tagName).toBe('CODE');
    expect(within(list).getAllByRole('button', { name: 'Copy what to do' })).toHaveLength(1);
  });

  it('that could not look says why and can be asked again', async () => {
    const { status, body } = errorAnswer('runner_offline');
    answer = () => Response.json(body, { status });
    await drawRouted(<Doctor runnerId="run_sentinel" presence="online" />);
    await press();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('req-sentinel');
    answer = () => Response.json({ findings: [finding('git', 'ok')] });
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('git was looked at')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });

  it('is not asked of a machine that is away', async () => {
    await drawRouted(<Doctor runnerId="run_sentinel" presence="offline" />);
    await press();
    expect(asked).toEqual([]);
  });
});
