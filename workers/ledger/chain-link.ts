import { type Column, sql } from 'drizzle-orm';
import { chainHead, type ChainHead } from '../../protocol/chain-head.ts';
import type { ChainedLedger } from '../../protocol/chain.ts';
import { chainLinks } from '../db/schema.ts';

/** The link of a row in the chain of its session, as JSON; null where it is older than the chain. */
export const linkOf = (ledger: ChainedLedger, session: Column, key: Column) => sql<string | null>`(
  SELECT json_object('number', number, 'hash', hash) FROM ${chainLinks} AS link
  WHERE link.session_id = ${session} AND link.ledger = ${ledger} AND link.row_key = ${key}
  ORDER BY number LIMIT 1
)`;

/** What `linkOf` read. */
export const parseLink = (text: string | null): ChainHead | undefined =>
  text === null ? undefined : chainHead.parse(JSON.parse(text));
