import type { AdrFinding, AdrWaiver } from '../../protocol/adr-report.ts';
import { cx } from '../lib/class-names.ts';
import { useNow } from '../lib/use-now.ts';
import { CopyButton } from '../ui/copy.tsx';
import { LongText } from './long-text.tsx';
import { ShowMore, useMore } from './show-more.tsx';
import { showInvisible } from './visible.ts';
import { decideWaiver } from './waiver.ts';

/** What stands comes before what is waived, each in the report's own order. */
function sortFindings(findings: readonly AdrFinding[]): AdrFinding[] {
  return findings.toSorted((a, b) => Number(a.waiver !== null) - Number(b.waiver !== null));
}

/** Where something was found, what is wrong there, and what it looks like. */
export function Findings({
  findings,
  label,
  failing = true,
}: {
  findings: readonly AdrFinding[];
  label: string;
  /** Whether they fail the build, as an advice does not. */
  failing?: boolean;
}) {
  const more = useMore(sortFindings(findings), 50, 200);
  if (findings.length === 0) return null;
  return (
    <>
      <ol aria-label={label} className="mt-2 space-y-2">
        {more.shown.map((finding, index) => (
          <FindingItem key={index} finding={finding} failing={failing} />
        ))}
      </ol>
      <ShowMore more={more} what="findings" />
    </>
  );
}

function FindingItem({ finding, failing }: { finding: AdrFinding; failing: boolean }) {
  const { place, message, excerpt, waiver } = finding;
  return (
    <li
      className={cx(
        'border-l-2 pl-3',
        failing && waiver === null ? 'border-red-line' : 'border-line-strong',
      )}
    >
      {place && <Place place={place} />}
      <p className="break-words">
        <LongText text={message} />
      </p>
      {excerpt !== null && (
        <pre className="mt-1 max-h-60 overflow-auto rounded-sm bg-sunken px-2 py-1 text-sm">
          <LongText text={excerpt} />
        </pre>
      )}
      {waiver && <WaiverLine waiver={waiver} />}
    </li>
  );
}

function Place({ place }: { place: NonNullable<AdrFinding['place']> }) {
  const { path, line, column } = place;
  const at = [path, line, line === null ? null : column].filter((part) => part !== null).join(':');
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 text-sm break-all">{showInvisible(at)}</code>
      <CopyButton text={at} label="Copy the place" />
    </span>
  );
}

function WaiverLine({ waiver }: { waiver: AdrWaiver }) {
  const { kind, words } = decideWaiver(waiver, useNow('minute'));
  return (
    <p className="mt-1 text-sm text-soft" data-waiver={kind}>
      <span
        className={cx(
          'mr-2 rounded-sm border px-1 text-xs whitespace-nowrap',
          kind === 'standing' && 'border-line-strong',
          kind === 'soon' && 'border-amber-line bg-amber-wash text-amber',
          kind === 'expired' && 'border-red-line bg-red-wash text-red',
        )}
      >
        {words}
      </span>
      by {showInvisible(waiver.owner)}: <LongText text={waiver.reason} />
    </p>
  );
}
