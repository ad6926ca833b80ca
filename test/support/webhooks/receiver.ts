import { z } from 'zod';

/** What a receiver took, as it came. */
export const received = z.array(
  z.object({ path: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
);
export type Received = z.infer<typeof received>;

/** Where a test reads what was received, and clears it. */
export const RECEIVED_URL = 'https://receiver.example/received';

let taken: Received = [];
/** Those that are answered once so many are under way at the same time. */
let together: (() => void)[] = [];

/**
 * The public internet of the Worker's tests, in a process of its own: it takes what is posted to
 * `/status/N` and answers N, with a redirect to elsewhere for one of the three hundreds. At `/together/M/status/N` it answers when M are there.
 */
export async function answerOutside(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.url === RECEIVED_URL) {
    const all = taken;
    taken = [];
    return Response.json(all);
  }
  const headers = Object.fromEntries(request.headers);
  taken.push({ path: pathname, headers, body: await request.text() });
  const many = Number(/\/together\/(\d+)\//.exec(pathname)?.[1] ?? 0);
  if (many > 0) await meet(many);
  const status = Number(pathname.split('/').at(-1));
  return new Response(null, {
    status,
    headers: { location: 'https://receiver.example/status/200' },
  });
}

async function meet(many: number): Promise<void> {
  await new Promise<void>((go) => {
    together.push(go);
    if (together.length < many) return;
    for (const each of together) each();
    together = [];
  });
}
