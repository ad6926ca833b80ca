import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { decideConnect, EMPTY_DRAFT, EMPTY_SESSIONS } from '../../../console/github/draft.ts';
import { aChannel } from '../../support/forge/channel-builders.ts';
import { asked, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const fill = async (label: string, text: string) =>
  userEvent.type(await screen.findByLabelText(label), text);

const DRAFT = {
  ...EMPTY_DRAFT,
  repository: ' octo/site ',
  token: 'ghp_sentinel',
  runnerId: 'run_laptop',
  engineId: 'claude',
  directory: '/home/dev/site',
};

describe('a connection as it is typed', () => {
  it('is called by GitHub where it has a secret, which must be a long one', () => {
    const secret = 'a'.repeat(64);
    expect(decideConnect(DRAFT, secret)).toMatchObject({
      ok: true,
      request: { delivery: 'webhook', webhookSecret: secret },
    });
    expect(decideConnect(DRAFT, 'short').ok).toBe(false);
  });

  it('is a request once nothing is missing', () => {
    expect(decideConnect(DRAFT)).toMatchObject({
      ok: true,
      request: {
        repository: 'octo/site',
        delivery: 'poll',
        label: 'pilothouse',
        launch: { directory: '/home/dev/site', budgetMicroUsd: 5_000_000 },
      },
    });
  });

  it.each([
    ['repository', { repository: 'site' }],
    ['token', { token: 'a b c d' }],
    ['label', { label: ' ' }],
    ['runnerId', { runnerId: '' }],
    ['engineId', { engineId: '' }],
    ['directory', { directory: 'code/site' }],
    ['budget', { budget: '0' }],
    ['budget', { budget: 'much' }],
  ])('says what its %s needs', (part, over) => {
    const decided = decideConnect({ ...DRAFT, ...over });
    expect(decided.ok ? [] : Object.keys(decided.problems.fields)).toEqual([part]);
  });
});

describe('what its sessions are held to, as it is typed', () => {
  const { work, pilot } = EMPTY_SESSIONS;
  const steps = [{ title: '', check: 'npm test', minutes: '' }];

  it('is a part of the request', () => {
    const decided = decideConnect(DRAFT, null, {
      work: { tokens: '2M', turns: '20', minutes: '' },
      pilot: { ...pilot, mode: 'pilot', steps },
    });
    expect(decided).toMatchObject({
      ok: true,
      request: {
        launch: {
          limits: { tokens: 2_000_000, turns: 20 },
          pilot: { mode: 'pilot', brain: { kind: 'checklist', steps: [{ check: 'npm test' }] } },
        },
      },
    });
  });

  it('says what of it is missing, where it stands', () => {
    const decided = decideConnect(DRAFT, null, {
      work: { ...work, turns: '1.5' },
      pilot: { ...pilot, mode: 'pilot' },
    });
    expect(decided.ok ? null : decided.problems).toMatchObject({
      fields: {},
      work: { turns: expect.stringContaining('whole number') },
      pilot: { steps: [expect.stringContaining('Name a command')] },
    });
  });
});

describe('the settings of GitHub', { timeout: 20_000 }, () => {
  it('say what holds where nothing is connected, and what is wrong where they cannot be read', async () => {
    await openHouse('/settings');
    expect(await screen.findByText(/No repository is connected/)).toBeVisible();
    await openHouse('/settings', (world) => {
      world.failures.set('GET /v1/github/channels', 'internal');
    });
    expect(await screen.findByRole('alert')).toBeVisible();
  });

  it('list each repository with where its sessions run, and its fault', async () => {
    await openHouse('/settings', (world) => {
      const fault = 'GitHub answered 401.';
      world.github.channels = [aChannel(undefined, { fault })];
    });
    const list = within(await screen.findByRole('list', { name: 'Repositories' }));
    expect(list.getByText('octo/site')).toBeVisible();
    expect(list.getByText('/home/dev/site')).toBeVisible();
    expect(list.getByText(/stops at \$5/)).toBeVisible();
    expect(list.getByText('GitHub answered 401.')).toBeVisible();
  });

  it('connect a repository, and show its token nowhere', async () => {
    const { world } = await openHouse('/settings');
    await press('Connect a repository');
    await press('Connect it');
    expect(await screen.findByText('Give it as OWNER/NAME.')).toBeVisible();
    expect(asked(world)).toEqual([]);
    await fill('Repository', 'octo/site');
    await fill('Token', 'ghp_sentinel_0123');
    await fill('Directory of its checkout there', '/home/dev/site');
    expect(screen.getByText(/github connect octo\/site --budget 5/)).toBeVisible();
    await press('Connect it');
    const list = within(await screen.findByRole('list', { name: 'Repositories' }));
    expect(list.getByText('octo/site')).toBeVisible();
    expect(asked(world)).toMatchObject([
      { path: '/v1/github/channels', body: { token: 'ghp_sentinel_0123', delivery: 'poll' } },
    ]);
    expect(document.body.innerHTML).not.toContain('ghp_sentinel');
  });

  it('connect one whose sessions a Pilot drives within limits, and say so in the list', async () => {
    const { world } = await openHouse('/settings');
    await press('Connect a repository');
    await fill('Repository', 'octo/site');
    await fill('Token', 'ghp_sentinel_0123');
    await fill('Directory of its checkout there', '/home/dev/site');
    await fill('Stop after so many turns (empty: no limit)', '20');
    await userEvent.click(screen.getByRole('radio', { name: /^A Pilot/ }));
    await press('Connect it');
    expect(await screen.findByText(/Name a command whose success proves/)).toBeVisible();
    expect(asked(world)).toEqual([]);
    await userEvent.type(screen.getByPlaceholderText('npm test'), 'npm test');
    expect(screen.getByText(/--turns 20 --mode pilot --checklist FILE$/)).toBeVisible();
    await press('Connect it');
    const list = within(await screen.findByRole('list', { name: 'Repositories' }));
    expect(list.getByText(/stops at \$5\.00, or 20 turns/)).toBeVisible();
    expect(list.getByText(/A Pilot goes on by itself until 1 check passes/)).toBeVisible();
    expect(asked(world)).toMatchObject([
      { body: { launch: { limits: { turns: 20 }, pilot: { mode: 'pilot' } } } },
    ]);
  });

  it('connect one that GitHub calls, and show its address and secret this once', async () => {
    const { world } = await openHouse('/settings');
    await press('Connect a repository');
    await fill('Repository', 'octo/site');
    await fill('Token', 'ghp_sentinel_0123');
    await fill('Directory of its checkout there', '/home/dev/site');
    await userEvent.click(await screen.findByRole('radio', { name: 'GitHub calls here' }));
    expect(screen.getByText(/github connect octo\/site --budget 5 --webhook/)).toBeVisible();
    await press('Connect it');
    const left = within(await screen.findByRole('region', { name: /left to do on GitHub/ }));
    expect(left.getByText(/\/v1\/github\/webhooks\/ghc_1$/)).toBeVisible();
    const secret = left.getByText(/^[0-9a-f]{64}$/).textContent;
    expect(asked(world)).toMatchObject([{ body: { delivery: 'webhook', webhookSecret: secret } }]);
    await press('Done');
    const list = within(await screen.findByRole('list', { name: 'Repositories' }));
    expect(list.getByText('by webhook')).toBeVisible();
    expect(document.body.innerHTML).not.toContain(secret);
  });

  it('say what to do where there is no machine to run on', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.runners = [];
    });
    await press('Connect a repository');
    await press('Connect it');
    expect(await screen.findByText(/Start a runner on a machine/)).toBeVisible();
    expect(screen.getByText(/Choose an engine that is ready/)).toBeVisible();
    expect(asked(world)).toEqual([]);
  });

  it('keep what was typed when the connection is refused, and say why', async () => {
    await openHouse('/settings', (world) => {
      world.failures.set('POST /v1/github/channels', 'github_connected');
    });
    await press('Connect a repository');
    await fill('Repository', 'octo/site');
    await fill('Token', 'ghp_sentinel_0123');
    await fill('Directory of its checkout there', '/home/dev/site');
    await press('Connect it');
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(screen.getByLabelText('Repository')).toHaveValue('octo/site');
  });

  it('remove a connection once that is confirmed', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.github.channels = [aChannel()];
    });
    await press('Remove');
    expect(asked(world)).toEqual([]);
    await typeName();
    await press('Remove the connection');
    await waitFor(() => expect(screen.queryByText('octo/site')).not.toBeInTheDocument());
    expect(asked(world).map(({ path }) => path)).toEqual(['/v1/github/channels/ghc_1/remove']);
  });
});
