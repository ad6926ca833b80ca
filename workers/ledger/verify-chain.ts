import { getTableName } from 'drizzle-orm';
import {
  CHAINED_LEDGERS,
  type ChainedLedger,
  type ChainFinding,
  FINDINGS_MAX,
  type SessionChain,
} from '../../protocol/chain.ts';
import type { ChainEnds } from '../../protocol/chain-head.ts';
import type { AccountId, SessionId } from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { CHAINED, type ChainLink, hashLink, hashRow, keyOf, type StoredRow } from './chain.ts';

type Owner = { accountId: AccountId; sessionId: SessionId };
/** What the database holds of one session: its chain, and its rows by ledger. */
export type HeldRecord = {
  links: readonly ChainLink[];
  rows: Readonly<Record<ChainedLedger, readonly StoredRow[]>>;
};

/**
 * Compares the record of one session with its chain. The session is asked where its chain ends
 * before the database is read, since less may not be there, and where more is there once again
 * after it, since the session may have gone on meanwhile.
 */
export async function verifyChain(
  database: Database,
  { accountId, sessionId, title }: Owner & { title: string | null },
  readEnds: () => Promise<ChainEnds>,
): Promise<SessionChain> {
  const before = await readEnds();
  const held = await readHeld(database, { accountId, sessionId });
  const [first] = held.links;
  const last = held.links.at(-1);
  const reaches = last === undefined || last.number <= (before.begun?.number ?? -1);
  const { begun } = reaches ? before : await readEnds();
  const { rows, earlier, findings } = await compare(held, { settled: before.settled, begun });
  const chained = held.links.length > 0 || findings.length > 0;
  return {
    sessionId,
    sessionTitle: title,
    standing: chained
      ? findings.length === 0
        ? 'holds'
        : 'broken'
      : earlier > 0
        ? 'unchained'
        : 'empty',
    rows,
    earlier,
    since: first?.ledger === 'genesis' ? first.at : null,
    head: last ? { number: last.number, hash: last.hash } : null,
    findings: findings.slice(0, FINDINGS_MAX),
    faults: findings.length,
  };
}

/** In one batch, so that a page that is written meanwhile is seen whole or not at all. */
async function readHeld(database: Database, { accountId, sessionId }: Owner): Promise<HeldRecord> {
  const d1 = database.$client;
  const select = (table: string) =>
    d1
      .prepare(`SELECT * FROM ${table} WHERE account_id = ? AND session_id = ?`)
      .bind(accountId, sessionId);
  const [links, ...ledgers] = await d1.batch<StoredRow>([
    d1
      .prepare(
        `SELECT account_id AS accountId, actor_id AS actorId, session_id AS sessionId, position, at, number, ledger,
           row_key AS rowKey, row_sha256 AS rowSha256, hash
         FROM chain_links WHERE account_id = ? AND session_id = ? ORDER BY number`,
      )
      .bind(accountId, sessionId),
    ...CHAINED_LEDGERS.map((ledger) => select(getTableName(CHAINED[ledger].table))),
  ]);
  const rows = CHAINED_LEDGERS.map((ledger, index) => [ledger, ledgers[index]?.results ?? []]);
  return {
    links: (links?.results ?? []) as unknown as ChainLink[],
    rows: Object.fromEntries(rows) as HeldRecord['rows'],
  };
}

/** Everything that is wrong with a record, in the order of its chain; pure but for the hashing. */
export async function compare(
  { links, rows }: HeldRecord,
  ends: ChainEnds,
): Promise<{ rows: number; earlier: number; findings: ChainFinding[] }> {
  const findings = await followLinks(links, ends);
  const [first] = links;
  // Without a beginning nothing says which rows are older than the chain.
  const after =
    first?.ledger === 'genesis' ? first.position : ends.settled || first ? -1 : Infinity;
  const byRow = firstLinks(links);
  let compared = 0;
  let earlier = 0;
  for (const ledger of CHAINED_LEDGERS) {
    for (const row of rows[ledger]) {
      const key = keyOf(ledger, row);
      const link = byRow.get(`${ledger} ${key}`);
      byRow.delete(`${ledger} ${key}`);
      if (link) {
        compared += 1;
        if (link.rowSha256 !== (await hashRow(row)))
          findings.push({ fault: 'altered', number: link.number, ledger, key });
      } else if (Number(row['position']) > after) {
        findings.push({ fault: 'added', number: null, ledger, key });
      } else earlier += 1;
    }
  }
  for (const { ledger, number, rowKey } of byRow.values())
    if (ledger !== 'genesis') findings.push({ fault: 'removed', number, ledger, key: rowKey });
  return {
    rows: compared,
    earlier,
    findings: findings.toSorted((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity)),
  };
}

/** A row whose key comes again is not written again, so the first link of a key is the row's. */
function firstLinks(links: readonly ChainLink[]): Map<string, ChainLink> {
  const first = new Map<string, ChainLink>();
  for (const link of links) {
    const name = `${link.ledger} ${link.rowKey}`;
    if (link.ledger !== 'genesis' && !first.has(name)) first.set(name, link);
  }
  return first;
}

/** Whether each link follows from the one before it, and the chain ends where its session says. */
async function followLinks(
  links: readonly ChainLink[],
  { settled, begun }: ChainEnds,
): Promise<ChainFinding[]> {
  const findings: ChainFinding[] = [];
  const found = (fault: ChainFinding['fault'], number: number) =>
    findings.push({ fault, number, ledger: null, key: null });
  let expected = 0;
  let before = '';
  for (const { hash, ...link } of links) {
    const whole = link.number === expected;
    if (!whole) found('gap', expected);
    else if (hash !== (await hashLink(before, link))) found('broken', link.number);
    if (settled?.number === link.number && settled.hash !== hash) found('rewritten', link.number);
    if (link.number > (begun?.number ?? -1)) found('added', link.number);
    expected = link.number + 1;
    before = hash;
  }
  if (settled && settled.number >= expected) found('cut', settled.number);
  return findings;
}
