import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { parseFrame } from '../../protocol/codec.ts';
import { feedFrame, type FeedFrame } from '../../protocol/console-frames.ts';
import { ERRORS } from '../../protocol/errors.ts';
import { REFUSALS, refusalOfCloseCode } from '../../protocol/version.ts';
import { EXIT, Failure } from '../failure.ts';
import { refusal } from './api.ts';
import { endWhenSilent } from './heartbeat.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** A feed that says nothing may be gone: the ping finds out. */
const PING_MS = 15_000;
const MAX_DELAY_MS = 5_000;
/** How long the other side may take to say goodbye. */
const CLOSE_GRACE_MS = 200;

export type FollowOptions = {
  url: string;
  token: string;
  sessionId: string;
  /** The last position already seen; 0 is from the beginning. */
  after: number;
  signal: AbortSignal;
  /** Each entry comes once and in order, however often the connection drops. */
  onFrame(frame: FeedFrame): void;
  onDrop(): void;
};

/**
 * Follows a session's feed until `signal` is aborted: connects again after every drop and goes
 * on from the last position. Throws a {@link Failure} when the feed refuses, or when there is no
 * connection in the first place.
 */
export async function followSession(options: FollowOptions): Promise<void> {
  let cursor = options.after;
  let everConnected = false;
  let failures = 0;
  while (!options.signal.aborted) {
    const connected = await readConnection(options, cursor, (frame) => {
      everConnected = true;
      failures = 0;
      const fresh = skipSeen(frame, cursor);
      if (!fresh) return;
      if (fresh.type === 'entries') cursor = fresh.entries.at(-1)?.position ?? cursor;
      options.onFrame(fresh);
    });
    if (options.signal.aborted) return;
    if (!connected && !everConnected) {
      throw new Failure(
        EXIT.unreachable,
        'unreachable',
        `Nothing answers at ${options.url}. Start Pilothouse there with npm start, then try again.`,
      );
    }
    if (failures === 0) options.onDrop();
    await sleep(delayOf(failures++, Math.random()));
  }
}

/** The entries of a frame that are after `cursor`; null when none is. Other frames pass. */
export function skipSeen(frame: FeedFrame, cursor: number): FeedFrame | null {
  if (frame.type !== 'entries') return frame;
  const entries = frame.entries.filter((entry) => entry.position > cursor);
  return entries.length > 0 ? { type: 'entries', entries } : null;
}

/** Wait before the next attempt: doubling, with chance in it so that viewers do not come at once. */
export function delayOf(failures: number, chance: number): number {
  return Math.min(200 * 2 ** failures, MAX_DELAY_MS) * (0.5 + chance / 2);
}

/** One connection, from its handshake to its end. Answers whether it was ever open. */
function readConnection(
  options: FollowOptions,
  after: number,
  onFrame: (frame: FeedFrame) => void,
): Promise<boolean> {
  const { url, token, sessionId, signal } = options;
  const address = new URL(`/v1/sessions/${encodeURIComponent(sessionId)}/socket`, url);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return new Promise((resolve, reject) => {
    let opened = false;
    const socket = new WebSocket(address, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
    const close = () => {
      socket.close();
      setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
    };
    signal.addEventListener('abort', close, { once: true });
    endWhenSilent(socket, PING_MS);
    socket.on('open', () => {
      opened = true;
      socket.send(JSON.stringify({ type: 'subscribe', after }));
    });
    socket.on('message', (data) => {
      const parsed = parseFrame(feedFrame, textOf(data));
      switch (parsed.kind) {
        case 'valid':
          onFrame(parsed.value);
          break;
        case 'unknown':
          // A newer server says more than this version can show.
          break;
        case 'invalid':
          reject(
            new Failure(
              EXIT.failed,
              'unexpected_answer',
              `The feed sent something malformed (${parsed.reason}). Use the command line of the version that runs.`,
            ),
          );
          socket.terminate();
          break;
        default:
          parsed satisfies never;
      }
    });
    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status >= 400 && status < 500) reject(refusal(status, body));
        socket.terminate();
      });
    });
    // What went wrong shows in the close that follows.
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      signal.removeEventListener('abort', close);
      const refused = refusalOfCloseCode(code);
      if (refused !== null && !REFUSALS[refused].reconnect) reject(ended());
      else resolve(opened);
    });
  });
}

/** The credential ended while it was in use: signed out, withdrawn or expired. */
function ended(): Failure {
  return new Failure(EXIT.refused, 'unauthenticated', ERRORS.unauthenticated.sentence);
}

function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}
