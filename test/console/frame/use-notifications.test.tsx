import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { turnBellOff, turnBellOn } from '../../../console/frame/notifications.ts';
import { useNotifications } from '../../../console/frame/use-notifications.ts';
import type { SessionSummary } from '../../../protocol/http.ts';
import { MockPush } from '../../../console/mock/push.ts';
import { readThisDevice } from '../../../console/push/this-browser.ts';
import { writeStored } from '../../../console/lib/storage.ts';
import { pushDeviceId } from '../../../protocol/ids.ts';
import { PUSH_KINDS, type PushDevice } from '../../../protocol/push.ts';
import { testClient } from '../support/render.tsx';
import { aSummary } from './summaries.ts';

/** A notification of the browser, of which this test keeps every one. */
class Shown extends EventTarget {
  static permission = 'granted';
  static all: Shown[] = [];
  static requestPermission = async () => Shown.permission;
  closed = false;
  readonly title: string;
  readonly tag: string | undefined;
  constructor(title: string, options?: NotificationOptions) {
    super();
    this.title = title;
    this.tag = options?.tag;
    Shown.all.push(this);
  }
  close() {
    this.closed = true;
  }
}

type Needs = readonly SessionSummary[] | null;

/** A page that looks at sessions, and how to give it another look. */
async function openPage(first: Needs) {
  let next: (needs: Needs) => void = () => undefined;
  const Page = () => {
    const [needs, setNeeds] = useState(first);
    next = setNeeds;
    useNotifications(needs, null);
    return null;
  };
  const root = createRootRoute({ component: Page });
  const session = createRoute({ getParentRoute: () => root, path: '/sessions/$sessionId' });
  const router = createRouter({
    routeTree: root.addChildren([session]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  await router.load();
  // The routes of the console are what the types know, and these are others.
  const page = (
    <QueryClientProvider client={testClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  );
  await act(async () => void render(page));
  return { router, look: (needs: Needs) => act(async () => next(needs)) };
}

const blocked = aSummary('blocked', { title: 'Fix it', reason: 'It waits for words.' });
const titles = () => Shown.all.map(({ title }) => title);

const push = new MockPush();
const device: PushDevice = {
  deviceId: pushDeviceId.parse('psh_mine'),
  name: 'Firefox on Android',
  kinds: [...PUSH_KINDS],
  quiet: null,
  details: false,
  added: [],
  createdAt: 1,
  lastAt: null,
  fault: null,
};

beforeEach(async () => {
  Shown.permission = 'granted';
  Shown.all = [];
  vi.stubGlobal('Notification', Shown);
  vi.stubGlobal('fetch', async (address: string) =>
    Response.json(push.answer('GET', new URL(address, 'http://localhost').pathname, null, 0)),
  );
  window.happyDOM.setURL('http://localhost/');
  await turnBellOn();
});
afterEach(() => {
  turnBellOff();
  writeStored('push-device', null);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a page that nobody looks at', () => {
  it('shows what begins to wait, once, and nothing that waited before it was opened', async () => {
    const { look } = await openPage([blocked]);
    const other = aSummary('failed', { sessionId: 'ses_b' as never, title: 'Other' });
    await look([blocked, other]);
    await look([blocked, { ...other }]);
    expect(titles()).toEqual(['Failed: Other']);
  });

  it('counts as its first look the one that knows the sessions', async () => {
    const { look } = await openPage(null);
    await look([blocked]);
    expect(Shown.all).toEqual([]);
    await look([]);
    await look([blocked]);
    expect(titles()).toEqual(['Blocked: Fix it']);
  });

  it('takes back what it showed as soon as that is over', async () => {
    const { look } = await openPage([]);
    await look([blocked]);
    expect(Shown.all[0]?.closed).toBe(false);
    await look([]);
    expect(Shown.all[0]?.closed).toBe(true);
  });

  it('comes to the front at the session that was told of when that is pressed', async () => {
    const focus = vi.spyOn(window, 'focus').mockReturnValue(undefined);
    const { look, router } = await openPage([]);
    await look([blocked]);
    await act(async () => Shown.all[0]?.dispatchEvent(new Event('click')));
    expect(focus).toHaveBeenCalledOnce();
    expect(Shown.all[0]?.closed).toBe(true);
    expect(router.state.location.pathname).toBe(`/sessions/${blocked.sessionId}`);
  });

  it('shows nothing of what began while nobody wanted to be told, also afterwards', async () => {
    turnBellOff();
    const { look } = await openPage([]);
    await look([blocked]);
    await turnBellOn();
    await look([{ ...blocked }]);
    expect(Shown.all).toEqual([]);
  });

  it('shows nothing once the browser refuses, whatever was chosen', async () => {
    const { look } = await openPage([]);
    Shown.permission = 'denied';
    await look([blocked]);
    expect(Shown.all).toEqual([]);
  });
});

it('the session that is looked at is told of by its own page alone', async () => {
  window.happyDOM.setURL(`http://localhost/sessions/${blocked.sessionId}`);
  const { look } = await openPage([]);
  await look([blocked]);
  expect(Shown.all).toEqual([]);
});

describe('a browser that was told by push', () => {
  const pilot = { step: 3, status: 'waiting_person', hold: 'question', reason: 'Which?' } as const;
  const asks = aSummary('idle', { sessionId: 'ses_b' as never, title: 'Port it', pilot });
  const expired = aSummary('working', {
    sessionId: 'ses_c' as never,
    title: 'Ship it',
    approvalExpiredAt: 5,
  });
  const all = [blocked, asks, expired];
  const sentences = {
    blocked: 'Blocked: Fix it',
    asks: 'The Pilot asks: Port it',
    expired: 'Approval expired: Ship it',
  };
  beforeEach(() => void writeStored('push-device', device.deviceId));

  it('and is told no more, taken off from elsewhere, is told by its page', async () => {
    push.devices = [];
    const { look } = await openPage([]);
    await look([blocked]);
    await vi.waitFor(() => expect(titles()).toEqual([sentences.blocked]));
    expect(readThisDevice()).toBeNull();
  });

  it('is told by its page of what is not pushed alone', async () => {
    push.devices = [device];
    const { look } = await openPage([]);
    await look(all);
    await vi.waitFor(() => expect(titles()).toEqual([sentences.expired]));
    expect(readThisDevice()).toBe(device.deviceId);
  });

  it('is told by its page of a kind that is not chosen for pushes', async () => {
    push.devices = [{ ...device, kinds: PUSH_KINDS.filter((kind) => kind !== 'pilot') }];
    const { look } = await openPage([]);
    await look([asks, blocked]);
    await vi.waitFor(() => expect(titles()).toEqual([sentences.asks]));
  });

  it('is told by its page where the server cannot be asked', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const { look } = await openPage([]);
    await look([blocked]);
    await vi.waitFor(() => expect(titles()).toEqual([sentences.blocked]));
    expect(readThisDevice()).toBe(device.deviceId);
  });
});
