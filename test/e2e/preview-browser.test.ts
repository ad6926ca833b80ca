import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { previewList, previewOpened } from '../../protocol/preview.ts';
import { probeSeal } from '../../runner/seal/probe.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

/** A dev server as small as one can be: a page, and a WebSocket that says when a file changed. */
const DEV_SERVER = `
import { createHash } from 'node:crypto';
import { readFileSync, watchFile } from 'node:fs';
import { createServer } from 'node:http';
const page = () => '<!doctype html><h1>' + readFileSync('word.txt', 'utf8').trim() + '</h1>' +
  '<script>new WebSocket("ws://" + location.host + "/hot").onmessage = () => location.reload()</script>';
const open = new Set();
const server = createServer((request, response) => {
  response.setHeader('set-cookie', 'planted=1; path=/');
  if (request.url === '/told') return response.end(JSON.stringify(request.headers));
  response.setHeader('content-type', 'text/html').end(page());
});
server.on('upgrade', (request, socket) => {
  const key = request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' +
    'Sec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
  open.add(socket);
  socket.on('error', () => {}).on('close', () => open.delete(socket));
});
watchFile('word.txt', { interval: 50 }, () => {
  for (const socket of open) socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
});
server.listen(5173, '127.0.0.1');
`;

const CLOSED = { sealed: 'model-only', fenced: null } as const;
const grade = probeSeal(process.env).available ? 'sealed' : 'fenced';
const usage = { do: 'usage', inputTokens: 1, outputTokens: 1, costUsd: 0 } as const;

let world: RehearsalWorld;
let browser: Browser;
let context: BrowserContext;
let session: string;
let own: Server;

beforeAll(async () => {
  world = await RehearsalWorld.start({
    turns: [
      [
        { do: 'write', path: 'serve.mjs', content: DEV_SERVER, ask: false },
        { do: 'write', path: 'word.txt', content: 'Masts\n', ask: false },
        {
          do: 'bash',
          command:
            "node serve.mjs >serve.log 2>&1 &\nfor i in $(seq 100); do node -e \"require('net').connect(5173,'127.0.0.1').on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))\" && break; done",
          ask: false,
        },
        usage,
      ],
    ],
  });
  const network = CLOSED[grade];
  const words = network ? ['--network', network] : [];
  session = await world.launch('Serve', '--dir', world.repository, '--grade', grade, ...words);
  await world.untilTurns(session, 1);
  browser = await openBrowser();
  context = await browser.newContext({ baseURL: world.installation.url });
  own = createServer((_request, response) => response.end('mine'));
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser?.close();
  own?.close();
  await world?.stop();
});

const preview = (port: number) => world.call(`/v1/sessions/${session}/previews`, { port });
const codeOf = async (response: Response) =>
  z.object({ error: z.object({ code: z.string() }) }).parse(await response.json()).error.code;

describe('the dev server of a session', () => {
  it('is found by its own processes’ ports, and opened from its page with hot reload', async () => {
    const { items } = await world.get(previewList, `/v1/sessions/${session}/previews`);
    expect(items).toEqual([
      { port: 5173, program: 'node serve.mjs', ownNetwork: grade === 'sealed' },
    ]);
    const { page, faults } = await openPage(context);
    await page.goto(world.installation.link);
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto(`/sessions/${session}`);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Preview port 5173' }).click();
    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open port 5173' }).click();
    const shown = await opening;
    await shown.getByRole('heading', { name: 'Masts' }).waitFor();
    const { view } = await world.untilTurns(session, 1);
    writeFileSync(join(view.checkout?.directory ?? '', 'word.txt'), 'Sails\n');
    await shown.getByRole('heading', { name: 'Sails' }).waitFor();
    // It is a stranger to the console: no cookie of it goes there, and none of its comes back.
    await shown.goto(new URL('/told', shown.url()).href);
    const told = JSON.parse(await shown.locator('body').innerText()) as Record<string, string>;
    expect(told['cookie']).toBe('planted=1');
    expect(await shown.evaluate(() => window.opener)).toBeNull();
    const cookies = await context.cookies(world.installation.url);
    expect(cookies.map(({ name }) => name)).not.toContain('planted');
    const reached = await shown.evaluate(
      (url) =>
        fetch(url, { credentials: 'include' }).then(
          (answer) => answer.status,
          () => 'refused',
        ),
      new URL('/v1/sessions', world.installation.url).href,
    );
    expect(reached).toBe('refused');
    expect(faults).toEqual([]);
  });

  it('is at its secret name alone', async () => {
    const { url } = previewOpened.parse(await (await preview(5173)).json());
    const { port } = new URL(url);
    const stranger = await fetch(`http://127.0.0.1:${port}/`);
    expect(stranger.status).toBe(421);
    expect(await stranger.text()).not.toMatch(/Masts|Sails/);
    const done = await world.cli('sessions', 'preview', session);
    expect(done.stdout.trim()).toBe(url);
  });

  it('is no way to a port that is none of the session’s', async () => {
    const { port } = own.address() as AddressInfo;
    expect(await codeOf(await preview(port))).toBe('preview_port_gone');
  });

  it('ends with its server, and is refused where the machine forbids it', async () => {
    const limits = join(world.home, '.config', 'pilothouse', 'limits.toml');
    mkdirSync(dirname(limits), { recursive: true });
    const { url } = previewOpened.parse(await (await preview(5173)).json());
    const { hostname, port } = new URL(url);
    const ask = () =>
      new Promise<number>((resolve, reject) => {
        const headers = { host: `${hostname}:${port}` };
        get({ port, host: '127.0.0.1', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        }).on('error', reject);
      });
    expect(await ask()).toBe(200);
    world.writeLimits('preview = false');
    expect(readFileSync(limits, 'utf8')).toContain('preview = false');
    expect(await codeOf(await preview(5173))).toBe('preview_not_allowed');
    world.writeLimits('');
    await world.call(`/v1/sessions/${session}/stop`, {});
    await until('the server to end', async () => (await ask()) !== 200);
    expect(await codeOf(await preview(5173))).toBe('preview_port_gone');
  });
});
