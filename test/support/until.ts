const SOONEST_MS = 5;
const LATEST_MS = 40;

/**
 * Waits until `probe` gives something, looking again and again; the wait of every test that
 * depends on another process. Throws after `withinMs`, with what was waited for and `tell`.
 * The longer it waited, the rarer it looks: a look may cost the very processes it waits for as
 * much time as their work.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { withinMs = 15_000, tell = () => '' }: { withinMs?: number; tell?: () => string } = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const begun = Date.now();
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false)
      return found as Exclude<NonNullable<T>, false>;
    const waitedMs = Date.now() - begun;
    if (waitedMs > withinMs) throw new Error(`waited ${withinMs} ms for ${what}. ${tell()}`);
    const pauseMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, waitedMs / 20));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
