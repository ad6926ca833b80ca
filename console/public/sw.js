// Runs beside the pages: it shows what the server tells this browser while no page is looked at.
// A message says only that there is something; its words are these.
const WORDS = {
  approval: ['A session needs you', 'It waits for your answer.'],
  blocked: ['A session is blocked', 'Its engine cannot go on without you.'],
  halted: ['A session was halted', 'A limit or its policy is at stake.'],
  failed: ['A session failed', 'See what happened, and what to do.'],
  finished: ['A session has finished', 'Its work is ready to be looked at.'],
};

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('push', (event) => event.waitUntil(tell(event.data)));
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function tell(data) {
  const message = read(data);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  // A page that is looked at shows it in its own tray.
  if (pages.some((page) => page.visibilityState === 'visible')) return;
  const [title, body] = WORDS[message.kind] ?? ['Pilothouse', 'Something needs you.'];
  const { tag, path } = message;
  await registration.showNotification(title, { body, tag, icon: '/icon.svg', data: path });
}

/** What was sent, or where to look when it cannot be read: a browser wants something shown. */
function read(data) {
  try {
    const { kind, sessionId, tag } = data.json();
    const known = /^ses_[0-9a-z]{1,40}$/.test(sessionId);
    return { kind, tag, path: known ? `/sessions/${sessionId}` : '/' };
  } catch {
    return { kind: null, tag: 'pilothouse', path: '/' };
  }
}

/** Shows the page that has it open already, or a new one: in another one somebody may be writing. */
async function open(path) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === path);
  return there ? there.focus() : clients.openWindow(path);
}
