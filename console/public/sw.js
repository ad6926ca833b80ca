// Runs beside the pages: it shows what the server tells this browser while no page is looked at,
// and what to do where the server is out of reach.

// What is shown of each kind; a browser that may show more is told more by the message itself.
const WORDS = {
  approval: ['A session needs you', 'It waits for your answer.'],
  pilot: ['A Pilot asks you', 'It goes on once you answer.'],
  operator: ['An operator asks you', 'A call of it waits for your yes or no.'],
  blocked: ['A session is blocked', 'Its engine cannot go on without you.'],
  halted: ['Something was halted', 'A limit or a policy is at stake.'],
  failed: ['A session failed', 'See what happened, and what to do.'],
  finished: ['A session has finished', 'Its work is ready to be looked at.'],
  budget: ['A budget is being used up', 'See how much of it is left.'],
  digest: ['Your digest is ready', 'What happened since the last one, and what waits for you.'],
};
const ANSWERS = [
  { action: 'allow', title: 'Allow' },
  { action: 'deny', title: 'Deny' },
];

// The page for a server out of reach, and what it needs. Each build of these files has a store of
// its own; nothing of the API and no page of the console is ever kept.
const STORE = 'pilothouse __SHELL__';
const OFFLINE = '/offline';
const KEPT = [OFFLINE, '/offline.js', '/theme.js', '/icon.svg'];

addEventListener('install', (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener('activate', (event) => event.waitUntil(takeOver()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    // A file to save is none of the console's pages.
    if (!pathname.startsWith('/v1/')) event.respondWith(orKept(answer(event), OFFLINE));
  } else if (KEPT.includes(pathname)) event.respondWith(orKept(fetch(request), pathname));
});
addEventListener('push', (event) => event.waitUntil(tell(event.data)));
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(event.action ? reply(event) : open(event.notification.data.path));
});

async function keep() {
  const store = await caches.open(STORE);
  await store.addAll(KEPT.map((path) => new Request(path, { cache: 'reload' })));
}

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith('pilothouse ') && name !== STORE) await caches.delete(name);
  // The request goes out while this worker is still being woken.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

const answer = async (event) => (await event.preloadResponse) ?? fetch(event.request);

// What a proxy before the server says where the server itself says nothing.
const OUT_OF_REACH = [502, 503, 504];

/** What the server says, whatever it says; what is kept only where it says nothing. */
async function orKept(answering, path) {
  try {
    const response = await answering;
    return (OUT_OF_REACH.includes(response.status) && (await caches.match(path))) || response;
  } catch (fault) {
    const kept = await caches.match(path);
    if (kept) return kept;
    throw fault;
  }
}

async function tell(data) {
  const message = read(data);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  // A page that is looked at shows it in its own tray, which has no digest.
  const isTold = message.kind !== 'digest';
  const seen = pages.filter(
    (page) => page.visibilityState === 'visible' && !new URL(page.url).pathname.startsWith('/v1/'),
  );
  if (isTold && (await Promise.all(seen.map(isConsole))).includes(true)) return;
  const [title, words] = WORDS[message.kind] ?? ['Pilothouse', 'Something needs you.'];
  const { tag, path, body, asks } = message;
  await registration.showNotification(title, {
    body: body ?? words,
    tag,
    icon: '/icon-192.png',
    data: { path, asks },
    ...(asks && { actions: ANSWERS }),
  });
}

const SAYS_WITHIN_MS = 500;

/**
 * Whether a page shows anything. A page of the console says that it does; the one for a server out
 * of reach, and whatever else of this origin is looked at, such as a file, would show nothing.
 */
function isConsole(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }) => resolve(data === 'console'));
    port1.start();
    setTimeout(() => resolve(false), SAYS_WITHIN_MS);
    page.postMessage('what are you?', [port2]);
  });
}

/** What was sent, or where to look when it cannot be read: a browser wants something shown. */
function read(data) {
  try {
    const { kind, sessionId, instanceId, tag, asks, says } = data.json();
    const path = pathOf(kind, sessionId, instanceId);
    if (asks && /^ses_[0-9a-z]{1,40}$/.test(sessionId) && typeof asks.command === 'string')
      return { kind, tag, path, body: asks.command, asks: { sessionId, ...asks } };
    return { kind, tag, path, body: typeof says === 'string' ? says : null, asks: null };
  } catch {
    return { kind: null, tag: 'pilothouse', path: '/', body: null, asks: null };
  }
}

function pathOf(kind, sessionId, instanceId) {
  if (kind === 'digest') return '/digest';
  if (/^ins_[0-9a-z]{1,40}$/.test(instanceId)) return `/operators/${instanceId}`;
  return /^ses_[0-9a-z]{1,40}$/.test(sessionId) ? `/sessions/${sessionId}` : '/';
}

/** Answers the one request that was shown, with the sign-in of this browser, and says what came of it. */
async function reply({ action, notification }) {
  const { path, asks } = notification.data;
  const said = action === 'allow' ? 'Allowed' : 'Denied';
  const [title, body] = await post(asks, action).then(
    (refusal) => (refusal === null ? [said, asks.command] : ['Your answer was not taken', refusal]),
    // It may have arrived all the same.
    () => ['Your answer may not have arrived', 'Pilothouse did not answer. Open it to see.'],
  );
  await registration.showNotification(title, {
    body,
    tag: notification.tag,
    icon: '/icon-192.png',
    silent: true,
    data: { path, asks: null },
  });
}

/** Null once the answer stands; otherwise why it does not, in the server's words. */
async function post({ sessionId, requestId }, decision) {
  const address = `/v1/sessions/${sessionId}/approvals/${encodeURIComponent(requestId)}`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ decision }),
  });
  if (response.ok) return null;
  const { error } = await response.json();
  return error.message;
}

/** Shows the page that has it open already, or a new one: in another one somebody may be writing. */
async function open(path) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === path);
  return there ? there.focus() : clients.openWindow(path);
}
