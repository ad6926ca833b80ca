// Beside the page that is shown where the server does not answer: it goes on once it does.
const EVERY_MS = 3_000;
const why = document.getElementById('why');

async function look() {
  if (!navigator.onLine) why.textContent = 'This device is offline. Sessions go on all the same.';
  try {
    const { ok } = await fetch('/v1/health', { cache: 'no-store' });
    if (ok) location.reload();
  } catch {
    // It is still out of reach, which the page says already.
  }
}

// A push is shown although this page is looked at: nothing of it would be seen here.
navigator.serviceWorker?.addEventListener('message', ({ ports }) =>
  ports[0]?.postMessage('offline'),
);
navigator.serviceWorker?.startMessages();

const again = () => void look();
document.getElementById('again').addEventListener('click', again);
addEventListener('online', again);
setInterval(again, EVERY_MS);
