import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { file, login } = workerData as { file: string; login: string };

/** Each byte that is no part of an escape stands for itself. */
const decoded = (text: string): string =>
  decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![\da-fA-F]{2})/g, '%25'));

/** In a thread of its own: who waits for a command to end keeps the thread of the test. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const known = request.headers.authorization === `Bearer ${login}`;
    const writes = request.method !== 'GET';
    const sent = decoded(Buffer.concat(parts).toString().slice(0, 200));
    const told = `${request.method} ${request.url} ${sent}`.replaceAll(/\s+/g, ' ').trim();
    if (known && writes) appendFileSync(file, `${told}\n`);
    response.statusCode = known ? (writes ? 201 : 404) : 401;
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
server.listen(0, '127.0.0.1', () =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
  parentPort?.postMessage((server.address() as AddressInfo).port),
);
