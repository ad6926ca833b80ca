import { createHash } from 'node:crypto';
import {
  existsSync,
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
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;

/** The whole outputs of tool calls whose events hold only a part, redacted, on this machine only. */
export class OutputStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  save(sessionId: SessionId, toolId: string, text: string): void {
    mkdirSync(join(this.#root, sessionId), { recursive: true, mode: 0o700 });
    writeFileSync(this.#path(sessionId, toolId), text.slice(0, OUTPUT_MAX_CHARS), { mode: 0o600 });
  }

  /** Throws `output_not_found`. */
  read(sessionId: SessionId, toolId: string): { text: string; bytes: number } {
    const path = this.#path(sessionId, toolId);
    if (!existsSync(path)) throw new PilothouseError('output_not_found', { toolId });
    const text = readFileSync(path, 'utf8');
    return { text, bytes: Buffer.byteLength(text) };
  }

  /** Removes the outputs of sessions in which nothing was written for thirty days. */
  prune(nowMs: number): void {
    if (!existsSync(this.#root)) return;
    for (const name of readdirSync(this.#root)) {
      const path = join(this.#root, name);
      if (statSync(path).mtimeMs < nowMs - KEEP_MS) rmSync(path, { recursive: true, force: true });
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
