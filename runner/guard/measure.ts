import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MEASURE_TIMEOUT_MS = 3_000;
const run = promisify(execFile);

/** Bytes of a directory on the disk, as `du` counts them; null when it cannot say in time. */
export async function measureBytes(directory: string): Promise<number | null> {
  try {
    const { stdout } = await run('du', ['-sk', '--', directory], { timeout: MEASURE_TIMEOUT_MS });
    return Number.parseInt(stdout, 10) * 1024;
  } catch {
    return null;
  }
}
