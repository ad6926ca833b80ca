import { parseFrame } from '../../protocol/codec.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { RunnerId } from '../../protocol/ids.ts';
import {
  decodeKeys,
  hostFrame,
  type HostFrame,
  type MachineFrame,
  OUTPUT_FRAME_BYTES,
  OUTPUT_WINDOW_BYTES,
} from '../../protocol/terminal-frames.ts';
import { REFUSALS, refusalOfCloseCode } from '../../protocol/version.ts';
import { decideBackoffMs, LINK_BACKOFF } from '../link/backoff.ts';
import { Connection, type ConnectionTimings } from '../link/connection.ts';
import type { Log } from '../log.ts';
import { AheadOfLease } from './ahead.ts';
import type { ShownTerminal } from '../shown-terminal.ts';

export type TerminalLinkOptions = {
  url: string;
  runnerId: RunnerId;
  token: string;
  /** Its address below the runner's own. */
  path: string;
  run: ShownTerminal;
  /** The fencing epoch of the lease: keys of an older driver are refused. */
  epoch(): number;
  /** The cloud says whose keys are taken; null is nobody's. */
  leased?(epoch: number | null): void;
  /** Whether somebody watches, each time that changes. */
  watched?(watched: boolean): void;
  /** A person's keys were handed to the program. */
  typed?(): void;
  timings: ConnectionTimings;
  log: Log;
  chance(): number;
};

/**
 * Shows one terminal to the cloud, on a connection of its own, so that a flood delays no event.
 * Opened again when it breaks: the terminal goes on meanwhile.
 */
export class TerminalLink {
  readonly #options: TerminalLinkOptions;
  #connection: Connection | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;
  #stopped = false;
  /** Somebody watches, so that output is wanted. */
  #shown = false;
  #driven = false;
  #unacked = 0;
  readonly #ahead = new AheadOfLease();
  /** The size that the next driver asked for before its lease was known here. */
  #sizeAhead: Extract<HostFrame, { type: 'resize' }> | null = null;

  constructor(options: TerminalLinkOptions) {
    this.#options = options;
    options.run.show({
      output: (data) => this.#output(data),
      answers: () => this.#driven,
      resync: () => this.#send({ type: 'resync' }),
      ended: (code) => this.ended(code),
    });
    this.#connect();
  }

  /** The lease is another one: what its driver sent ahead of it is taken now. */
  leaseMoved(): void {
    const ahead = this.#sizeAhead;
    this.#sizeAhead = null;
    if (ahead) this.#resize(ahead);
    for (const keys of this.#ahead.take(this.#options.epoch())) this.#write(keys);
  }

  /** There is nothing to show any more, and everybody is told why. */
  ended(code: ErrorCode): void {
    this.#send({ type: 'ended', code });
    this.close();
  }

  /** It will not be opened again by itself. */
  get over(): boolean {
    return this.#stopped || (this.#connection === null && this.#timer === null);
  }

  close(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#options.run.show(null);
    this.#connection?.close(1000, 'the terminal is closed');
    this.#connection = null;
  }

  #connect(): void {
    const { url, runnerId, path, token, timings } = this.#options;
    const server = url.replace(/^http/, 'ws').replace(/\/$/, '');
    const address = `${server}/v1/runners/${runnerId}/${path}`;
    const connection = new Connection(address, token, timings, {
      opened: () => {
        this.#failures = 0;
        connection.settle();
      },
      text: (text) => this.#receive(text),
      bytes: (bytes) => this.#keys(bytes),
      closed: ({ closeCode, reason, status }) => {
        if (this.#connection !== connection) return;
        this.#lost();
        const refused = refusalOfCloseCode(closeCode);
        const gone = (refused && !REFUSALS[refused].reconnect) || status === 404 || status === 403;
        if (gone) this.#timer = null;
        if (this.#stopped || gone) return;
        this.#options.log('info', 'the terminal’s connection ended', { path, reason });
        const delay = decideBackoffMs(++this.#failures, LINK_BACKOFF, this.#options.chance());
        this.#timer = setTimeout(() => this.#connect(), delay);
      },
    });
    this.#connection = connection;
  }

  #lost(): void {
    this.#connection = null;
    this.#show(false);
    this.#driven = false;
    this.#options.leased?.(null);
    this.#unacked = 0;
    this.#ahead.clear();
    this.#sizeAhead = null;
    this.#options.run.hold(false);
  }

  #receive(text: string): void {
    const parsed = parseFrame(hostFrame, text);
    if (parsed.kind === 'valid') return this.#obey(parsed.value);
    if (parsed.kind === 'invalid')
      this.#connection?.close(REFUSALS.protocol_error.closeCode, 'protocol_error');
  }

  #obey(frame: HostFrame): void {
    const { run } = this.#options;
    switch (frame.type) {
      case 'show':
        return run.readScreen((data, size) => {
          this.#show(true);
          this.#send({ type: 'screen', viewer: frame.viewer, ...size, data });
        });
      case 'quiet':
        this.#show(false);
        this.#unacked = 0;
        return run.hold(false);
      case 'resize':
        return this.#resize(frame);
      case 'ack':
        this.#unacked = Math.max(0, this.#unacked - frame.bytes);
        return run.hold(this.#unacked > OUTPUT_WINDOW_BYTES);
      case 'driver':
        this.#driven = frame.present;
        return;
      case 'lease':
        this.#options.leased?.(frame.epoch);
        return this.leaseMoved();
      default:
        return frame satisfies never;
    }
  }

  #show(shown: boolean): void {
    if (shown !== this.#shown) this.#options.watched?.(shown);
    this.#shown = shown;
  }

  #keys(frame: Uint8Array): void {
    const decoded = decodeKeys(frame);
    const epoch = this.#options.epoch();
    // Of an earlier driver, who was told that it drives no more.
    if (!decoded || decoded.epoch < epoch) return;
    if (decoded.epoch === epoch) return this.#write(decoded.keys);
    this.#tellDropped(this.#ahead.hold(decoded.epoch, decoded.keys));
  }

  #write(keys: Uint8Array): void {
    this.#options.typed?.();
    this.#tellDropped(this.#options.run.write(keys));
  }

  #tellDropped(bytes: number): void {
    if (bytes > 0) this.#send({ type: 'dropped', bytes });
  }

  #resize(frame: Extract<HostFrame, { type: 'resize' }>): void {
    const { run, epoch } = this.#options;
    if (frame.epoch > epoch()) this.#sizeAhead = frame;
    if (frame.epoch !== epoch()) return;
    run.resize(frame.size);
    this.#send({ type: 'size', ...run.size });
  }

  #output(data: string | Uint8Array): void {
    if (!this.#shown || !this.#connection) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let start = 0; start < bytes.byteLength; start += OUTPUT_FRAME_BYTES)
      this.#connection.sendBytes(bytes.subarray(start, start + OUTPUT_FRAME_BYTES));
    this.#unacked += bytes.byteLength;
    if (this.#unacked > OUTPUT_WINDOW_BYTES) this.#options.run.hold(true);
  }

  #send(frame: MachineFrame): void {
    this.#connection?.send(JSON.stringify(frame));
  }
}
