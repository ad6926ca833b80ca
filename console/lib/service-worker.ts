/**
 * Lets the worker run beside the pages: it shows what is pushed, and what to do where the server is
 * out of reach. Throws where the browser has none at this address.
 */
export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register('/sw.js');

/** Registers it once the page has what it needs, for nothing waits for it. */
export function registerWorkerLater(): void {
  if (!globalThis.isSecureContext || !('serviceWorker' in navigator)) return;
  const register = () => {
    // A browser may refuse it, as in a private window: the console works without.
    registerWorker().catch(() => undefined);
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
