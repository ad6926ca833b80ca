import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { readTrusted, unreadable } from './trusted-file.ts';

/** What every approval says: the canonical text of all that decides what runs, and its hash. */
export const approval = {
  runs: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  approvedAt: z.iso.datetime(),
};

type Approval = { runs: string; sha256: string; approvedAt: string };

/** The name of what runs: SHA-256 in hex of its canonical text. */
export function hashOfRuns(runs: string): string {
  return createHash('sha256').update(runs).digest('hex');
}

/** Approvals of one kind, in a file that only the person of this machine can have written. */
export class ApprovalFile<A extends Approval> {
  readonly #schema: z.ZodType<{ approved: A[] }>;
  readonly #writtenBy: string;

  /** `writtenBy` is the command that a person is sent to. */
  constructor(each: z.ZodType<A>, writtenBy: string) {
    this.#schema = z.strictObject({ approved: z.array(each) });
    this.#writtenBy = writtenBy;
  }

  /** What was approved. Throws `limits_unreadable`; no file is no approval. */
  read(path: string): A[] {
    const text = readTrusted(path);
    if (text === null) return [];
    const parsed = this.#schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data.approved;
    const reason = `it is not as \`${this.#writtenBy}\` writes it; correct it, or remove it`;
    throw unreadable(path, null, reason);
  }

  /** Adds an approval. Again for what runs the same changes nothing. */
  add(path: string, added: Omit<A, 'approvedAt'>, nowMs: number): void {
    const approved = this.read(path);
    if (approved.some(({ runs }) => runs === added.runs)) return;
    const approvedAt = new Date(nowMs).toISOString();
    this.#write(path, [...approved, { ...added, approvedAt } as A]);
  }

  /** Takes approvals back. Returns those that went. */
  withdraw(path: string, isMeant: (approved: A) => boolean): A[] {
    const approved = this.read(path);
    const gone = approved.filter(isMeant);
    if (gone.length > 0)
      this.#write(
        path,
        approved.filter((each) => !gone.includes(each)),
      );
    return gone;
  }

  #write(path: string, approved: readonly A[]): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const beside = `${path}.${randomBytes(6).toString('hex')}`;
    writeFileSync(beside, `${JSON.stringify({ approved }, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(beside, path);
  }
}
