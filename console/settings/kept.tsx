import { Link } from '@tanstack/react-router';
import { KEPT_MS } from '../../protocol/retention.ts';
import { formatSpan } from '../format/time.ts';
import { paths } from '../paths.ts';
import { Section } from '../ui/page.tsx';

const FOR_GOOD = 'for good';

/** What goes by itself, and what never does. */
const ROWS = [
  ['Records of sessions, with their images, and every ledger', FOR_GOOD],
  ['A session’s own checkout, once the session is over', formatSpan(KEPT_MS.checkout)],
  ['The rest of a long tool output, on its machine', formatSpan(KEPT_MS.output)],
  ['Copies of images, on their machine', formatSpan(KEPT_MS.image)],
  ['Images that no instruction took', formatSpan(KEPT_MS.unusedImage)],
  ['Ended terminals of operators, unless limits.toml says otherwise', formatSpan(KEPT_MS.terminal)],
] as const;

/** How long things are kept: nothing that was spent or done is ever deleted. */
export function Kept() {
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
        {ROWS.map(([what, span]) => (
          <div key={what} className="flex items-baseline justify-between gap-4 px-3 py-2">
            <dt>{what}</dt>
            <dd className="figure shrink-0 text-soft">{span}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
