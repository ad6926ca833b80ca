import type { AdrWaiver } from '../../../protocol/adr-report.ts';
import { type Finding, found } from '../finding.ts';
import type { Waiver } from '../records/record.ts';
import { matcherOf } from '../tree/globs.ts';

/**
 * Gives each finding the waiver that lets it stand. A waiver whose day is over lets nothing stand
 * and is a finding itself; one that nothing needs any more is too, when the rule looked at all.
 * `today` is a date (`2026-11-29`); the day of expiry is the last one on which a waiver holds.
 */
export function applyWaivers(
  findings: readonly Finding[],
  waivers: readonly Waiver[],
  recordPath: string,
  today: string,
  complete: boolean,
): Finding[] {
  const rows = waivers.map((waiver) => ({
    ...waiver,
    covers: matcherOf([waiver.path]),
    used: false,
  }));
  const judged = findings.map((finding) => {
    const path = finding.place?.path;
    const row = rows.find((one) => path !== undefined && one.covers(path));
    if (!row) return finding;
    row.used = true;
    if (row.expires < today) return finding;
    const { owner, reason, expires } = row;
    const waiver: AdrWaiver = { owner, reason, expires };
    return { ...finding, waiver };
  });
  const stale = rows.flatMap((row): Finding[] => {
    const at = { path: recordPath, line: row.line };
    if (row.used && row.expires < today) {
      return [
        found(
          at,
          `The waiver of ${row.owner} for ${row.path} ended on ${row.expires} (${row.reason}). Mend what it covered, or agree on a new day.`,
        ),
      ];
    }
    if (row.used || !complete) return [];
    return [
      found(
        at,
        `The waiver of ${row.owner} for ${row.path} waives nothing. Take it out of the record.`,
      ),
    ];
  });
  return [...judged, ...stale];
}

const LONG_MS = 366 * 24 * 60 * 60 * 1000;

/**
 * What a reviewer wants to know of waivers that hold for more than a year: nobody will remember
 * them. Told and no fault, because only people can say how long mending takes. Null when there is
 * none.
 */
export function tellLongWaivers(waivers: readonly Waiver[], today: string): string | null {
  const long = waivers.filter(({ expires }) => Date.parse(expires) - Date.parse(today) > LONG_MS);
  if (long.length === 0) return null;
  const rows = long.map(({ owner, path, expires }) => `${owner}'s for ${path} (until ${expires})`);
  return `Waived for more than a year: ${rows.join(', ')}.`;
}
