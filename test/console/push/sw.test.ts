import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Listener = (event: object) => void;
const SOURCE = readFileSync('console/public/sw.js', 'utf8');

let listeners: Map<string, Listener>;
let pages: ReturnType<typeof page>[];
const showNotification = vi.fn<(title: string, options: object) => void>();
const openWindow = vi.fn<(path: string) => void>();

/** The worker as a browser runs it: alone, with what a browser gives it. */
beforeEach(() => {
  listeners = new Map();
  pages = [];
  showNotification.mockClear();
  openWindow.mockClear();
  runInNewContext(SOURCE, {
    URL,
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: () => undefined,
    registration: { showNotification },
    clients: { claim: () => undefined, matchAll: async () => pages, openWindow },
  });
});

async function fire(type: string, event: object): Promise<void> {
  let done: unknown;
  listeners.get(type)?.({ ...event, waitUntil: (promise: unknown) => (done = promise) });
  await done;
}
const push = (json: () => unknown) => fire('push', { data: { json } });
const message = { kind: 'approval', sessionId: 'ses_1', tag: 'ses_1 approval 3' };
const page = (visibilityState: string, path = '/') => ({
  visibilityState,
  url: `https://console.example${path}`,
  focus: vi.fn(),
  navigate: vi.fn<(path: string) => void>(),
});

describe('the worker beside the pages', () => {
  it('shows words of its own for what it is told, and nothing that was sent', async () => {
    pages = [page('hidden')];
    await push(() => ({ ...message, title: 'sent' }));
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('A session needs you', {
      body: 'It waits for your answer.',
      tag: message.tag,
      icon: '/icon.svg',
      data: '/sessions/ses_1',
    });
  });

  it('leaves it to a page that is looked at', async () => {
    pages = [page('hidden'), page('visible')];
    await push(() => message);
    expect(showNotification).not.toHaveBeenCalled();
  });

  it.each([
    ['a message that cannot be read', () => JSON.parse('{')],
    ['a session that is none', () => ({ ...message, sessionId: '//evil.example' })],
    ['a kind of a later version', () => ({ ...message, kind: 'later', sessionId: 7 })],
  ])('shows something for %s, and leads home', async (_, json) => {
    await push(json);
    expect(showNotification.mock.calls[0]?.[1]).toMatchObject({ data: '/' });
  });

  it('opens the session in the page that shows it, or in a new one, and takes away none', async () => {
    const notification = { close: vi.fn(), data: '/sessions/ses_1' };
    await fire('notificationclick', { notification });
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('/sessions/ses_1');
    const others = [page('hidden', '/launch'), page('hidden', '/sessions/ses_10')];
    pages = others;
    await fire('notificationclick', { notification });
    expect(openWindow).toHaveBeenCalledTimes(2);
    const there = page('hidden', '/sessions/ses_1?turn=3#end');
    pages = [...others, there];
    await fire('notificationclick', { notification });
    expect(there.focus).toHaveBeenCalledOnce();
    expect(openWindow).toHaveBeenCalledTimes(2);
    for (const each of pages) expect(each.navigate).not.toHaveBeenCalled();
    for (const each of others) expect(each.focus).not.toHaveBeenCalled();
  });
});
