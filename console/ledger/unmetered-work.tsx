import type { SelfReported as Reported } from '../../protocol/drive-report.ts';
import type { UnmeteredWork as Work } from '../../protocol/http.ts';
import { describeSelfReported } from '../../protocol/unmetered-words.ts';
import { plural } from '../format/count.ts';
import { OWN_FORM } from '../format/locale.ts';
import { wordOfBucket } from '../format/spend.ts';
import { Ago } from '../ui/time.tsx';

/** What no figure on the page holds: said beside them, and never added. Nothing where all is told. */
export function UnmeteredWork({ unmetered }: { unmetered: Work | undefined }) {
  if (!unmetered || unmetered.drives === 0) return null;
  const { drives, aiCliDrives, instances, lastAt, windowDays } = unmetered;
  const { glyph, word } = wordOfBucket('unmetered');
  return (
    <p
      role="note"
      className="mb-6 rounded-md border border-dashed border-line-strong px-3 py-2 text-soft"
    >
      <span aria-hidden>{glyph}</span> <span className="font-medium text-ink">{word}</span>:{' '}
      {plural(instances, 'operator')} wrote {plural(drives, 'time')} into terminals in the last{' '}
      {plural(windowDays, 'day')}, {aiCliDrives === 0 ? 'never' : plural(aiCliDrives, 'time')} into
      the command line of an AI. What that cost cannot be known, and is in no sum here.
      {lastAt !== null && (
        <>
          {' '}
          The last was <Ago at={lastAt} />.
        </>
      )}
    </p>
  );
}

/** What programs in terminals said of their own cost: a third thing, and in no sum either. */
export function SelfReported({ selfReported }: { selfReported: Reported | undefined }) {
  if (!selfReported) return null;
  return (
    <p
      role="note"
      className="mb-6 rounded-md border border-dashed border-line-strong px-3 py-2 text-soft"
    >
      <span aria-hidden>◌</span> <span className="font-medium text-ink">self-reported</span>:{' '}
      {describeSelfReported(selfReported, OWN_FORM)}
    </p>
  );
}
