import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import type { GateSession } from './gate-session.ts';
import { packetOf } from './pkt-line.ts';

const wanted = z.strictObject({
  oid: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
});

/**
 * Answers a session's git-lfs with the content that a pointer stands for: a line that says so, and
 * the bytes. It is what `git fetch` is to objects of git, and moves nothing on the remote.
 */
export async function sendObject(
  session: Pick<GateSession, 'quarantine'>,
  asked: string,
  socket: Socket,
): Promise<void> {
  const parsed = wanted.safeParse(parseJson(asked));
  if (!parsed.success) throw new Error('not an object of Git LFS');
  const { quarantine } = session;
  await quarantine.prepare();
  const path = await quarantine.objects.find(parsed.data);
  socket.write(packetOf('ok'));
  await pipeline(createReadStream(path), socket);
}
