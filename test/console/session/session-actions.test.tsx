import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ERRORS } from '../../../protocol/errors.ts';
import { SessionActions } from '../../../console/session/session-actions.tsx';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const busy = viewAfter(...eventsUntilApproval());
const called: string[] = [];

beforeEach(() => {
  called.length = 0;
  vi.stubGlobal('fetch', async (path: string) => {
    called.push(path);
    return Response.json({ accepted: true }, { status: 202 });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('interrupt', () => {
  it('interrupts the turn that is under way', async () => {
    draw(<SessionActions view={busy} />);
    await userEvent.click(screen.getByRole('button', { name: 'Interrupt' }));
    await waitFor(() => expect(called).toEqual([`/v1/sessions/${busy.sessionId}/interrupt`]));
  });

  it('says why not when nothing runs, and asks nothing of the server', async () => {
    draw(<SessionActions view={idle} />);
    await userEvent.click(screen.getByRole('button', { name: 'Interrupt' }));
    expect(await screen.findByText(ERRORS.nothing_running.sentence)).toBeVisible();
    expect(called).toEqual([]);
  });
});

describe('stop', () => {
  it('asks before it stops', async () => {
    draw(<SessionActions view={busy} />);
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(called).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Stop the session' }));
    await waitFor(() => expect(called).toEqual([`/v1/sessions/${busy.sessionId}/stop`]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('does nothing when the person keeps the session', async () => {
    draw(<SessionActions view={busy} />);
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(called).toEqual([]);
  });
});
