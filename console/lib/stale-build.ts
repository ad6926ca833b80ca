const stale = new WeakSet<Error>();

/**
 * Notes which errors are files that a newer build has replaced. Vite tells of them by an event of
 * its own (`vite:preloadError`, vite.dev/guide/build), so that no message has to be read.
 */
export function watchStaleBuild(target: EventTarget): void {
  target.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as Event & { payload?: unknown };
    if (payload instanceof Error) stale.add(payload);
  });
}

/** Whether this error means that the page is older than the files that are served. */
export const isStaleBuild = (error: unknown): boolean => error instanceof Error && stale.has(error);
