import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One request as it came: `request` is null when it was for nothing that the API models. */
type Seen<Request> = { path: string; apiKey: string | null; request: Request | null };

export type Loopback<Request> = {
  url: string;
  seen: Seen<Request>[];
  /** Resolves when a request matches, which may be now. Rejects after `timeoutMs`. */
  waitForRequest(matches: (request: Request) => boolean, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
};

type Api<Request> = {
  /** Reads a POST to one of the API's own paths; null for anything else. */
  parse(path: string, body: string): Request | null;
  answer(request: Request | null, path: string, response: ServerResponse): Promise<void>;
};

/** Where the known providers put their key. */
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key'] as const;

function keyOf({ headers }: IncomingMessage): string | null {
  const own = KEY_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
  return typeof own === 'string' ? own : (headers.authorization?.replace(/^Bearer /, '') ?? null);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts a model API on a port of its own of the loopback device, and notes what it is asked. */
export async function startLoopback<Request>(api: Api<Request>): Promise<Loopback<Request>> {
  const seen: Seen<Request>[] = [];
  const watchers = new Set<() => void>();

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const body = await readBody(incoming);
    const request = incoming.method === 'POST' ? api.parse(path, body) : null;
    seen.push({ path, apiKey: keyOf(incoming), request });
    for (const watcher of watchers) watcher();
    await api.answer(request, path, response);
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');

  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    waitForRequest(matches, timeoutMs = 30_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(new Error(`no such request within ${timeoutMs} ms; ${seen.length} were seen`));
        }, timeoutMs);
        const check = () => {
          if (!seen.some((entry) => entry.request !== null && matches(entry.request))) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
  response.end(JSON.stringify(body));
}

/** Ends a stream in its middle. What was sent must arrive first, or it is a refusal, not a cut. */
export async function cut(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    response.write(': cut\n\n', () => resolve());
  });
  response.destroy();
}
