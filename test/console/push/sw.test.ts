import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWorker } from '../../../console/lib/service-worker.ts';
import { PUSH_SAYS } from '../../../protocol/push.ts';

type Listener = (event: object) => void;
const SOURCE = readFileSync('console/public/sw.js', 'utf8').replace('__SHELL__', 'b2');

let listeners: Map<string, Listener>;
let pages: ReturnType<typeof page>[];
const showNotification = vi.fn<(title: string, options: object) => void>();
const openWindow = vi.fn<(path: string) => void>();

const fetching = vi.fn<(to: string | Request, init?: RequestInit) => Promise<Response>>();
/** What the browser keeps for the worker, by the name of each store. */
let stores: Map<string, Map<string, Response>>;
const caches = {
  keys: async () => [...stores.keys()],
  delete: async (name: string) => stores.delete(name),
  open: async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return {
      addAll: async (requests: { url: string }[]) => {
        for (const { url } of requests) store.set(new URL(url).pathname, new Response(url));
      },
    };
  },
  match: async (path: string) => [...stores.values()].map((store) => store.get(path)).at(-1),
};

/** The worker as a browser runs it: alone, with what a browser gives it. */
beforeEach(() => {
  listeners = new Map();
  pages = [];
  stores = new Map();
  fetching.mockReset();
  showNotification.mockClear();
  openWindow.mockClear();
  runInNewContext(SOURCE, {
    URL,
    MessageChannel,
    setTimeout: (done: () => void) => setTimeout(done, 50),
    location: { origin: 'https://console.example' },
    Request: class {
      url: string;
      constructor(path: string) {
        this.url = `https://console.example${path}`;
      }
    },
    fetch: fetching,
    caches,
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: async () => undefined,
    registration: { showNotification },
    clients: { claim: async () => undefined, matchAll: async () => pages, openWindow },
  });
});

/** What a page of the console does. */
function answerAsConsole(port: MessagePort | undefined): void {
  answerWorker({
    startMessages: () => undefined,
    addEventListener: (_: string, listener: unknown) =>
      (listener as (event: { ports: unknown[] }) => void)({ ports: [port] }),
  });
}

/** What the page for a server out of reach does, as it says itself. */
function answerAsOffline(port: MessagePort | undefined): void {
  const heard = new Map<string, (event: { ports: unknown[] }) => void>();
  runInNewContext(readFileSync('console/public/offline.js', 'utf8'), {
    navigator: {
      onLine: true,
      serviceWorker: {
        startMessages: () => undefined,
        addEventListener: (type: string, listener: (event: { ports: unknown[] }) => void) =>
          heard.set(type, listener),
      },
    },
    document: { getElementById: () => ({ addEventListener: () => undefined }) },
    addEventListener: () => undefined,
    setInterval: () => 0,
  });
  heard.get('message')?.({ ports: [port] });
}

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
  postMessage: vi.fn<(words: string, ports: readonly MessagePort[]) => void>((_, [port]) =>
    answerAsConsole(port),
  ),
  navigate: vi.fn<(path: string) => void>(),
});

