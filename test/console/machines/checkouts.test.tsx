import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Checkouts } from '../../../console/machines/checkouts.tsx';
import { errorAnswer } from '../../../console/mock/world.ts';
import { checkoutFacts, type CheckoutFacts } from '../../../protocol/checkout.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';
import { drawRouted } from '../support/routed.tsx';
import { typeName } from '../support/type-name.ts';

const BASE = '/v1/runners/run_sentinel/checkouts';
/** The machine's checkouts, as it would list them now. */
let there: CheckoutFacts[] = [];
let pageSize = 20;
const removed: string[] = [];
const failures = new Map<string, ErrorCode>();

const aCheckout = (name: string, over: Partial<CheckoutFacts> = {}): CheckoutFacts =>
  checkoutFacts.parse({
    sessionId: `ses_${name}`,
    title: `Paint the ${name}`,
    engineId: 'rehearsal',
    repository: '/home/sentinel/harbour',
    directory: `/data/checkouts/${name}`,
    branch: `pilothouse/${name}`,
    bytes: 2_100_000,
    startedAt: 1_700_000_000_000,
    expiresAt: 1_800_000_000_000,
    standing: 'safe',
    losses: [],
    ...over,
  });
const unsaved = (name: string) =>
  aCheckout(name, { standing: 'unsaved', losses: ['2 files are not committed.'] });

function answer(address: string, method = 'GET'): Response {
  const url = new URL(address, 'http://console');
  const failure = failures.get(`${method} ${url.pathname}`);
  if (failure) {
    const { status, body } = errorAnswer(failure);
    return Response.json(body, { status });
  }
  if (method === 'POST') {
    const [sessionId = '', how = ''] = url.pathname.slice(BASE.length + 1).split('/');
    removed.push(`${how} ${sessionId}`);
    there = there.filter((checkout) => checkout.sessionId !== sessionId);
    return Response.json({ sessionId, bytes: 1 });
  }
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const next = from + pageSize;
  return Response.json({
    items: there.slice(from, next),
    nextCursor: next < there.length ? String(next) : null,
  });
}

beforeEach(() => {
  there = [];
  pageSize = 20;
  removed.length = 0;
  failures.clear();
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => answer(path, init?.method));
});
afterEach(() => vi.unstubAllGlobals());

async function open(checkouts: CheckoutFacts[]) {
  there = checkouts;
  await drawRouted(<Checkouts runnerId="run_sentinel" presence="online" />);
  await userEvent.click(screen.getByRole('button', { name: 'Show checkouts' }));
}
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Checkouts' })).getAllByRole('listitem');
const remove = (name: string) =>
  screen.findByRole('button', { name: `Remove the checkout of Paint the ${name}` });

describe('the checkouts of a machine', () => {
  it('are explained where there are none', async () => {
    await open([]);
    expect(await screen.findByText(/No session has a checkout here/)).toBeVisible();
    expect(screen.queryByRole('list')).not.toBeInTheDocument();
  });

  it('say whose they are, what they hold, and what would be lost', async () => {
    await open([
      aCheckout('hull', { standing: 'open', bytes: null }),
      aCheckout('mast'),
      unsaved('keel'),
    ]);
    const [hull, mast, keel] = await rows();
    expect(within(hull as HTMLElement).getByRole('link')).toHaveAttribute(
      'href',
      '/sessions/ses_hull',
    );
    expect(hull).toHaveTextContent(/size not measured.*the session is not over/);
    expect(mast).toHaveTextContent(/2\.1 MB.*nothing would be lost/);
    expect(keel).toHaveTextContent('2 files are not committed.');
    expect(screen.getByText(/^3 checkouts/)).toHaveTextContent('3 checkouts, at least 4.2 MB.');
  });

  it('that were looked into in part are said to be so many so far, and go on', async () => {
    pageSize = 1;
    await open([aCheckout('hull'), aCheckout('mast')]);
    expect(await screen.findByText(/^1 checkout/)).toHaveTextContent('1 checkout so far, 2.1 MB.');
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText(/^2 checkouts/)).toHaveTextContent('2 checkouts, 4.2 MB.');
    expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  });

  it('are looked for again when asked', async () => {
    await open([aCheckout('hull')]);
    await rows();
    there = [aCheckout('mast')];
    await userEvent.click(screen.getByRole('button', { name: 'Look again' }));
    expect(await screen.findByText('Paint the mast')).toBeVisible();
    expect(screen.queryByText('Paint the hull')).not.toBeInTheDocument();
  });

  it('that cannot be listed say why, and are asked for again', async () => {
    failures.set(`GET ${BASE}`, 'runner_offline');
    await open([aCheckout('hull')]);
    await screen.findByRole('alert');
    failures.clear();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await rows()).toHaveLength(1);
  });
});

describe('removing a checkout', () => {
  it('that is safe needs one press, and it is gone', async () => {
    await open([aCheckout('hull')]);
    await userEvent.click(await remove('hull'));
    expect(await screen.findByText(/No session has a checkout here/)).toBeVisible();
    expect(removed).toEqual(['remove ses_hull']);
  });

  it('of a session that is not over is refused beforehand', async () => {
    await open([aCheckout('hull', { standing: 'open' })]);
    const button = await remove('hull');
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(button);
    expect(removed).toEqual([]);
  });

  it('that holds work names the work and where it is, and is kept by default', async () => {
    await open([unsaved('keel')]);
    await userEvent.click(await remove('keel'));
    const dialog = await screen.findByRole('dialog', { name: 'Give up this work?' });
    expect(dialog).toHaveTextContent('2 files are not committed. It is nowhere else');
    expect(dialog).toHaveTextContent('/data/checkouts/keel');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(removed).toEqual([]);
    expect(await rows()).toHaveLength(1);
  });

  it('that holds work is a discard, said in so many words', async () => {
    await open([unsaved('keel')]);
    await userEvent.click(await remove('keel'));
    await typeName();
    await userEvent.click(await screen.findByRole('button', { name: 'Give it up and remove' }));
    await waitFor(() => expect(removed).toEqual(['discard ses_keel']));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('that the machine refuses says why in the dialog, which stays', async () => {
    failures.set(`POST ${BASE}/ses_keel/discard`, 'checkout_in_use');
    await open([unsaved('keel')]);
    await userEvent.click(await remove('keel'));
    await typeName();
    await userEvent.click(await screen.findByRole('button', { name: 'Give it up and remove' }));
    const alert = await screen.findByRole('alert');
    expect(alert.closest('[role="dialog"]')).not.toBeNull();
  });

  it('all at once takes what is safe and nothing else', async () => {
    await open([
      aCheckout('hull', { standing: 'open' }),
      aCheckout('mast'),
      unsaved('keel'),
      aCheckout('boom', { bytes: null }),
    ]);
    await userEvent.click(
      await screen.findByRole('button', {
        name: 'Remove 2 that would not be missed, at least 2.1 MB',
      }),
    );
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect(removed).toEqual(['remove ses_mast', 'remove ses_boom']);
    expect(screen.queryByRole('button', { name: /would not be missed/ })).not.toBeInTheDocument();
  });

  it('all at once shows what is left after one of them was refused', async () => {
    failures.set(`POST ${BASE}/ses_boom/remove`, 'checkout_in_use');
    await open([aCheckout('mast'), aCheckout('boom')]);
    await userEvent.click(await screen.findByRole('button', { name: /would not be missed/ }));
    expect(await screen.findByRole('alert')).toBeVisible();
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(await screen.findByText('Paint the boom')).toBeVisible();
  });
});
