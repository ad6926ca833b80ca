import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { Driven } from '../../../console/takeover/driven.tsx';
import { TerminalPanel } from '../../../console/takeover/terminal-panel.tsx';
import { REFUSALS } from '../../../protocol/version.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { newest, OpenedSocket, scriptSockets } from '../support/drawn-terminal.ts';
import { draw } from '../support/render.tsx';

vi.mock(
  '../../../console/takeover/terminal-window.ts',
  () => import('../support/drawn-terminal.ts'),
);

const KEY = 'k'.repeat(24);
const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const takeover = {
  form: 'keys',
  actorId: idle.actorId,
  channel: 'cli',
  epoch: 2,
  at: 1,
} as const;
const SCREEN = { type: 'screen', columns: 80, rows: 24, data: 'engine' };

beforeEach(scriptSockets);
afterEach(() => vi.unstubAllGlobals());

const open = (leaseKey: string | null, left = vi.fn<() => void>()) => {
  draw(
    <TerminalPanel
      sessionId={idle.sessionId}
      takeover={takeover}
      leaseKey={leaseKey}
      left={left}
    />,
  );
  return left;
};
const say = (...frames: object[]) =>
  act(() => {
    const { socket } = newest();
    if (socket.readyState === 0) socket.accept();
    for (const frame of frames) socket.say(frame);
  });
const attached = (driving: boolean, connected = true) => ({ type: 'attached', driving, connected });

describe('the terminal of an engine', () => {
  it('takes the size of the window that drives it, and sends its keys', () => {
    open(KEY);
    say(attached(true), SCREEN);
    const { socket, window } = newest();
    expect(socket.address).toBe(`/v1/sessions/${idle.sessionId}/terminal`);
    expect(socket.heard).toEqual([
      { type: 'attach', key: KEY, size: { columns: 90, rows: 25 } },
      { type: 'resize', size: { columns: 90, rows: 25 } },
    ]);
    act(() => window.type('y'));
    expect(socket.heard.at(-1)).toBe('y');
    expect(screen.getByText('You drive')).toBeInTheDocument();
    expect(screen.getByText(/^Every key reaches the engine\./)).toBeInTheDocument();
  });

  it('asks for no size that it has', () => {
    open(KEY);
    newest().window.room = { columns: 80, rows: 24 };
    say(attached(true), SCREEN);
    expect(newest().socket.heard).toHaveLength(1);
  });

  it('is shrunk into a window that only watches, whose size is asked for by nobody', () => {
    open(null);
    say(attached(false), SCREEN);
    const { socket, window } = newest();
    expect(socket.heard).toHaveLength(1);
    expect(window.taken.every(({ shrink }) => shrink)).toBe(true);
    expect(screen.getByText('Somebody drives from a shell')).toBeInTheDocument();
    expect(screen.getByText('You watch; nothing typed here reaches it.')).toBeInTheDocument();
  });

  it('says to its driver that no key reaches it before it is shown', () => {
    open(KEY);
    say(attached(true, false));
    expect(screen.getByText(/^Keys reach the engine once its terminal is shown\./)).toBeVisible();
    expect(screen.getByText(/Waiting for the terminal on the machine/)).toBeVisible();
  });

  it('says to a driver who lost it that somebody else drives', () => {
    open(KEY);
    say(attached(true), SCREEN, { type: 'demoted' });
    expect(screen.getByText(/Somebody else took the session over/)).toBeInTheDocument();
    expect(screen.queryByText('You drive')).toBeNull();
    expect(screen.queryByText('Ctrl ]')).toBeNull();
  });

  it('says why the server closed it, and tries no more', () => {
    open(null);
    say(attached(false), SCREEN, { type: 'failed', code: 'x', message: 'The session is over.' });
    act(() => newest().socket.end(REFUSALS.revoked.closeCode));
    expect(screen.getByText('The session is over.')).toBeInTheDocument();
    expect(OpenedSocket.all).toHaveLength(1);
  });

  it('says that a lost connection is tried again, and tries at once when the network is back', () => {
    open(null);
    say(attached(false), SCREEN);
    act(() => newest().socket.end());
    expect(screen.getByText(/tried again by itself\. The engine’s terminal stays/)).toBeVisible();
    act(() => void dispatchEvent(new Event('online')));
    expect(OpenedSocket.all).toHaveLength(2);
    say(attached(false), SCREEN);
    expect(screen.queryByText(/tried again by itself/)).toBeNull();
  });

  it('leads out by keyboard to where the page says', () => {
    const left = open(KEY);
    act(() => newest().window.events.left());
    expect(left).toHaveBeenCalledOnce();
  });
});

describe('what stands in the place of the transcript while a person drives', () => {
  const show = (over: Partial<Parameters<typeof Driven>[0]> = {}) => {
    const toggle = vi.fn<() => void>();
    draw(
      <Driven
        view={{ ...idle, takeover }}
        leaseKey={KEY}
        takeOver={<button type="button">Hand back</button>}
        transcript={<p>the transcript</p>}
        showsTranscript={false}
        toggle={toggle}
        {...over}
      />,
    );
    return toggle;
  };

  it('is the terminal, with the way to the transcript, out of it and to stop', async () => {
    const toggle = show();
    expect(await screen.findByRole('region', { name: 'Terminal' })).toBeInTheDocument();
    expect(screen.queryByText('the transcript')).toBeNull();
    expect(screen.getByRole('button', { name: 'Hand back' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /Stop/ })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Transcript' }));
    expect(toggle).toHaveBeenCalledOnce();
  });

  it('is the transcript where the person wants it, and no terminal is open behind it', () => {
    show({ showsTranscript: true });
    expect(screen.getByText('the transcript')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Terminal' })).toBeInTheDocument();
    expect(OpenedSocket.all).toEqual([]);
  });

  it('is the transcript again once nobody drives', () => {
    show({ view: idle });
    expect(screen.getByText('the transcript')).toBeInTheDocument();
  });
});
