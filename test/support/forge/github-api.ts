import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { answerForge, type ForgeRoom } from './github-room.ts';

export type Forge = { url: string; rooms: Map<string, ForgeRoom>; close(): Promise<void> };

/**
 * The endpoints of GitHub that are used, on loopback, with a room for each test: POST /room/NAME
 * says what is there, GET reads what became of it, and /api/NAME is the root of its API.
 */
export async function openForge(): Promise<Forge> {
  const rooms = new Map<string, ForgeRoom>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://forge');
    const [, kind, name = '', ...rest] = url.pathname.split('/');
    void text(request).then((body) => {
      const reply = (status: number, told: unknown) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(told));
      if (kind === 'room' && request.method === 'POST')
        rooms.set(name, JSON.parse(body) as ForgeRoom);
      const room = rooms.get(name);
      if (!room) return reply(404, { message: 'no such room' });
      if (kind === 'room') return reply(200, room);
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
      const path = `/${rest.join('/')}`;
      const asked = { method: request.method ?? 'GET', path, query: url.searchParams, token };
      const { status, body: told } = answerForge(room, asked, body, `http://forge/api/${name}`);
      return reply(status, told);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    url: `http://127.0.0.1:${address.port}`,
    rooms,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

let forge: Forge | null = null;

/** Opens it for all tests that themselves run in workerd. */
export async function setup(project: TestProject): Promise<void> {
  forge = await openForge();
  project.provide('githubApi', forge.url);
}

/** Ends what {@link setup} started. */
export const teardown = async (): Promise<void> => forge?.close();
