/**
 * Lets the worker run beside the pages: it shows what is pushed, and what to do where the server is
 * out of reach. Throws where the browser has none at this address.
 */
export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/sw.js');

/** Tells the worker that this page shows by itself what is pushed, so that it need not. */
export function answerWorker(
  worker: Pick<ServiceWorkerContainer, 'addEventListener' | 'startMessages'>,
): void {
  worker.addEventListener('message', ({ ports }) => ports[0]?.postMessage('console'));
  worker.startMessages();
}

/** Registers it once the page has what it needs, for nothing waits for it. */
export function registerWorkerLater(): void {
  if (!globalThis.isSecureContext || !('serviceWorker' in navigator)) return;
  answerWorker(navigator.serviceWorker);
  const register = () => {
    // A browser may refuse it, as in a private window: the console works without.
    registerWorker().catch(() => undefined);
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
