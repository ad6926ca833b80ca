import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundPane } from '../../../console/panes/bound-pane.tsx';
import { PaneList } from '../../../console/panes/pane-list.tsx';
import { aRunner, RUNNER } from '../../../console/mock/sentinels.ts';
import type { PaneList as Listed, WatchablePane } from '../../../protocol/panes.ts';
import { OpenedSocket, newest, scriptSockets } from '../support/drawn-terminal.ts';
import { drawRouted } from '../support/routed.tsx';
import { openHouse } from '../support/house.tsx';

vi.mock(
  '../../../console/takeover/terminal-window.ts',
  () => import('../support/drawn-terminal.ts'),
);

const TARGET = 'tmux:default:812.1700000000:%3';
const pane: WatchablePane = {
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
};
let answers: (Partial<Listed> | number)[] = [];
let looks = 0;

beforeEach(() => {
  answers = [{}];
  looks = 0;
  scriptSockets();
});
afterEach(() => vi.unstubAllGlobals());

/** Answers each look with the next of the answers; a number is the status of a failure. */
const tell = (...told: typeof answers) => {
  answers = told;
  vi.stubGlobal('fetch', async () => {
    const answer = answers[Math.min(looks++, answers.length - 1)] ?? {};
    if (typeof answer !== 'number')
      return Response.json({ panes: [], watch: true, drive: true, ...answer });
    const failed = { code: 'internal', message: 'It failed.', retryable: true };
    const error = { ...failed, context: {}, requestId: 'r' };
    return Response.json({ error }, { status: answer });
  });
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the terminals of a machine', () => {
  const open = (presence: 'online' | 'offline' = 'online') =>
    drawRouted(<PaneList runnerId={RUNNER} presence={presence} />);

  it('are looked for on request, again each time, and lead to a page each', async () => {
    tell({ panes: [pane] }, { panes: [pane, { ...pane, target: 'kitty:1:2', backend: 'kitty' }] });
    await open();
    expect(looks).toBe(0);
    await press('Show terminals');
    const list = await screen.findByRole('list', { name: 'Terminals' });
    expect(list).toHaveTextContent('tmux build %3bash · at a shell/code');
    const link = within(list).getByRole('link').getAttribute('href') ?? '';
    expect(Object.fromEntries(new URL(link, 'http://house').searchParams)).toEqual({
      runner: RUNNER,
      target: TARGET,
    });
    await press('Look again');
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
  });

  it('are told apart: none is there, or the machine shows none', async () => {
    tell({}, { watch: false });
    await open();
    await press('Show terminals');
    expect(await screen.findByText(/None is there\./)).toBeInTheDocument();
    await press('Look again');
    await waitFor(() => expect(screen.queryByText(/None is there\./)).toBeNull());
    expect(screen.getByText(/limits\.toml/).closest('p')).toHaveTextContent(/watch/);
  });

  it('say why they cannot be read, and are read again by a press', async () => {
    tell(500, { panes: [pane] });
    await open();
    await press('Show terminals');
    await userEvent.click(
      within(await screen.findByRole('alert')).getByRole('button', { name: 'Retry' }),
    );
    expect(await screen.findByRole('list', { name: 'Terminals' })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are not asked of a machine that is away', async () => {
    tell({});
    await open('offline');
    await press('Show terminals');
    expect(await screen.findByText(/The machine is offline/)).toBeInTheDocument();
    expect(looks).toBe(0);
  });
});

describe('the terminal of an instance', () => {
  it('is opened when somebody wants to see it, and hidden again', async () => {
    tell({ panes: [{ ...pane, shown: 'polled' }] });
    await drawRouted(<BoundPane runnerId={RUNNER} target={TARGET} />);
    expect(looks).toBe(0);
    await press('Watch it live');
    expect(await screen.findByRole('region', { name: 'Terminal' })).toHaveTextContent(
      'looked at once a second',
    );
    await press('Hide it');
    expect(screen.queryByRole('region', { name: 'Terminal' })).toBeNull();
    expect(newest().window.disposed).toBe(true);
  });

  it('opens no connection where its machine cannot be asked', async () => {
    tell(503);
    await drawRouted(<BoundPane runnerId={RUNNER} target={TARGET} />);
    await press('Watch it live');
    expect(await screen.findByRole('alert')).toHaveTextContent('It failed.');
    expect(OpenedSocket.all).toEqual([]);
  });
});

describe('the page of a terminal', { timeout: 20_000 }, () => {
  const page = (target: string, panes: WatchablePane[] = []) =>
    openHouse(
      `/machines/terminal?runner=${RUNNER}&target=${encodeURIComponent(target)}`,
      (world) => {
        world.runners = [aRunner()];
        world.panes = panes;
      },
    );

  it('says where it is, and leads back to its machine', async () => {
    await page(TARGET, [pane]);
    expect(await screen.findByRole('heading', { name: 'tmux build %3' })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'lighthouse' })).toHaveAttribute(
      'href',
      '/machines',
    );
    expect(document.title).toContain('tmux build %3');
  });

  it.each([
    [TARGET, false],
    ['kitty:1:2', true],
  ])('of one that is in no list knows by its id how %s is looked at', async (target, polled) => {
    await page(target);
    const region = await screen.findByRole('region', { name: 'Terminal' });
    expect(region.textContent?.includes('once a second')).toBe(polled);
    expect(screen.getByRole('heading', { name: 'Terminal' })).toBeInTheDocument();
  });
});
