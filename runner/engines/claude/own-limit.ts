/**
 * Claude's own limit in dollars, of one process: it counts what that process spends, from zero also
 * where it resumes a conversation, and begins no call once it is reached. `microUsd` null or absent
 * is none. Source: 2.1.332 against a model API on loopback (ADR 0056).
 */
export const ownLimit = (microUsd: number | null | undefined): string[] =>
  typeof microUsd === 'number' ? ['--max-budget-usd', String(microUsd / 1_000_000)] : [];
