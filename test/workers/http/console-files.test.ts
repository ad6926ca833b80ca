import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../workers/http/app.ts';
import { HOST } from '../support/http.ts';

const PAGE = '<!doctype html><title>console</title>';
const FILES: Record<string, string> = { '/assets/app-1a2b.js': 'export {};' };

/** As the platform's assets do: a file when there is one, else the page of the console. */
const assets = {
  fetch: async (request: Request) => {
    const file = FILES[new URL(request.url).pathname];
    return file === undefined
      ? new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      : new Response(file, { headers: { 'content-type': 'text/javascript' } });
  },
} as unknown as Fetcher;

const get = (path: string): Promise<Response> =>
  Promise.resolve(
    createApp().fetch(new Request(`http://${HOST}${path}`), { ...env, ASSETS: assets }),
  );

describe('the files of the console', () => {
  it('are served as they are, and its page for every path of its own', async () => {
    expect(await (await get('/assets/app-1a2b.js')).text()).toBe('export {};');
    expect(await (await get('/sessions/ses_1')).text()).toBe(PAGE);
  });

  it('are missing where a newer build has replaced them, not the page in their place', async () => {
    const answer = await get('/assets/app-0000.js');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('json');
  });

  it('take no address of the API', async () => {
    expect((await get('/v1/nothing')).status).toBe(404);
  });
});
