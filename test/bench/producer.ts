/**
 * The producer of both paths, a process of its own: writes the same lines at the same pace to an
 * engine's spool or to a bare relay, as its parent asks.
 */
import { openSync, writeSync } from 'node:fs';
import WebSocket from 'ws';
import { LineWriter, monotonicMs } from './lines.ts';
import type { Played, Play } from './producer-client.ts';

/** Written at once when there is no pace: about what a process writes into a pipe or file. */
const BURST_LINES = 200;
/** A socket that holds more than this unsent is given time. */
const HIGH_WATER_BYTES = 1024 * 1024;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Sink = { write(lines: readonly string[]): Promise<void> };

async function openSink(target: Play['target']): Promise<Sink> {
  if (target.kind === 'spool') {
    const fd = openSync(target.path, 'a');
    return {
      write: async (lines) => writeWhole(fd, Buffer.from(lines.join('\n') + '\n')),
    };
  }
  const socket = new WebSocket(target.url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    write: async (lines) => {
      for (const line of lines) socket.send(line);
      while (socket.bufferedAmount > HIGH_WATER_BYTES) await sleep(0);
    },
  };
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

/** The lines around the marked one belong to the engine's protocol: a bare relay gets none. */
function linesOf(writer: LineWriter, index: number, last: boolean, bare: boolean): string[] {
  const marked = { index, sentAt: monotonicMs() };
  if (bare) return [writer.line(marked)];
  return [...writer.before(index), writer.line(marked), ...writer.after(index, last)];
}

const sinks = new Map<string, Promise<Sink>>();

function sinkOf(target: Play['target']): Promise<Sink> {
  const key = JSON.stringify(target);
  const sink = sinks.get(key) ?? openSink(target);
  sinks.set(key, sink);
  return sink;
}

async function play({ run, target, content, count, everyMs }: Play): Promise<Played> {
  const sink = await sinkOf(target);
  const writer = new LineWriter(run, content);
  const step = everyMs === 0 ? BURST_LINES : 1;
  const startedAt = monotonicMs();
  for (let index = 0; index < count; index += step) {
    const due = startedAt + index * everyMs;
    for (let early = due - monotonicMs(); early > 0; early = due - monotonicMs())
      await sleep(early);
    const lines: string[] = [];
    for (let at = index; at < Math.min(index + step, count); at++)
      lines.push(...linesOf(writer, at, at === count - 1, target.kind === 'bare'));
    await sink.write(lines);
  }
  return { startedAt, endedAt: monotonicMs() };
}

process.on('message', (asked: Play) => {
  void play(asked).then((played) => process.send?.(played));
});
process.on('disconnect', () => process.exit(0));
process.on('unhandledRejection', (reason) => {
  console.error('the producer failed:', reason);
  process.exit(1);
});
