import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BrainChoice } from '../../../console/launch/brain-choice.tsx';
import { EMPTY_DRAFT, type LaunchDraft } from '../../../console/launch/draft.ts';
import { Earlier } from '../../../console/launch/earlier.tsx';
import { Limits } from '../../../console/launch/limits.tsx';
import { EMPTY_PILOT, type PilotDraft } from '../../../console/launch/pilot-draft.ts';
import { WorkspaceFacts } from '../../../console/launch/workspace-facts.tsx';
import {
  eventsAfterApproval,
  eventsUntilApproval,
  RUNNER,
} from '../../../console/mock/sentinels.ts';
import { errorAnswer, MockWorld } from '../../../console/mock/world.ts';
import type { WorkspaceDescription } from '../../../protocol/command.ts';
import type { ForkRequest } from '../../../protocol/fork.ts';
import type { MachineFacts } from '../../../protocol/machine.ts';
import { draw } from '../support/render.tsx';
import { drawRouted } from '../support/routed.tsx';

afterEach(() => vi.unstubAllGlobals());
const REPOSITORY: WorkspaceDescription = {
  path: '/code/shop',
  repository: '/code/shop',
  branch: 'main',
  commit: '0123456789abcdef',
  uncommittedFiles: 0,
  branches: ['main', 'spring'],
  problems: [],
};

describe('what the machine says of a directory', () => {
  const show = (over: Partial<WorkspaceDescription>) =>
    draw(<WorkspaceFacts query={{ isError: false, data: { ...REPOSITORY, ...over } } as never} />);

  it.each<[Partial<WorkspaceDescription>, string]>([
    [{}, 'main01234567 · nothing uncommitted'],
    [{ uncommittedFiles: 1 }, 'main01234567 · 1 uncommitted file'],
    [{ branch: null, uncommittedFiles: 2 }, 'no branch01234567 · 2 uncommitted files'],
    [{ commit: null }, 'main · nothing uncommitted'],
    [{ repository: null, branch: null }, 'Not in a git repository.'],
  ])('with %j is %j', (over, line) => {
    const { container } = show(over);
    expect(container.textContent).toBe(line);
  });

  it('tells what stands in the way apart from what is only worth knowing', () => {
    show({
      problems: [
        { code: 'busy', message: 'Another session works here.', blocks: true },
        { code: 'slow', message: 'It is on a `network` disk.', blocks: false },
      ],
    });
    expect(screen.getByText('Another session works here.').closest('p')).toHaveClass('text-red');
    const warned = screen.getByText('network').closest('p');
    expect(warned).toHaveClass('text-soft');
  });
});

describe('the session that a launch goes on from', () => {
  const OLDER = {} as MachineFacts;

  it('is not forked where the runner would begin without it', async () => {
    const fork = { turnId: null };
    expect(await show(RUNNER, fork)).toHaveTextContent('cannot be forked there. The runner of its');
    cleanup();
    const able = await show(RUNNER, fork, { ...OLDER, forks: true });
    expect(able).not.toHaveTextContent('cannot be forked');
  });

  async function show(runnerId: string, fork: ForkRequest | null = null, machine = OLDER) {
    const record = new MockWorld().add([...eventsUntilApproval(), ...eventsAfterApproval()]);
    vi.stubGlobal('fetch', async () =>
      Response.json({ summary: record.summary(), view: record.view }),
    );
    await drawRouted(
      <Earlier
        sessionId={record.sessionId}
        runnerId={runnerId}
        machine={machine}
        engineId="claude"
        fork={fork}
      />,
    );
    return screen.findByRole('region', { name: fork ? 'Fork of' : 'Goes on from' });
  }

  it('has its work here where it is the same machine', async () => {
    const note = await show(RUNNER);
    expect(note).toHaveTextContent('told a record of 1 turn before');
    expect(note).not.toHaveTextContent('push');
  });

  it('says how what it committed gets to another machine', async () => {
    expect(await show('run_elsewhere')).toHaveTextContent(
      'What it committed is on lighthouse: push pilothouse/sentinel there to have it here.',
    );
  });
});

