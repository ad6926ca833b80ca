import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { MockWorld } from '../../../console/mock/world.ts';
import type { InstanceDetail } from '../../../protocol/operator-http.ts';
import { asked, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const TARGET = 'tmux:default:812.1700000000:%3';
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const list = async (name: string) => within(await screen.findByRole('list', { name }));

const make = (world: MockWorld, over: object = {}) =>
  world.operators.answer(
    'POST',
    '/v1/instances',
    {
      operatorId: 'opr_tmux',
      runnerId: world.runners[0]?.runnerId,
      agreedVersion: 1,
      name: 'build watcher',
      ...over,
    },
    1_000,
  ) as InstanceDetail;
const publish = (world: MockWorld, basedOn: number, ...tools: string[]) => {
  const tmux = { backends: ['tmux'], targets: 'single', prefix: null };
  const body = {
    name: 'Own',
    instructions: 'Look.',
    brain: null,
    ceiling: { tools, surfaceOptions: { tmux } },
  };
  const operatorId = basedOn === 0 ? null : 'opr_own1';
  world.operators.answer('POST', '/v1/operators', { operatorId, basedOn, body }, 1_000);
};

describe('the operators', { timeout: 30_000 }, () => {
  it('teach what one is where none is in use, and say what each may do and was not tried', async () => {
    await openHouse('/operators');
    expect(await screen.findByText('No operator is in use yet')).toBeVisible();
    const offered = await list('Operators');
    expect(offered.getByText(/one tmux pane that you choose/)).toBeVisible();
    expect(offered.getByText('Not verified on a Mac.')).toBeVisible();
  });

  it('say what is wrong where they cannot be read', async () => {
    await openHouse('/operators', (world) => {
      world.failures.set('GET /v1/operators', 'internal');
      world.failures.set('GET /v1/instances', 'internal');
    });
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  });

  it('are used with a terminal and consents, and lead to the page of the instance', async () => {
    const { world } = await openHouse('/operators');
    await userEvent.click((await screen.findAllByRole('button', { name: 'Use it' }))[0] as Element);
    await userEvent.type(await screen.findByLabelText('Terminal'), 'build');
    await press('Agree and use it');
    expect(await screen.findByText(/no id of a terminal/)).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.clear(screen.getByLabelText('Terminal'));
    await userEvent.type(screen.getByLabelText('Terminal'), TARGET);
    await userEvent.type(screen.getByLabelText('What you call it'), 'build');
    const sends = within(screen.getByRole('radiogroup', { name: 'Types text or keys' }));
    await userEvent.click(sends.getByRole('radio', { name: 'Always' }));
    await press('Agree and use it');
    // The form says so too, until the page of the instance takes its place.
    await waitFor(() => expect(screen.getByText(/the tmux pane build/)).toBeVisible());
    expect(asked(world)).toMatchObject([
      {
        path: '/v1/instances',
        body: {
          boundTarget: { target: TARGET, label: 'build' },
          consents: { read: 'always', send: 'always', run: 'ask', kill: 'never' },
        },
      },
    ]);
  });

  it('are made one’s own: published with fewer tools, and withdrawn after a question', async () => {
    const { world } = await openHouse('/operators');
    const first = (await screen.findAllByRole('button', { name: 'Make your own from it' }))[0];
    await userEvent.click(first as Element);
    await userEvent.click(await screen.findByRole('checkbox', { name: /tmux_kill_session/ }));
    const most = await list('What it may do at most');
    expect(most.getByText('May not close it.')).toBeVisible();
    await press('Publish it');
    expect(await screen.findByText('My tmux Operator')).toBeVisible();
    await press('Withdraw');
    await press('Withdraw it');
    await waitFor(() => expect(screen.queryByText('My tmux Operator')).not.toBeInTheDocument());
    expect(asked(world).map(({ path }) => path)).toEqual([
      '/v1/operators',
      '/v1/operators/opr_own1/withdraw',
    ]);
    await press('Undo');
    expect(await screen.findByText('My tmux Operator')).toBeVisible();
    expect(asked(world).at(-1)).toMatchObject({
      path: '/v1/operators',
      body: { operatorId: 'opr_own1', basedOn: 2 },
    });
  });
});

describe('the terminals of the machine', { timeout: 30_000 }, () => {
  it('are offered where one is named, and give it the name of their session', async () => {
    await openHouse('/operators', (world) => {
      make(world);
      world.panes = [
        {
          target: TARGET,
          backend: 'tmux',
          session: 'build',
          title: '',
          program: 'bash',
          directory: '/code',
          size: { columns: 80, rows: 24 },
          state: 'shell',
          agent: null,
          ours: false,
          shown: 'live',
        },
      ];
    });
    await userEvent.click(await screen.findByRole('link', { name: /build watcher/ }));
    await waitFor(() =>
      expect(document.querySelector('datalist option')).toHaveTextContent('tmux · build · bash'),
    );
    await userEvent.click(screen.getByLabelText('Terminal'));
    await userEvent.paste(TARGET);
    expect(screen.getByLabelText('What you call it')).toHaveValue('build');
  });
});

describe('the page of an instance', { timeout: 30_000 }, () => {
  it('says what is missing, takes a terminal, and is ready', async () => {
    let id = '';
    const { world } = await openHouse('/operators', (made) => void (id = make(made).instance.id));
    await userEvent.click(await screen.findByRole('link', { name: /build watcher/ }));
    expect(await screen.findByText(/No terminal is bound/)).toBeVisible();
    await userEvent.type(screen.getByLabelText('Terminal'), TARGET);
    await press('Bind this terminal');
    expect(await screen.findByText(TARGET, { selector: 'code' })).toBeVisible();
    expect(screen.queryByRole('status')).not.toBeInTheDocument();
    expect(asked(world)).toEqual([
      {
        path: `/v1/instances/${id}/changes`,
        body: { change: 'bind', boundTarget: { target: TARGET, label: TARGET } },
      },
    ]);
  });

  it('changes consents and tools, pauses, and goes for good after a question', async () => {
    let id = '';
    const { world, router } = await openHouse('/operators', (made) => {
      id = make(made).instance.id;
    });
    await router.navigate({ to: '/operators/$instanceId', params: { instanceId: id } });
    const closes = within(await screen.findByRole('radiogroup', { name: 'Closes the terminal' }));
    await userEvent.click(closes.getByRole('radio', { name: 'Ask me' }));
    await waitFor(() => expect(closes.getByRole('radio', { name: 'Ask me' })).toBeChecked());
    await userEvent.click(await screen.findByRole('checkbox', { name: 'tmux_send_keys' }));
    expect(await screen.findByText('May not type into it.')).toBeVisible();
    await press('Pause');
    expect(await screen.findByRole('button', { name: 'Resume' })).toBeVisible();
    await press('Remove');
    await typeName();
    await press('Remove it');
    expect(await screen.findByText('No operator is in use yet')).toBeVisible();
    expect(asked(world).map(({ body }) => (body as { change: string }).change)).toEqual([
      'consent',
      'narrow',
      'pause',
      'remove',
    ]);
  });

  it('takes no second change while one is under way, and shows that', async () => {
    let id = '';
    const { world, router } = await openHouse('/operators', (made) => {
      id = make(made).instance.id;
    });
    await router.navigate({ to: '/operators/$instanceId', params: { instanceId: id } });
    const asks = fetch;
    const held = Promise.withResolvers<void>();
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      if (address.endsWith('/changes')) await held.promise;
      return asks(address, init);
    });
    await press('Pause');
    const pause = screen.getByRole('button', { name: 'Pause' });
    expect(pause).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByRole('checkbox', { name: 'tmux_send_keys' })).toBeDisabled();
    const closes = within(screen.getByRole('radiogroup', { name: 'Closes the terminal' }));
    expect(closes.getByRole('radio', { name: 'Ask me' })).toBeDisabled();
    held.resolve();
    expect(await screen.findByRole('button', { name: 'Resume' })).toBeEnabled();
    expect(screen.getByRole('checkbox', { name: 'tmux_send_keys' })).toBeEnabled();
    expect(asked(world)).toHaveLength(1);
    vi.unstubAllGlobals();
  });

  it('shows a version that may do more, and lets it run only by agreement', async () => {
    const { world } = await openHouse('/operators', (made) => {
      publish(made, 0, 'tmux_capture_pane');
      make(made, { operatorId: 'opr_own1', name: 'mine' });
      publish(made, 1, 'tmux_capture_pane', 'tmux_send_keys');
    });
    expect(await screen.findByText('not ready')).toBeVisible();
    await userEvent.click(await screen.findByRole('link', { name: /mine/ }));
    const waits = within(await screen.findByRole('region', { name: 'Version 2 waits for you' }));
    expect(waits.getByText(/read and type into/)).toBeVisible();
    await press('Agree to version 2');
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: /waits for you/ })).not.toBeInTheDocument(),
    );
    expect(asked(world)).toMatchObject([{ body: { change: 'agree', version: 2 } }]);
  });

  it('says so where there is none', async () => {
    await openHouse('/operators/ins_none');
    expect(await screen.findByRole('alert')).toHaveTextContent('No instance');
  });
});
