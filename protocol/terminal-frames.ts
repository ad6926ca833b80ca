import { z } from 'zod';
import { paneDriver } from './panes.ts';
import { leaseKey, terminalSize } from './takeover.ts';

/**
 * The frames of a live terminal. Bytes travel as binary frames and are never stored; everything
 * else is JSON. Output is counted: who shows it says how much it has taken, and whoever falls
 * behind gets the screen as it is instead of what it missed.
 */

/** Most bytes of keys in one frame: a paste is cut into several. */
export const INPUT_FRAME_BYTES = 32 * 1024;
/** Most bytes of output in one frame. */
export const OUTPUT_FRAME_BYTES = 64 * 1024;
/** Output on its way to one viewer, or from the machine, before the sender waits: bytes. */
export const OUTPUT_WINDOW_BYTES = 256 * 1024;
/** Keys that a program has not read yet; what exceeds this is refused: bytes. */
export const PENDING_INPUT_BYTES = 4 * 1024 * 1024;
/** Largest screen that is sent whole, in characters. */
export const SCREEN_MAX_CHARS = 512 * 1024;

const bytes = z.int().positive();
const screen = { ...terminalSize.shape, data: z.string().max(SCREEN_MAX_CHARS) };

/** Viewer → cloud. The first is `attach`; with a key it drives, without one it watches. */
export const viewerFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attach'),
    key: leaseKey.nullable(),
    /** The window's size, which a driver's terminal takes. */
    size: terminalSize.nullable(),
  }),
  z.object({ type: z.literal('resize'), size: terminalSize }),
  /** So many bytes of output were shown since the last time. */
  z.object({ type: z.literal('ack'), bytes }),
]);
export type ViewerFrame = z.infer<typeof viewerFrame>;

/** Cloud → viewer. */
export const terminalFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attached'), driving: z.boolean(), connected: z.boolean() }),
  /** Everything shown so far is replaced by this; output after it follows. */
  z.object({ type: z.literal('screen'), ...screen }),
  z.object({ type: z.literal('size'), ...terminalSize.shape }),
  /** Whether the machine's terminal is there to be shown. */
  z.object({ type: z.literal('machine'), connected: z.boolean() }),
  /** Who drives a terminal of the machine's own; null is nobody. */
  z.object({ type: z.literal('lease'), driver: paneDriver.nullable() }),
  /** The lease went to somebody else; from here on this viewer watches. */
  z.object({ type: z.literal('demoted') }),
  /** Keys that nothing was there to take, or that were more than is kept. */
  z.object({ type: z.literal('dropped'), bytes }),
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string() }),
]);
export type TerminalFrame = z.infer<typeof terminalFrame>;

/** Cloud → machine. Binary: the driver's epoch as four bytes, big-endian, then its keys. */
export const hostFrame = z.discriminatedUnion('type', [
  /** Send the screen for this viewer, and output from there on. */
  z.object({ type: z.literal('show'), viewer: z.string().max(40) }),
  /** Nobody watches: no output is wanted. */
  z.object({ type: z.literal('quiet') }),
  z.object({ type: z.literal('resize'), epoch: z.int().positive(), size: terminalSize }),
  z.object({ type: z.literal('ack'), bytes }),
  /** Whether a driver is there, whose window answers what programs ask of a terminal. */
  z.object({ type: z.literal('driver'), present: z.boolean() }),
  /** The epoch whose keys are taken from now on; null is nobody's. Of the machine's own terminals. */
  z.object({ type: z.literal('lease'), epoch: z.int().positive().nullable() }),
]);
export type HostFrame = z.infer<typeof hostFrame>;

/** Machine → cloud. Binary: output. */
export const machineFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('screen'), viewer: z.string().max(40), ...screen }),
  z.object({ type: z.literal('size'), ...terminalSize.shape }),
  z.object({ type: z.literal('dropped'), bytes }),
  /** Output was left out: every window is shown the screen anew. */
  z.object({ type: z.literal('resync') }),
  /** It is shown no more, and asking again does not help. */
  z.object({ type: z.literal('ended'), code: z.string().max(60) }),
]);
export type MachineFrame = z.infer<typeof machineFrame>;

const EPOCH_BYTES = 4;

/** Puts the driver's epoch before its keys, so that the machine can refuse a stale driver. */
export function encodeKeys(epoch: number, keys: Uint8Array): Uint8Array {
  const frame = new Uint8Array(EPOCH_BYTES + keys.byteLength);
  new DataView(frame.buffer).setUint32(0, epoch);
  frame.set(keys, EPOCH_BYTES);
  return frame;
}

/** Reads what `encodeKeys` made; null for bytes that it cannot have made. */
export function decodeKeys(frame: Uint8Array): { epoch: number; keys: Uint8Array } | null {
  if (frame.byteLength <= EPOCH_BYTES || frame.byteLength > EPOCH_BYTES + INPUT_FRAME_BYTES)
    return null;
  const epoch = new DataView(frame.buffer, frame.byteOffset).getUint32(0);
  return { epoch, keys: frame.subarray(EPOCH_BYTES) };
}
