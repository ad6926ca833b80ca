import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PRODUCT_ROOT } from '../host/layout.ts';

/** The version in package.json. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PRODUCT_ROOT, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
