import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { runnerId } from '../protocol/ids.ts';
import { systemCodeOf } from './failure.ts';
import type { DataLayout } from './host/layout.ts';
import { replaceFile } from './replace-file.ts';

/** Whom a data directory is paired as, where, and the token that proves it. */
const pairing = z.object({
  url: z.url({ protocol: /^https?$/ }),
  runnerId,
  token: z.string().min(16),
});
export type Pairing = z.infer<typeof pairing>;

const fileOf = (layout: DataLayout): string => join(layout.runner, 'paired.json');

/** Reads whom a data directory is paired as; null for one that is not, or whose file is not whole. */
export function readPairing(layout: DataLayout): Pairing | null {
  try {
    return pairing.safeParse(JSON.parse(readFileSync(fileOf(layout), 'utf8'))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Keeps it for its owner alone: the file holds a token. */
export function writePairing(layout: DataLayout, kept: Pairing): void {
  mkdirSync(layout.runner, { recursive: true, mode: 0o700 });
  replaceFile(fileOf(layout), `${JSON.stringify(kept, null, 2)}\n`);
}
