import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdLease, readLeaseKey } from '../../../console/takeover/lease.ts';
import { TakeOver } from '../../../console/takeover/take-over.tsx';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const KEY = 'k'.repeat(24);
const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const driven = {
  ...idle,
  takeover: { form: 'keys', actorId: idle.actorId, channel: 'cli', epoch: 2, at: 1 } as const,
};
const posted: { path: string; body: unknown }[] = [];

beforeEach(() => {
  posted.length = 0;
  holdLease(idle.sessionId, null);
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string }) => {
    if (init.method === 'GET') return Response.json({ items: [], nextCursor: null });
    posted.push({ path, body: JSON.parse(init.body) });
    if (path.endsWith('/release')) return Response.json({ accepted: true }, { status: 202 });
    return Response.json({ key: KEY, epoch: 2 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = (view: typeof idle | typeof driven, leaseKey: string | null = null) =>
  draw(<TakeOver view={view} runnerId={null} presence="online" leaseKey={leaseKey} />);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const path = `/v1/sessions/${idle.sessionId}`;

describe('the button that takes a session over', () => {
  it('takes an idle session at once and keeps the key for its epoch alone', async () => {
    open(idle);
    await press('Take over');
    await waitFor(() => expect(readLeaseKey(idle.sessionId, driven.takeover)).toBe(KEY));
    expect(posted).toEqual([{ path: `${path}/takeover`, body: { form: 'keys', force: false } }]);
    expect(readLeaseKey(idle.sessionId, { ...driven.takeover, epoch: 3 })).toBeNull();
    expect(readLeaseKey(idle.sessionId, null)).toBeNull();
  });

  it('asks before it takes it from somebody, and then says that it is meant', async () => {
    open(driven);
    await press('Take over');
    expect(posted).toEqual([]);
    await press('Take over with keys');
    await waitFor(() =>
      expect(posted).toEqual([{ path: `${path}/takeover`, body: { form: 'keys', force: true } }]),
    );
  });

  it('hands back with the key of this tab, and forgets it', async () => {
    holdLease(idle.sessionId, { key: KEY, epoch: 2 });
    open(driven, KEY);
    await press('Hand back');
    await waitFor(() => expect(readLeaseKey(idle.sessionId, driven.takeover)).toBeNull());
    expect(posted).toEqual([{ path: `${path}/release`, body: { key: KEY, force: false } }]);
  });
});
