import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { holdLease, readLeaseKey } from '../../../console/takeover/lease.ts';
import { TakeOver } from '../../../console/takeover/take-over.tsx';
import { viewAfter } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const KEY = 'k'.repeat(24);
const working = viewAfter(...eventsUntilApproval());
const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const by = { actorId: idle.actorId, epoch: 2, at: 1 };
const driven = { ...idle, takeover: { ...by, form: 'keys', channel: 'cli' } as const };
const posted: { path: string; body: unknown }[] = [];
let refusal: string | null = null;

beforeEach(() => {
  posted.length = 0;
  refusal = null;
  holdLease(idle.sessionId, null);
  vi.stubGlobal('fetch', async (path: string, init: { method: string; body: string }) => {
    if (init.method === 'GET') return Response.json({ items: [], nextCursor: null });
    posted.push({ path, body: JSON.parse(init.body) });
    if (refusal !== null) {
      const error = { code: 'internal', message: refusal, retryable: true };
      return Response.json({ error: { ...error, context: {}, requestId: 'r' } }, { status: 500 });
    }
    if (path.endsWith('/release')) return Response.json({ accepted: true }, { status: 202 });
    return Response.json({ key: KEY, epoch: 2 });
  });
});
afterEach(() => vi.unstubAllGlobals());

type Props = Partial<Parameters<typeof TakeOver>[0]>;
const open = (view: Parameters<typeof TakeOver>[0]['view'], over: Props = {}) =>
  draw(<TakeOver view={view} runnerId={null} presence="online" leaseKey={null} {...over} />);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const dialog = async () => within(await screen.findByRole('dialog'));

describe('what is asked before a session is taken over', () => {
  it('in the middle of a turn says that the turn is ended, and does nothing when it is left', async () => {
    open(working);
    await press('Take over');
    expect((await dialog()).getByText('Take over in the middle of a turn?')).toBeVisible();
    expect((await dialog()).getByText(/Files it changed stay as they are/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Hand it back for them' })).toBeNull();
    await press('Leave it');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(posted).toEqual([]);
  });

  it('of somebody says who drives, and can hand it back for them by meaning it', async () => {
    open(driven);
    await press('Take over');
    expect(
      (await dialog()).getByText(/^Somebody drives from a shell\. What they type/),
    ).toBeVisible();
    await press('Hand it back for them');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(posted).toEqual([
      { path: `/v1/sessions/${idle.sessionId}/release`, body: { key: null, force: true } },
    ]);
  });

  it('stays open with the reason where it was refused', async () => {
    refusal = 'Its machine did not answer.';
    open(driven);
    await press('Take over');
    await press('Take over with keys');
    expect((await dialog()).getByRole('alert')).toHaveTextContent('Its machine did not answer.');
    expect(readLeaseKey(idle.sessionId, driven.takeover)).toBeNull();
  });
});

describe('a session that cannot be taken over or handed back', () => {
  it('says that its machine is away, and asks for nothing', async () => {
    open(idle, { presence: 'offline' });
    await press('Take over');
    expect(await screen.findByText(/The machine is offline/)).toBeVisible();
    expect(posted).toEqual([]);
  });

  it('says beside the button why it was refused', async () => {
    refusal = 'Not now.';
    open(idle);
    await press('Take over');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.');
  });

  it('keeps the key of this tab where handing back failed', async () => {
    holdLease(idle.sessionId, { key: KEY, epoch: 2 });
    refusal = 'Not now.';
    open(driven, { leaseKey: KEY });
    await press('Hand back');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now.');
    expect(readLeaseKey(idle.sessionId, driven.takeover)).toBe(KEY);
  });
});
