import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { runnerId } from '../../protocol/ids.ts';
import { systemCodeOf } from '../failure.ts';

/** A running installation, as its command line finds it. */
const instanceSchema = z.object({
  url: z.url(),
  pid: z.int().positive(),
  cliToken: z.string().min(1),
  runnerId: runnerId.nullable(),
});
export type Instance = z.infer<typeof instanceSchema>;

/** What outlives a restart: who this machine is, and the command line's token. */
const identitySchema = z.object({
  runnerId: runnerId.nullable(),
  cliToken: z.string().min(1).nullable(),
});
export type Identity = z.infer<typeof identitySchema>;

/** Reads the running instance; null when there is none or its file is not whole. */
export function readInstance(path: string): Instance | null {
  return readJson(path, instanceSchema);
}

/** Writes the running instance for its owner alone: the file holds a token. */
export function writeInstance(path: string, instance: Instance): void {
  writePrivate(path, instance);
}

/** Forgets the running instance. */
export function removeInstance(path: string): void {
  rmSync(path, { force: true });
}

/** Reads who this machine is; a machine that was never registered is nobody yet. */
export function readIdentity(path: string): Identity {
  return readJson(path, identitySchema) ?? { runnerId: null, cliToken: null };
}

/** Keeps who this machine is, for its owner alone: the file holds a token. */
export function writeIdentity(path: string, identity: Identity): void {
  writePrivate(path, identity);
}

function readJson<S extends z.ZodType>(path: string, schema: S): z.infer<S> | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** A rename is atomic: a reader sees the old file or the new one, never half of one. */
function writePrivate(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
