import { z } from 'zod';
import { chainHead } from './chain-head.ts';
import { pageOf, pageQuery } from './http.ts';
import { sessionId } from './ids.ts';

/** The ledgers whose rows are links of their session's chain. */
export const CHAINED_LEDGERS = [
  'usage',
  'act',
  'actOutcome',
  'actWitness',
  'breach',
  'breachOverride',
  'approvalRequest',
  'approvalDecision',
] as const;
export const chainedLedger = z.enum(CHAINED_LEDGERS);
export type ChainedLedger = z.infer<typeof chainedLedger>;

/** What is wrong with a chain or with a row that it holds. */
export const CHAIN_FAULTS = [
  'altered',
  'removed',
  'added',
  'gap',
  'broken',
  'cut',
  'rewritten',
] as const;
export const chainFinding = z.object({
  fault: z.enum(CHAIN_FAULTS),
  /** The link that tells; null of a row that no link holds. A link itself can be added, too. */
  number: z.int().nullable(),
  /** Null where the chain itself is meant. */
  ledger: chainedLedger.nullable(),
  /** The row's key in its ledger, as far as the session does not say it. */
  key: z.string().nullable(),
});
export type ChainFinding = z.infer<typeof chainFinding>;

/** Most findings that are told of one session; the rest is counted. */
export const FINDINGS_MAX = 50;

/** How the record of one session stands against its chain. */
export const sessionChain = z.object({
  sessionId,
  sessionTitle: z.string().nullable(),
  /** `unchained`: all its rows are older than the chain. `empty`: it has no row at all. */
  standing: z.enum(['holds', 'broken', 'unchained', 'empty']),
  /** Rows that were compared with their link. */
  rows: z.int(),
  /** Rows from before the chain began: nothing says whether they are what they were. */
  earlier: z.int(),
  /** When the chain began, Unix ms. */
  since: z.int().nullable(),
  head: chainHead.nullable(),
  findings: z.array(chainFinding).max(FINDINGS_MAX),
  /** How many there are, told or not. */
  faults: z.int(),
});
export type SessionChain = z.infer<typeof sessionChain>;
export const chainPage = pageOf(sessionChain);

/** Sessions that are compared for one page: each is read whole. */
export const CHAIN_PAGE_MAX = 50;
export const chainQuery = z.object({
  sessionId: sessionId.optional(),
  cursor: pageQuery.shape.cursor,
  limit: z.coerce.number().int().min(1).max(CHAIN_PAGE_MAX).default(20),
});

/** What was looked at all together: a check of nothing must not read like one that went well. */
export type ChainTally = {
  sessions: number;
  rows: number;
  earlier: number;
  broken: SessionChain[];
};

/** Sums up pages of sessions. */
export function tallyChains(chains: readonly SessionChain[]): ChainTally {
  const held = chains.filter(({ standing }) => standing === 'holds' || standing === 'broken');
  return {
    sessions: held.length,
    rows: held.reduce((sum, { rows }) => sum + rows, 0),
    earlier: chains.reduce((sum, { earlier }) => sum + earlier, 0),
    broken: chains.filter(({ standing }) => standing === 'broken'),
  };
}

const LEDGER_WORDS: Record<ChainedLedger, string> = {
  usage: 'usage',
  act: 'act',
  actOutcome: 'outcome of an act',
  actWitness: 'witness of an act',
  breach: 'breach',
  breachOverride: 'answer for a breach',
  approvalRequest: 'approval',
  approvalDecision: 'answer to an approval',
};

/** One finding as a sentence. */
export function sayFinding({ fault, number, ledger, key }: ChainFinding): string {
  const row = ledger === null ? 'row' : `${LEDGER_WORDS[ledger]} ${key ?? ''}`.trim();
  switch (fault) {
    case 'altered':
      return `Link ${number}: the ${row} is not what was recorded.`;
    case 'removed':
      return `Link ${number}: the ${row} was recorded and is gone.`;
    case 'added':
      if (number !== null) return `Link ${number} was never written by its session.`;
      return `The ${row} is in its ledger and was never recorded by its session.`;
    case 'gap':
      return `Link ${number} is missing.`;
    case 'broken':
      return `Link ${number} does not follow from the one before it: it, or their order, was changed.`;
    case 'cut':
      return `The chain ends before link ${number}, which its session has written.`;
    case 'rewritten':
      return `Link ${number} is not the one that its session has written.`;
    default:
      return fault satisfies never;
  }
}
