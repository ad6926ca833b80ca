import { lstatSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { z } from 'zod';
import { PilothouseError } from '../../../protocol/errors.ts';

/** Longest that kitty may take to answer, in ms; it answers in about ten. */
const ANSWER_MS = 5_000;
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;
const BEGIN = '\x1bP@kitty-cmd';
const END = '\x1b\\';

const answer = z.object({
  ok: z.boolean(),
  data: z.unknown().optional(),
  error: z.string().optional(),
});

/** The protocol that is spoken: that of the oldest kitty with all of what is used here. */
const VERSION = [0, 26, 0];

/** One command of kitty's remote control, as it goes over the socket. */
export const encodeCommand = (cmd: string, payload: object, silent: boolean): string =>
  `${BEGIN}${JSON.stringify({ cmd, version: VERSION, no_response: silent, payload })}${END}`;

/** Reads the answer out of what a socket gave; null while it is not whole. */
export function parseAnswer(text: string): z.infer<typeof answer> | null {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END, from + BEGIN.length);
  if (from === -1 || to === -1) return null;
  try {
    return answer.parse(JSON.parse(text.slice(from + BEGIN.length, to)));
  } catch {
    throw new PilothouseError('terminal_failed', { detail: 'kitty: an answer of another form' });
  }
}

/** Gives kitty a command and reads its answer. Throws `terminal_failed` with kitty's own words. */
export async function askKitty(socket: string, cmd: string, payload: object): Promise<unknown> {
  const { ok, data, error } = await exchange(socket, encodeCommand(cmd, payload, false));
  if (!ok) throw new PilothouseError('terminal_failed', { detail: `kitty: ${error ?? 'refused'}` });
  return data;
}

/** Gives kitty a command that it never answers. Resolves once it is on its way. */
export function tellKitty(socket: string, cmd: string, payload: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => connection.end(encodeCommand(cmd, payload, true)));
    connection.setTimeout(ANSWER_MS, () => connection.destroy(new Error('no answer in time')));
    connection.once('error', (error) => reject(failed(error)));
    connection.once('close', () => resolve());
    connection.resume();
  });
}

function exchange(socket: string, command: string): Promise<z.infer<typeof answer>> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => connection.write(command));
    const chunks: Buffer[] = [];
    let bytes = 0;
    connection.setTimeout(ANSWER_MS, () => connection.destroy(new Error('no answer in time')));
    connection.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > ANSWER_MAX_BYTES) return connection.destroy(new Error('too long an answer'));
      // The end is two bytes, in this chunk or the one before.
      if (!chunk.includes(END) && chunk.length > 1) return undefined;
      try {
        const found = parseAnswer(Buffer.concat(chunks).toString());
        if (!found) return undefined;
        resolve(found);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
      return connection.destroy();
    });
    connection.once('error', (error) => reject(failed(error)));
    connection.once('close', () => reject(failed(new Error('it closed the connection'))));
  });
}

const failed = (error: Error): PilothouseError =>
  new PilothouseError('terminal_failed', { detail: `kitty: ${error.message}` });

/** What keeps a socket from being trusted, as a sentence; null is nothing. */
export function socketProblem(path: string | null): string | null {
  if (path === null) return 'No socket of kitty is known.';
  try {
    const socket = lstatSync(path);
    if (!socket.isSocket()) return `${path} is not a socket.`;
    const uid = process.getuid?.();
    if (uid !== undefined && socket.uid !== uid && socket.uid !== 0)
      return `${path} belongs to another user.`;
    const { mode } = statSync(dirname(path));
    const replaced = (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
    return replaced ? `Others can replace ${path}; its directory should be yours alone.` : null;
  } catch {
    return `Nothing is at ${path}.`;
  }
}
