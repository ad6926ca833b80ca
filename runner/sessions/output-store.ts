import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** Most of one tool's output that is kept, in characters; what a page can still show. */
export const OUTPUT_MAX_CHARS = 4 * 1024 * 1024;
/** Most that is kept of one session, in bytes; the oldest outputs make room. */
export const SESSION_OUTPUTS_MAX_BYTES = 256 * 1024 * 1024;

/** The whole outputs of tool calls whose events hold only a part, redacted, on this machine only. */
export class OutputStore {
  readonly #root: string;
  readonly #maxBytes: number;
  /** Bytes kept of each session that was written to, at most: what was replaced is not taken off. */
  readonly #kept = new Map<SessionId, number>();

  constructor(root: string, maxBytes = SESSION_OUTPUTS_MAX_BYTES) {
    this.#root = root;
    this.#maxBytes = maxBytes;
  }

  save(sessionId: SessionId, toolId: string, text: string): void {
    const directory = join(this.#root, sessionId);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const kept = this.#kept.get(sessionId) ?? sumOf(listOldestFirst(directory));
    const bytes = Buffer.from(text.slice(0, OUTPUT_MAX_CHARS));
    writeFileSync(this.#path(sessionId, toolId), bytes, { mode: 0o600 });
    const now = kept + bytes.length;
    this.#kept.set(sessionId, now <= this.#maxBytes ? now : this.#makeRoom(directory));
  }

  /** Removes the oldest down to three quarters of the bound, so that not every output looks again. */
  #makeRoom(directory: string): number {
    const files = listOldestFirst(directory);
    let kept = sumOf(files);
    for (const { path, bytes } of files) {
      if (kept <= (this.#maxBytes * 3) / 4) break;
      rmSync(path, { force: true });
      kept -= bytes;
    }
    return kept;
  }

  /** Throws `output_not_found`. */
  read(sessionId: SessionId, toolId: string): { text: string; bytes: number } {
    const path = this.#path(sessionId, toolId);
    if (!existsSync(path)) throw new PilothouseError('output_not_found', { toolId });
    const text = readFileSync(path, 'utf8');
    return { text, bytes: Buffer.byteLength(text) };
  }

  /** Removes the outputs of sessions in which nothing was written for `keptMs`. */
  prune(nowMs: number, keptMs: number): void {
    if (!existsSync(this.#root)) return;
    for (const name of readdirSync(this.#root)) {
      const path = join(this.#root, name);
      try {
        // A link of somebody's that leads nowhere must not keep the runner from starting.
        if (lstatSync(path).mtimeMs < nowMs - keptMs)
          rmSync(path, { recursive: true, force: true });
      } catch {
        // It is tried again in the next round.
      }
    }
  }

  /** A tool's id is the engine's word: hashed, so that it cannot name another path. */
  #path(sessionId: SessionId, toolId: string): string {
    return join(
      this.#root,
      sessionId,
      createHash('sha256').update(toolId).digest('hex').slice(0, 32),
    );
  }
}

type KeptFile = { path: string; bytes: number; writtenAt: number };

function listOldestFirst(directory: string): KeptFile[] {
  const files = readdirSync(directory).map((name): KeptFile => {
    const path = join(directory, name);
    const { size, mtimeMs } = statSync(path);
    return { path, bytes: size, writtenAt: mtimeMs };
  });
  return files.sort((one, other) => one.writtenAt - other.writtenAt);
}

const sumOf = (files: readonly KeptFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);
