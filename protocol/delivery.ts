/**
 * Delivery, as data: who has which seq, what to send next, what to accept. Both ends of every
 * hop use these functions, so what is tested here is what runs.
 */

/** What a receiver does with a batch whose first seq is `from` and last is `to`. */
export type Acceptance =
  | { kind: 'accept'; skip: number; upTo: number }
  | { kind: 'duplicate'; upTo: number }
  | { kind: 'gap'; expected: number };

/**
 * Decides what is new in a batch of consecutive seqs, given that everything up to `upTo` is
 * stored. `skip` is how many of its first events are already there.
 */
export function decideAccept(upTo: number, from: number, to: number): Acceptance {
  if (from > upTo + 1) return { kind: 'gap', expected: upTo + 1 };
  if (to <= upTo) return { kind: 'duplicate', upTo };
  return { kind: 'accept', skip: upTo + 1 - from, upTo: to };
}

/** Whether seqs rise by one from first to last: a batch with a hole is a peer's fault. */
export function isConsecutive(seqs: readonly number[]): boolean {
  return seqs.every((seq, index) => index === 0 || seq === (seqs[index - 1] ?? 0) + 1);
}

/** One session's place in a sender's outbox. */
export type SendWindow = {
  /** Everything up to here is stored by the receiver. */
  ackedUpTo: number;
  /** Everything up to here has been sent on this connection. */
  sentUpTo: number;
  /** The last seq there is. */
  lastSeq: number;
  /** The last seq of each frame of this connection that is not wholly acknowledged, oldest first. */
  frames: readonly number[];
  /** When the wait for the next acknowledgement began; null when no frame is out. */
  inFlightSince: number | null;
};

export type SendLimits = {
  maxBatch: number;
  maxInFlight: number;
  /** Frames that may be out before the acknowledgement becomes the clock. */
  maxFrames: number;
  maxWaitMs: number;
};

export const SEND_LIMITS: SendLimits = {
  maxBatch: 500,
  maxInFlight: 2_000,
  maxFrames: 4,
  maxWaitMs: 25,
};

export type SendDecision =
  | { kind: 'send'; from: number; to: number }
  | { kind: 'wait'; untilMs: number }
  | { kind: 'nothing' };

/**
 * Decides the next send. The acknowledgement is the clock: with few frames in flight send at once,
 * otherwise collect until an ack comes, but no longer than `maxWaitMs`, so that a slow receiver
 * gets fewer and larger batches and an idle one gets each event immediately.
 */
export function decideSend(window: SendWindow, nowMs: number, limits: SendLimits): SendDecision {
  const { ackedUpTo, sentUpTo, lastSeq, frames, inFlightSince } = window;
  if (sentUpTo >= lastSeq) return { kind: 'nothing' };
  const inFlight = sentUpTo - ackedUpTo;
  if (inFlight > 0 && inFlight >= limits.maxInFlight) return { kind: 'nothing' };
  const waiting = lastSeq - sentUpTo;
  const room = Math.min(limits.maxBatch, limits.maxInFlight - inFlight);
  if (frames.length >= limits.maxFrames && waiting < room && inFlightSince !== null) {
    const untilMs = inFlightSince + limits.maxWaitMs;
    if (nowMs < untilMs) return { kind: 'wait', untilMs };
  }
  return { kind: 'send', from: sentUpTo + 1, to: sentUpTo + Math.min(waiting, room) };
}

/** The window after a send up to `to`. */
export function recordSent(window: SendWindow, to: number, nowMs: number): SendWindow {
  const frames = [...window.frames, to];
  return { ...window, sentUpTo: to, frames, inFlightSince: window.inFlightSince ?? nowMs };
}

/** The window after the receiver said it stored everything up to `upTo`. Acks never go back. */
export function recordAck(window: SendWindow, upTo: number, nowMs: number): SendWindow {
  const ackedUpTo = Math.min(Math.max(window.ackedUpTo, upTo), window.lastSeq);
  const sentUpTo = Math.max(window.sentUpTo, ackedUpTo);
  const frames = window.frames.filter((to) => to > ackedUpTo);
  const inFlightSince = sentUpTo > ackedUpTo ? nowMs : null;
  return { ...window, ackedUpTo, sentUpTo, frames, inFlightSince };
}

/** The window on a new connection: what was sent and not stored is sent again. */
export function reopenWindow(window: SendWindow, storedUpTo: number): SendWindow {
  const ackedUpTo = Math.min(Math.max(window.ackedUpTo, storedUpTo), window.lastSeq);
  return { ...window, ackedUpTo, sentUpTo: ackedUpTo, frames: [], inFlightSince: null };
}

/** What a runner does with a command that it may have seen before. */
export type CommandRecord =
  | { state: 'absent' }
  | { state: 'received' }
  | { state: 'handed' }
  | { state: 'done' };

export type CommandDecision =
  | 'execute'
  | 'answer_from_record'
  | 'already_running'
  | 'expired'
  | 'unknown';

/**
 * Decides whether to act on a command. `running` says whether this very process is still at it:
 * a record of an earlier process that says `handed` cannot tell whether the effect happened, and
 * is answered `unknown` instead of acting twice; `received` never reached its effect.
 */
export function decideCommand(
  record: CommandRecord,
  running: boolean,
  deadlineAt: number,
  nowMs: number,
): CommandDecision {
  switch (record.state) {
    case 'done':
      return 'answer_from_record';
    case 'handed':
      return running ? 'already_running' : 'unknown';
    case 'received':
      if (running) return 'already_running';
      return nowMs > deadlineAt ? 'expired' : 'execute';
    case 'absent':
      return nowMs > deadlineAt ? 'expired' : 'execute';
    default:
      return record satisfies never;
  }
}
