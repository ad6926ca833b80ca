import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RunnerSummary } from '../../protocol/http.ts';
import { KEPT_MS, type MachineKept } from '../../protocol/retention.ts';
import { usableRunnersQuery } from '../api/queries.ts';
import { formatSpan } from '../format/time.ts';
import { paths } from '../paths.ts';
import { Command } from '../ui/copy.tsx';
import { Section } from '../ui/page.tsx';

const FOR_GOOD = 'for good';
/** Where a machine’s limits stand as long as nobody has written any. */
const USUAL_SOURCE = '~/.config/pilothouse/limits.toml';
const EXAMPLE = '[keep]\ncheckout_days = 14\noutput_days = 30\nimage_days = 30';

type Row = { what: string; span: string; of?: keyof MachineKept };

/** What goes by itself, and what never does. `of`: a machine may say otherwise. */
const ROWS: readonly Row[] = [
  { what: 'Records of sessions, with their images, and every ledger', span: FOR_GOOD },
  {
    what: 'A session’s own checkout, once the session is over',
    span: formatSpan(KEPT_MS.checkout),
    of: 'checkout',
  },
  {
    what: 'The rest of a long tool output, on its machine',
    span: formatSpan(KEPT_MS.output),
    of: 'output',
  },
  { what: 'Copies of images, on their machine', span: formatSpan(KEPT_MS.image), of: 'image' },
  { what: 'Images that no instruction took', span: formatSpan(KEPT_MS.unusedImage) },
  {
    what: 'Ended terminals of operators, unless limits.toml says otherwise',
    span: formatSpan(KEPT_MS.terminal),
  },
];

/** How long things are kept: nothing that was spent or done is ever deleted. */
export function Kept() {
  const { data: runners = [] } = useQuery(usableRunnersQuery);
  return (
    <Section title="What is kept">
      <p className="mb-3 text-soft">
        Nothing that was spent or done is ever deleted. A checkout goes only where its work is
        elsewhere too; what it would lose is told on{' '}
        <Link to={paths.machines()} className="text-accent">
          Machines
        </Link>
        , where you can remove it earlier.
      </p>
      <dl className="divide-y rounded-md border">
        {ROWS.map(({ what, span, of }) => (
          <div key={what} className="flex items-baseline justify-between gap-4 px-3 py-2">
            <dt>{what}</dt>
            <dd className="figure shrink-0 text-right text-soft">
              {span}
              {of &&
                saidOtherwise(runners, of).map(({ name, ms }) => (
                  <span key={name} className="block text-sm">
                    {name}: {formatSpan(ms)}
                  </span>
                ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 mb-2 text-sm text-soft">
        What lies on a machine is kept for as long as that machine says. Choose there, in{' '}
        {placesOf(runners).map((place, index) => (
          <span key={place}>
            {index > 0 && ' or '}
            <code>{place}</code>
          </span>
        ))}
        ; it counts at once:
      </p>
      <Command text={EXAMPLE} label="Copy the lines" />
    </Section>
  );
}

/** The machines that keep something for another time than usual. */
function saidOtherwise(runners: readonly RunnerSummary[], of: keyof MachineKept) {
  return runners.flatMap(({ name, machine }) => {
    const ms = machine?.limits.kept?.[of];
    return ms === undefined || ms === KEPT_MS[of] ? [] : [{ name, ms }];
  });
}

function placesOf(runners: readonly RunnerSummary[]): string[] {
  const places = runners.map(({ machine }) => machine?.limits.source ?? USUAL_SOURCE);
  return [...new Set(places.length === 0 ? [USUAL_SOURCE] : places)];
}
