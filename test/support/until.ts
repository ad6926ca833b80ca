/**
 * Waits until `probe` gives something, looking again and again; the wait of every test that
 * depends on another process. Throws after `withinMs`, with what was waited for and `tell`.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { withinMs = 15_000, tell = () => '' }: { withinMs?: number; tell?: () => string } = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false)
      return found as Exclude<NonNullable<T>, false>;
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms for ${what}. ${tell()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
