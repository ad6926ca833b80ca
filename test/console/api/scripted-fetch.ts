import { vi } from 'vitest';

export type Asked = { path: string; query: Record<string, string>; body: unknown };

/** Stands in for the server: answers each request from what was asked, and keeps all of them. */
export function scriptFetch(answer: (asked: Asked, before: number) => unknown): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'http://test');
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
    const asked = { path: pathname, query: Object.fromEntries(searchParams), body };
    const before = all.filter(({ path }) => path === pathname).length;
    all.push(asked);
    return Response.json(answer(asked, before));
  });
  return all;
}