describe('what decides the next instruction', () => {
  function show(over: Partial<PilotDraft>, keys: () => Response) {
    vi.stubGlobal('fetch', async () => keys());
    const onChange = vi.fn<(patch: Partial<PilotDraft>) => void>();
    draw(<BrainChoice draft={{ ...EMPTY_PILOT, ...over }} problems={{}} onChange={onChange} />);
    return onChange;
  }
  const key = {
    keyId: 'bky_1',
    name: 'work',
    provider: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    createdAt: 1,
  };

  it('asks for nothing more where the checks alone decide', () => {
    show({ brain: 'checklist' }, () => Response.json({ items: [] }));
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('combobox')).not.toBeInTheDocument();
  });

  it('may leave the model of an engine to the session, and says so', async () => {
    const onChange = show({ brain: 'engine' }, () => Response.json({ items: [] }));
    expect(screen.queryByRole('combobox')).not.toBeInTheDocument();
    await userEvent.type(screen.getByLabelText(/empty: the session’s/), 'm');
    expect(onChange).toHaveBeenLastCalledWith({ model: 'm' });
  });

  it('takes a key of those that are kept, and none that was removed since', async () => {
    const onChange = show({ brain: 'api', keyId: 'bky_gone' }, () =>
      Response.json({ items: [key] }),
    );
    await screen.findByRole('option', { name: /^work \(anthropic/ });
    expect(screen.getByLabelText('Key')).toHaveValue('');
    await userEvent.selectOptions(screen.getByLabelText('Key'), 'bky_1');
    expect(onChange).toHaveBeenLastCalledWith({ keyId: 'bky_1' });
  });

  it('does not say that no key is kept where nobody could look', async () => {
    const { status, body } = errorAnswer('internal');
    show({ brain: 'api' }, () => Response.json(body, { status }));
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(screen.queryByText('No key is kept yet')).not.toBeInTheDocument();
  });

  it('says that no key is kept where there is none', async () => {
    show({ brain: 'api' }, () => Response.json({ items: [] }));
    expect(await screen.findByText('No key is kept yet')).toBeInTheDocument();
  });
});

describe('where a session works', () => {
  function show(over: Partial<LaunchDraft>, workspace = REPOSITORY) {
    const change = vi.fn<(patch: Partial<LaunchDraft>) => void>();
    const { container } = draw(
      <Limits
        costs={null}
        draft={{ ...EMPTY_DRAFT, directory: '/code/shop', ...over }}
        modes={['ask', 'plan']}
        engine={undefined}
        ownAsking={over.approvals === 'bypass' ? 'never' : null}
        workspace={workspace}
        machine={undefined}
        problems={{}}
        change={change}
      />,
    );
    return { change, advanced: container.querySelector('details') };
  }

  it('is not asked where there is no directory', () => {
    show({ directory: ' ' });
    expect(screen.queryByRole('radiogroup', { name: 'Where it works' })).not.toBeInTheDocument();
  });

  it('in place gives up the uncommitted changes, which are there anyway', async () => {
    const { change } = show({ fromUncommitted: true });
    await userEvent.click(screen.getByRole('radio', { name: /In the directory itself/ }));
    expect(change).toHaveBeenLastCalledWith({ checkout: 'inPlace', fromUncommitted: false });
  });

  it('offers uncommitted changes where there are some, or where they were asked for', () => {
    show({}, { ...REPOSITORY, uncommittedFiles: 3 });
    expect(screen.getByRole('checkbox', { name: /\(3 files\)/ })).not.toBeChecked();
    cleanup();
    show({ fromUncommitted: true });
    expect(screen.getByRole('checkbox', { name: /\(0 files\)/ })).toBeChecked();
    cleanup();
    show({});
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  it('offers the branches that are there to start from', () => {
    show({});
    const base = screen.getByLabelText(/^Start from/);
    expect(base).toHaveAttribute('placeholder', 'main');
    const list = document.getElementById(base.getAttribute('list') ?? '');
    expect([...(list?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
      'main',
      'spring',
    ]);
  });

  it.each<[Partial<LaunchDraft>, boolean]>([
    [{}, false],
    [{ budget: '5' }, false],
    [{ model: 'm' }, true],
    [{ turns: '3' }, true],
    [{ answerHours: '2' }, true],
  ])('with %j shows what is advanced: %j', (over, shown) => {
    expect(show(over).advanced?.open).toBe(shown);
  });

  it('asks for no mode of an engine that asks nobody', () => {
    show({ approvals: 'bypass' });
    expect(screen.getByText(/^It asks nobody/)).toBeInTheDocument();
    expect(screen.queryByRole('radiogroup', { name: /unasked/ })).not.toBeInTheDocument();
  });
});
