import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { MachineCard } from '../../../console/machines/machine-card.tsx';
import { aRunner } from '../../../console/mock/sentinels.ts';
import type { RunnerSummary } from '../../../protocol/http.ts';
import type { EngineReadiness, MachineFacts } from '../../../protocol/machine.ts';
import { drawRouted } from '../support/routed.tsx';

const machine = (over: Partial<MachineFacts> = {}): MachineFacts => {
  const usual = aRunner().machine;
  if (!usual) throw new Error('the sentinel machine tells of itself');
  return { ...usual, ...over };
};
const limited = (over: Partial<MachineFacts['limits']>) =>
  aRunner({ machine: machine({ limits: { ...machine().limits, ...over } }) });
/** Away machines are asked nothing, so that these need no server. */
const show = (over: Partial<RunnerSummary> = {}) =>
  drawRouted(<MachineCard runner={{ ...aRunner(), ...over, presence: 'offline' }} />);
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;

/** The line of the sentinel's rehearsal, as another engine would fill it. */
async function lineOf(over: Partial<EngineReadiness>) {
  const ready = machine().engines.find((engine) => engine.ready);
  if (!ready) throw new Error('the sentinel machine has an engine that is ready');
  await show({ machine: machine({ engines: [{ ...ready, label: 'Schooner', ...over }] }) });
  return screen.getByText('Schooner').closest('li');
}

describe('the card of a machine', () => {
  it('says since when nothing is heard of one that is not there', async () => {
    await show();
    expect(screen.getByText('offline')).toBeInTheDocument();
    expect(screen.getByText(/^heard/)).toBeInTheDocument();
  });

  it('says of a machine that was never heard nothing about when', async () => {
    await show({ lastSeenAt: null });
    expect(screen.queryByText(/^heard/)).not.toBeInTheDocument();
  });

  it('waits for a machine that has not told of itself', async () => {
    await show({ machine: null });
    expect(screen.getByText(/It has not told about itself yet/)).toBeInTheDocument();
    expect(screen.queryByText('Engines')).not.toBeInTheDocument();
  });

  it('offers nothing that would ask a machine that is away, and says why', async () => {
    await show();
    for (const name of ['Run doctor', 'Show checkouts', 'Show terminals'])
      expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Run doctor' }).title).toMatch(/offline|connect/);
  });
});

describe('an engine on the card', () => {
  it('that is ready says who pays and what it can be allowed', async () => {
    const line = await lineOf({
      engineId: 'codex',
      payer: 'subscription',
      credential: 'login of sentinel',
      approvals: ['ask', 'accept_edits'],
    });
    expect(line).toHaveTextContent(
      'login of sentinel, paid by a subscription · Ask me first / Edit freely, ask for commands',
    );
    expect(line).not.toHaveTextContent('rehearsal');
  });

  it('that asks nobody is not said to ask before commands', async () => {
    const line = await lineOf({ engineId: 'codex', approvals: ['accept_edits', 'plan'], asks: [] });
    expect(line).toHaveTextContent('Edit files / Read only');
  });

  it('without approvals of its own has no list of them', async () => {
    const line = await lineOf({ engineId: 'codex', payer: 'api-key', approvals: [] });
    expect(line).toHaveTextContent(/charged to an API key$/);
  });

  it('that rehearses is marked as that, and costs nothing', async () => {
    const line = await lineOf({});
    expect(within(line as HTMLElement).getByText('rehearsal')).toBeInTheDocument();
    expect(line).toHaveTextContent('asks no model, costs nothing');
  });

  it('that is not ready says what is wrong and has the command to copy', async () => {
    await show();
    const line = screen.getByText('Claude Code').closest('li');
    expect(line).toHaveTextContent('not ready');
    expect(line).toHaveTextContent('claude is not logged in. Run claude login there.');
    expect(
      within(line as HTMLElement).getByRole('button', { name: 'Copy what to do' }),
    ).toBeVisible();
  });

  it('that cannot say what to do has nothing to copy', async () => {
    const line = await lineOf({ ready: false, problem: 'It is broken.', remedy: null });
    expect(line).toHaveTextContent('It is broken.');
    expect(within(line as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
  });
});

describe('what a machine allows', () => {
  it('is told with the file that says so', async () => {
    await show(
      limited({
        source: '/etc/limits.toml',
        bypass: true,
        minimumGrade: 'fenced',
        secretPatterns: 3,
      }),
    );
    expect(fact('From')).toHaveTextContent('/etc/limits.toml');
    expect(fact('Never ask')).toHaveTextContent(/^allowed$/);
    expect(fact('Least grade')).toHaveTextContent('fenced');
    expect(fact('Silence of an engine')).toHaveTextContent('at most 1 h');
    expect(fact('An approval waits')).toHaveTextContent('at most 2 d');
    expect(fact('Redacted beside variables')).toHaveTextContent('3 patterns of its own');
  });

  it('is safe defaults where there is no file', async () => {
    await show(limited({ source: null, bypass: false, secretPatterns: 0 }));
    expect(screen.queryByText('Redacted beside variables')).not.toBeInTheDocument();
    expect(fact('From')).toHaveTextContent('safe defaults');
    expect(fact('Never ask')).toHaveTextContent('not allowed');
  });

  it('is nothing where its file cannot be read, which is not the same as no file', async () => {
    await show(limited({ directories: [], engines: [] }));
    expect(fact('Directories')).toHaveTextContent('everything is refused');
    expect(fact('Engines')).toHaveTextContent(/^none$/);
  });

  it('leaves out what an older runner does not say', async () => {
    const { answerMaxMs: _, ...limits } = machine().limits;
    await show({ machine: machine({ limits }) });
    expect(screen.queryByText('An approval waits')).not.toBeInTheDocument();
    expect(screen.queryByText('Terminals for operators')).not.toBeInTheDocument();
  });
});
