import { createHash } from 'node:crypto';
import { ruleIdOf } from './sarif-rules.ts';
import { type Told } from './told.ts';

/**
 * What makes a finding the same one after lines moved: its rule, its file and its text, without
 * the line. Equal ones in a file are told apart by their order.
 */
export function sarifFingerprints(told: readonly Told[]): string[] {
  const seen = new Map<string, number>();
  return told.map((each) => {
    const { place, excerpt, message } = each.finding;
    const identity = JSON.stringify([ruleIdOf(each), place?.path ?? null, excerpt ?? message]);
    const occurrence = seen.get(identity) ?? 0;
    seen.set(identity, occurrence + 1);
    return createHash('sha256').update(`${identity}#${occurrence}`).digest('hex').slice(0, 32);
  });
}
