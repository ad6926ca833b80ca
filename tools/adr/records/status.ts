import { adrSaidStatus, type AdrSaidStatus, type AdrStatus } from '../../../protocol/adr-report.ts';

/** What a status line says: the status itself and the records it names. */
export type StatusWords = { status: AdrSaidStatus; supersedes: string[]; supersededBy: string[] };

/** A record's number as it is written: four digits, leading zeros kept. */
export function formatId(number: number): string {
  return String(number).padStart(4, '0');
}

/** The records that a text names: `ADR-0005`, `[5. Title](0005-title.md)`, `0005`, `5`. */
export function parseRecordIds(text: string): string[] {
  const links = [...text.matchAll(/\]\([^)]*?(\d{1,5})-[^)]*\)/g)].map((match) => match[1]);
  if (links.length > 0) return unique(links);
  return unique([...text.matchAll(/\b(?:ADR[- ]?)?(\d{1,5})\b/gi)].map((match) => match[1]));
}

const unique = (numbers: readonly (string | undefined)[]): string[] => [
  ...new Set(numbers.map((digits) => formatId(Number(digits)))),
];

/**
 * Reads a status as MADR and Nygard write it, such as `accepted`, `Superseded by ADR-0005` or
 * several lines of which one says `Supersedes [2. Title](0002-title.md)`. Null when none of the
 * five states is said.
 */
export function parseStatus(text: string): StatusWords | null {
  const supersedes: string[] = [];
  const supersededBy: string[] = [];
  let status: AdrSaidStatus | null = null;
  for (const line of text.split('\n')) {
    const words = line.trim();
    if (words === '') continue;
    if (/^supersedes\b/i.test(words)) supersedes.push(...parseRecordIds(words));
    else if (/^superse?c?ded\s+by\b/i.test(words)) {
      supersededBy.push(...parseRecordIds(words));
      status = 'superseded';
    } else {
      const first = /^[a-z]+/i.exec(words.replaceAll(/[*_]/g, ''))?.[0]?.toLowerCase();
      const known = adrSaidStatus.safeParse(first === 'superceded' ? 'superseded' : first);
      // The last word said is the present one, except that "superseded" stands.
      if (known.success && status !== 'superseded') status = known.data;
    }
  }
  return status && { status, supersedes, supersededBy };
}

const NEXT: Record<AdrSaidStatus, readonly AdrSaidStatus[]> = {
  proposed: ['accepted', 'rejected', 'superseded'],
  accepted: ['deprecated', 'superseded'],
  deprecated: ['superseded'],
  rejected: [],
  superseded: [],
};

/** Decides whether a record may go from one status to another. */
export function decideTransition(from: AdrSaidStatus, to: AdrSaidStatus): boolean {
  return from === to || NEXT[from].includes(to);
}

/**
 * Whether a record can have come from one status to another, over others in between. What is not
 * known could have been anything.
 */
export function isReachable(from: AdrStatus, to: AdrStatus): boolean {
  if (from === 'unknown' || to === 'unknown') return true;
  return decideTransition(from, to) || NEXT[from].some((next) => isReachable(next, to));
}

/** Whether a record's rules are in force. */
export function isInForce(status: AdrStatus): boolean {
  return status === 'accepted';
}
