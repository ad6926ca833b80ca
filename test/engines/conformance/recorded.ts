import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, CHECKS, type Row } from './matrix.ts';
import { proof, type Proof, PROOFS } from './proof.ts';

export const placeOf = (key: string): string => `${PROOFS}/${key}.json`;

/** The recorded pass of an engine by its key; null where there is none, or it is no record of it. */
export function readProof(root: string, key: string): Proof | null {
  const path = join(root, placeOf(key));
  if (!existsSync(path)) return null;
  const parsed = proof.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  return parsed.success && parsed.data.engine === key ? parsed.data : null;
}

/**
 * Why this check of a row does not count as proven in this version, in words; null where a recorded
 * run proves it, or where there is nothing to prove.
 */
export function findUnrecorded(
  check: Check,
  row: Row,
  passed: Proof | null,
  version: string | null,
): string | null {
  const cell = row[check];
  if (cell.by === 'nothing' || cell.by === 'gap') return null;
  const run = cell.by === 'suite' ? passed : (passed?.beside?.[check] ?? null);
  if (run === null) return 'no passing run of it is recorded';
  if (run.version !== version) return `it passed in version ${run.version}`;
  return cell.by === 'test' && !run.passed.includes(cell.title)
    ? `the recorded run did not have “${cell.title}”`
    : null;
}

/** Every check that the matrix says a test beside the suite proves, and that no record does. */
export function findUnrecordedChecks(
  row: Row,
  passed: Proof,
  version: string | null,
): { check: Check; file: string; why: string }[] {
  return (Object.keys(CHECKS) as Check[]).flatMap((check) => {
    const cell = row[check];
    const why = findUnrecorded(check, row, passed, version);
    return why !== null && cell.by === 'test' ? [{ check, file: cell.file, why }] : [];
  });
}