describe('the worker beside the pages', () => {
  it('shows words of its own for what it is told, and nothing that was sent', async () => {
    pages = [page('hidden')];
    await push(() => ({ ...message, title: 'sent' }));
    expect(showNotification).toHaveBeenCalledExactlyOnceWith('A session needs you', {
      body: 'It waits for your answer.',
      tag: message.tag,
      icon: '/icon-192.png',
      data: { path: '/sessions/ses_1', asks: null },
    });
  });

  it('leaves it to a page that is looked at', async () => {
    pages = [page('hidden'), page('visible')];
    await push(() => message);
    expect(showNotification).not.toHaveBeenCalled();
  });

  it('shows it where all that is looked at is the page for a server out of reach', async () => {
    pages = [page('visible', '/sessions/ses_1')];
    pages[0]?.postMessage.mockImplementation((_, [port]) => answerAsOffline(port));
    await push(() => message);
    expect(showNotification).toHaveBeenCalledOnce();
    pages.push(page('visible'));
    await push(() => message);
    expect(showNotification).toHaveBeenCalledOnce();
  });

  it('shows it beside what is looked at of this origin and is no page of the console', async () => {
    pages = [page('visible', '/v1/sessions/ses_1/images/img_1')];
    await push(() => message);
    expect(showNotification).toHaveBeenCalledOnce();
    expect(pages[0]?.postMessage).not.toHaveBeenCalled();
    const silent = page('visible', '/icon.svg');
    silent.postMessage.mockImplementation(() => undefined);
    pages = [silent];
    await push(() => message);
    expect(showNotification).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['a message that cannot be read', () => JSON.parse('{')],
    ['a session that is none', () => ({ ...message, sessionId: '//evil.example' })],
    ['a kind of a later version', () => ({ ...message, kind: 'later', sessionId: 7 })],
  ])('shows something for %s, and leads home', async (_, json) => {
    await push(json);
    expect(showNotification.mock.calls[0]?.[1]).toMatchObject({ data: { path: '/' } });
  });

  it('opens the session in the page that shows it, or in a new one, and takes away none', async () => {
    const notification = { close: vi.fn(), data: { path: '/sessions/ses_1' } };
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

describe('a notification that shows a command', () => {
  const asks = { requestId: 'apr_1', command: 'git push origin main' };
  const shown = {
    close: vi.fn(),
    tag: 't',
    data: { path: '/sessions/ses_1', asks: { sessionId: 'ses_1', ...asks } },
  };
  const press = (action: string) => fire('notificationclick', { action, notification: shown });

  it('offers to answer it', async () => {
    await push(() => ({ ...message, asks }));
    expect(showNotification.mock.calls[0]?.[1]).toMatchObject({
      body: 'git push origin main',
      actions: [{ action: 'allow' }, { action: 'deny' }],
      data: { asks: { sessionId: 'ses_1', requestId: 'apr_1' } },
    });
  });

  it.each([
    ['allow', 'Allowed'],
    ['deny', 'Denied'],
  ])('answers that one request with %s', async (action, said) => {
    fetching.mockResolvedValue(new Response('{"accepted":true}', { status: 202 }));
    await press(action);
    const [address, init] = fetching.mock.calls[0] ?? [];
    expect(address).toBe('/v1/sessions/ses_1/approvals/apr_1');
    expect(init).toMatchObject({ method: 'POST', body: JSON.stringify({ decision: action }) });
    expect(showNotification.mock.calls[0]?.[0]).toBe(said);
    expect(openWindow).not.toHaveBeenCalled();
  });

  it('says why an answer was not taken, in the words of the server', async () => {
    const error = { code: 'approval_expired', message: 'It waits no more.' };
    fetching.mockResolvedValue(new Response(JSON.stringify({ error }), { status: 409 }));
    await press('allow');
    expect(showNotification.mock.calls[0]).toMatchObject([
      'Your answer was not taken',
      { body: 'It waits no more.', data: { asks: null } },
    ]);
    fetching.mockRejectedValue(new TypeError('no network'));
    await press('allow');
    expect(showNotification.mock.calls[1]).toMatchObject([
      'Your answer may not have arrived',
      { body: 'Pilothouse did not answer. Open it to see.' },
    ]);
  });

  it('opens the request where it is tapped beside its answers', async () => {
    await press('');
    expect(openWindow).toHaveBeenCalledExactlyOnceWith('/sessions/ses_1');
    expect(fetching).not.toHaveBeenCalled();
  });
});

describe('what is told of no session', () => {
  it.each([
    [
      { kind: 'digest', sessionId: null, tag: 't', says: '2 wait for you.' },
      '/digest',
      '2 wait for you.',
    ],
    [
      { kind: 'operator', sessionId: null, instanceId: 'ins_1', tag: 't' },
      '/operators/ins_1',
      undefined,
    ],
  ])('%j leads to %s', async (told, path, body) => {
    await push(() => told);
    const [, options] = showNotification.mock.calls[0] ?? [];
    expect(options).toMatchObject({ data: { path }, ...(body !== undefined && { body }) });
  });

  it('is shown of a digest beside a page that is looked at, which has no place for it', async () => {
    pages = [page('visible', '/')];
    await push(() => ({ ...message, kind: 'digest' }));
    expect(showNotification).toHaveBeenCalledOnce();
  });

  it('has the words of the product for each kind', async () => {
    for (const [kind, { title, body }] of Object.entries(PUSH_SAYS)) {
      await push(() => ({ ...message, kind }));
      expect(showNotification.mock.lastCall).toMatchObject([title, { body }]);
    }
  });
});

describe('a server out of reach', () => {
  const ask = async (path: string, mode = 'navigate') => {
    let answered: Promise<Response> | undefined;
    const request = { url: `https://console.example${path}`, mode, method: 'GET' };
    listeners.get('fetch')?.({
      request,
      respondWith: (answer: Promise<Response>) => (answered = answer),
    });
    return answered;
  };

  it('is answered by a page of this build that says what to do, and by nothing else', async () => {
    stores.set('pilothouse b1', new Map());
    await fire('install', {});
    await fire('activate', {});
    expect([...stores.keys()]).toEqual(['pilothouse b2']);
    const kept = [...(stores.get('pilothouse b2')?.keys() ?? [])];
    expect(kept).toEqual(['/offline', '/offline.js', '/theme.js', '/icon.svg']);
    fetching.mockRejectedValue(new TypeError('no network'));
    const answer = await ask('/sessions/ses_1');
    expect(await answer?.text()).toContain('/offline');
    expect(await ask('/v1/acts/export')).toBeUndefined();
    expect(await ask('/v1/sessions', 'cors')).toBeUndefined();
    expect(await ask('/assets/main.js', 'no-cors')).toBeUndefined();
  });

  it('is asked first: what it answers is shown, whatever is kept', async () => {
    await fire('install', {});
    fetching.mockResolvedValue(new Response('fresh', { status: 500 }));
    expect(await (await ask('/'))?.text()).toBe('fresh');
  });
});
