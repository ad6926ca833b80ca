/**
 * `npm run bench:model-gate`: what the model gate adds to a call: to its first byte, and to a long
 * stream, against the same provider asked directly, in turns.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionId } from '../../protocol/ids.ts';
import { ModelGateClient } from '../../runner/model-gate/client.ts';
import { describeModelGate } from './model-gate-report.ts';
import { summarise } from './statistics.ts';

const ROUNDS = 400;
const WARM_UP = 40;
const STREAMS = 12;
/** Events of one long answer, and characters of each. */
const EVENTS = 20_000;
const EVENT_CHARS = 160;

/** As large as the requests of an engine with its tools. */
const REQUEST = JSON.stringify({
  model: 'claude-sonnet-4-5',
  max_tokens: 8_000,
  stream: true,
  messages: [{ role: 'user', content: 'x'.repeat(80_000) }],
});
const usage = { input_tokens: 20_000, output_tokens: 40 };
const event = (message: object) => `event: x\ndata: ${JSON.stringify(message)}\n\n`;
const FIRST = event({ type: 'message_start', message: { model: 'claude-sonnet-4-5', usage } });
const DELTA = event({ type: 'content_block_delta', delta: { text: 'y'.repeat(EVENT_CHARS) } });
const LAST = event({ type: 'message_delta', usage: { output_tokens: 40 } });

/** A provider that answers at once: short, or as fast as it is read. */
async function startProvider() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST);
      if (!request.headers['x-long']) return response.end(LAST);
      let sent = 0;
      const more = () => {
        while (sent++ < EVENTS) if (!response.write(DELTA)) return;
        response.off('drain', more);
        response.end(LAST);
      };
      response.on('drain', more);
      more();
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Asked = { url: string; key: string };

/** Milliseconds to the first byte and to the end, and bytes of the answer. */
async function ask({ url, key }: Asked, long: boolean) {
  const from = performance.now();
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': key, ...(long && { 'x-long': 'yes' }) },
    body: REQUEST,
  });
  let bytes = 0;
  let firstMs = 0;
  for await (const chunk of response.body ?? []) {
    firstMs ||= performance.now() - from;
    bytes += (chunk as Uint8Array).length;
  }
  return { firstMs, elapsedMs: performance.now() - from, bytes };
}

const root = mkdtempSync(join(tmpdir(), 'pilothouse-bench-gate-'));
const client = new ModelGateClient(root, process.env, () => undefined);
const { server, url } = await startProvider();
try {
  const session = sessionId.parse('ses_bench');
  const gated: Asked = {
    url: await client.open(session, {
      protocol: 'anthropic',
      upstream: url,
      headers: { 'x-api-key': 'real' },
      grantMicroUsd: 1_000_000_000,
    }),
    key: client.placeholderOf(session),
  };
  const direct: Asked = { url, key: 'real' };
  const first: { direct: number[]; gated: number[] } = { direct: [], gated: [] };
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const one = await ask(direct, false);
    const other = await ask(gated, false);
    if (round < WARM_UP) continue;
    first.direct.push(one.firstMs);
    first.gated.push(other.firstMs);
  }
  const streams: { direct: number[]; gated: number[] } = { direct: [], gated: [] };
  for (let round = 0; round < STREAMS; round++)
    for (const [name, way] of Object.entries({ direct, gated })) {
      const { bytes, elapsedMs } = await ask(way, true);
      streams[name as keyof typeof streams].push(bytes / elapsedMs / 1_000);
    }
  const report = {
    requestBytes: REQUEST.length,
    direct: summarise(first.direct),
    gated: summarise(first.gated),
    directMegabytesPerSecond: summarise(streams.direct).p50,
    gatedMegabytesPerSecond: summarise(streams.gated).p50,
  };
  console.log(describeModelGate(report));
} finally {
  await client.close();
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true, force: true });
}
