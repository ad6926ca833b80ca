import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PaneView } from '../../../console/panes/pane-view.tsx';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { ESCAPE, newest, OpenedSocket, scriptSockets } from '../support/drawn-terminal.ts';
import { draw } from '../support/render.tsx';

vi.mock(
  '../../../console/takeover/terminal-window.ts',
  () => import('../support/drawn-terminal.ts'),
);

const TARGET = 'tmux:default:812.1700000000:%3';
const KEY = 'k'.repeat(24);
const posted: { path: string; body: unknown }[] = [];
let refusal: string | null = null;

beforeEach(() => {
  posted.length = 0;
  refusal = null;
  sessionStorage.clear();
  scriptSockets();
  vi.stubGlobal('fetch', async (path: string, init: { body: string }) => {
    posted.push({ path, body: JSON.parse(init.body) });
    if (refusal !== null) {
      const error = {
        code: refusal,
        message: 'No.',
        retryable: false,
        context: {},
        requestId: 'r',
      };
      return Response.json({ error }, { status: 409 });
    }
    return path.endsWith('let-go')
      ? Response.json({ accepted: true }, { status: 202 })
      : Response.json({ key: KEY, epoch: 4 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = (over: Partial<Parameters<typeof PaneView>[0]> = {}) =>
  draw(<PaneView runnerId="run_1" target={TARGET} shown="live" drive {...over} />);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const say = (...frames: object[]) =>
  act(() => {
    const { socket } = newest();
    if (socket.readyState === 0) socket.accept();
    for (const frame of frames) socket.say(frame);
  });
const attached = (driving: boolean) => ({ type: 'attached', driving, connected: true });
const lease = (channel: string | null) => ({
  type: 'lease',
  driver: channel === null ? null : { actorId: LOCAL_ACTOR, channel, at: 1 },
});
const SCREEN = { type: 'screen', columns: 80, rows: 24, data: '$ ' };

async function drive() {
  const drawn = open();
  await press('Type here');
  await waitFor(() => expect(OpenedSocket.all).toHaveLength(2));
  say(attached(true), SCREEN, lease('console'));
  return drawn;
}

describe('a terminal that is watched', () => {
  it('asks for its picture without a key and without a size, which are its person’s own', () => {
    open();
    say(attached(false), SCREEN);
    const { socket, window } = newest();
    expect(socket.address).toBe(
      `/v1/runners/run_1/panes/socket?target=${encodeURIComponent(TARGET)}`,
    );
    expect(socket.heard).toEqual([{ type: 'attach', key: null, size: null }]);
    expect(window.options).toEqual({ drives: false, own: true });
    expect(window.taken).toContainEqual({ columns: 80, rows: 24, shrink: true });
    expect(screen.getByText('You watch')).toBeInTheDocument();
    expect(screen.getByText('Nothing typed here reaches it.')).toBeInTheDocument();
  });

  it('says over it why there is no picture yet, and nothing once there is one', () => {
    open();
    expect(screen.getByText('Opening the terminal …')).toBeInTheDocument();
    say({ ...attached(false), connected: false });
    expect(screen.getByText(/Waiting for the machine to show the terminal/)).toBeInTheDocument();
    say(SCREEN);
    expect(screen.queryByText(/Waiting for the machine/)).toBeNull();
    expect(newest().window.shown).toEqual(['screen:$ ']);
  });

  it('acknowledges output once it is shown, so that more comes', () => {
    open();
    say(attached(false));
    // A buffer of the page's own realm, as a browser hands over.
    act(() => newest().socket.say(Uint8Array.from(new TextEncoder().encode('built')).buffer));
    expect(newest().window.shown).toEqual(['built']);
    expect(newest().socket.heard.at(-1)).toEqual({ type: 'ack', bytes: 5 });
  });

  it.each([
    ['cli', 'Somebody types from a shell'],
    ['console', 'Somebody types in another window'],
  ])('says who types: from the %s, %s', (channel, words) => {
    open();
    say(attached(false), SCREEN, lease(channel));
    expect(screen.getByText(words)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Type instead of them' })).toBeInTheDocument();
    say(lease(null));
    expect(screen.getByText('You watch')).toBeInTheDocument();
  });

  it('closes its window and its connection with the page', () => {
    const { unmount } = open();
    const { window, socket } = newest();
    unmount();
    expect(window.disposed).toBe(true);
    expect(socket.readyState).toBe(3);
  });
});

describe('the way to type into a terminal', () => {
  it('asks for its keys, and attaches anew with what proves them', async () => {
    await drive();
    expect(posted).toEqual([
      { path: '/v1/runners/run_1/panes/drive', body: { target: TARGET, force: false } },
    ]);
    expect(newest().socket.heard).toEqual([{ type: 'attach', key: KEY, size: null }]);
    expect(newest().window.options.drives).toBe(true);
    expect(newest().window.terminal.focus).toHaveBeenCalled();
    expect(screen.getByText('You type here')).toBeInTheDocument();
    expect(screen.getByText('Ctrl ]')).toBeInTheDocument();
  });

  it('takes it from somebody only by saying that it is meant', async () => {
    open();
    say(attached(false), SCREEN, lease('cli'));
    await press('Type instead of them');
    expect(posted).toMatchObject([{ body: { force: true } }]);
  });

  it('is kept for this tab across a reload, and given back with its key', async () => {
    const { unmount } = await drive();
    unmount();
    open();
    say(attached(true), SCREEN);
    expect(newest().socket.heard).toEqual([{ type: 'attach', key: KEY, size: null }]);
    await press('Let go');
    await waitFor(() => expect(screen.getByText('You watch')).toBeInTheDocument());
    expect(posted.at(-1)).toEqual({
      path: '/v1/runners/run_1/panes/let-go',
      body: { target: TARGET, key: KEY, force: false },
    });
    expect(sessionStorage).toHaveLength(0);
  });

  it('says why it was refused, and watches on', async () => {
    refusal = 'terminal_driven';
    open();
    await press('Type here');
    expect(await screen.findByRole('alert')).toHaveTextContent('No.');
    expect(OpenedSocket.all).toHaveLength(1);
  });

  it.each([
    ['a machine that forbids it', { drive: false }, /limits/],
    ['a kind that is only looked at', { shown: 'polled' }, /watched from here, not typed into/],
  ] as const)('is closed on %s, with the reason', async (_, over, reason) => {
    open(over);
    const button = screen.getByRole('button', { name: 'Type here' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button.title).toMatch(reason);
    await userEvent.click(button);
    expect(posted).toEqual([]);
  });

  it('is open while the machine has not said', async () => {
    open({ drive: null });
    await press('Type here');
    expect(posted).toHaveLength(1);
  });
});

describe('a terminal that is typed into', () => {
  it('sends each key, and leads back to the page by one', async () => {
    await drive();
    act(() => newest().window.type('ls\r'));
    expect(newest().socket.heard.at(-1)).toBe('ls\r');
    act(() => newest().window.events.left());
    expect(screen.getByRole('button', { name: 'Let go' })).toHaveFocus();
  });

  it('says that keys were lost until something is typed', async () => {
    await drive();
    say({ type: 'dropped', bytes: 2 });
    expect(screen.getByText(/Some keys did not reach the terminal/)).toBeInTheDocument();
    act(() => newest().window.type('x'));
    expect(screen.queryByText(/Some keys did not reach/)).toBeNull();
  });

  it('keeps no keys for a connection that is not there', async () => {
    await drive();
    act(() => newest().socket.end());
    act(() => newest().window.type('rm'));
    expect(screen.getByText(/Some keys did not reach the terminal/)).toBeInTheDocument();
    expect(newest().socket.heard).not.toContain('rm');
  });

  it('says when somebody else types now, and offers to take it back', async () => {
    await drive();
    say({ type: 'demoted' }, lease('cli'));
    expect(screen.getByText(/You type here no more/)).toBeInTheDocument();
    await press('Type instead of them');
    expect(posted.at(-1)).toMatchObject({ body: { force: true } });
  });

  it('has on a phone the keys that its keyboard lacks, and Ctrl for the next letter', async () => {
    const list = { matches: true, addEventListener() {}, removeEventListener() {} };
    vi.stubGlobal('matchMedia', () => list);
    await drive();
    expect(screen.queryByText('Ctrl ]')).toBeNull();
    await press('Esc');
    expect(newest().socket.heard.at(-1)).toBe(ESCAPE);
    await press('Ctrl');
    expect(screen.getByRole('button', { name: 'Ctrl' })).toHaveAttribute('aria-pressed', 'true');
    act(() => newest().window.type('c'));
    act(() => newest().window.type('c'));
    expect(newest().socket.heard.slice(-2)).toEqual(['\u0003', 'c']);
    expect(screen.getByRole('button', { name: 'Ctrl' })).toHaveAttribute('aria-pressed', 'false');
    newest().window.terminal.modes.applicationCursorKeysMode = true;
    await press('Left');
    expect(newest().socket.heard.at(-1)).toBe('\u001bOD');
  });
});
