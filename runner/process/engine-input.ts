import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { systemCodeOf } from '../failure.ts';

/** Makes the named pipe that an engine reads, for its owner alone. Throws when there is something. */
export async function makeInput(path: string): Promise<void> {
  await promisify(execFile)('mkfifo', ['-m', '600', path]);
}

/**
 * Opens the pipe for the engine that is about to be started: for reading and writing, so that it
 * never meets an end of file, whoever writes to it dies. Never waits for a writer.
 */
export function openEnginesEnd(path: string): number {
  return openSync(path, constants.O_RDWR);
}

/**
 * The writing end of an engine's input. A named pipe, so that the next runner can open it again;
 * nothing here waits for an engine that does not read.
 */
export class EngineInput {
  readonly #socket: Socket;
  #unwrittenBytes = 0;

  private constructor(fd: number) {
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.unref();
    // A pipe whose reader is gone fails here; what that means is told by the process's exit.
    this.#socket.on('error', () => this.#socket.destroy());
  }

  /** Opens it for writing, or answers null where there is no pipe or nobody reads it. */
  static open(path: string): EngineInput | null {
    let fd: number;
    try {
      fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === 'ENXIO' || code === 'ENOENT') return null;
      throw error;
    }
    try {
      return new EngineInput(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** Bytes that are on their way: of a line, some may be in the pipe and some may not. */
  get unwrittenBytes(): number {
    return this.#unwrittenBytes;
  }

  /** Writes one line. Lines keep their order; `written` is called once all of them are in the pipe. */
  write(line: string, written: () => void): void {
    if (!this.#socket.writable) return;
    const bytes = Buffer.from(`${line}\n`);
    this.#unwrittenBytes += bytes.length;
    this.#socket.write(bytes, (error) => {
      if (error) return;
      this.#unwrittenBytes -= bytes.length;
      if (this.#unwrittenBytes === 0) written();
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
