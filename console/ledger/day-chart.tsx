import { useQuery } from '@tanstack/react-query';
import type { UsageDay } from '../../protocol/usage-views.ts';
import type { Window } from '../api/queries.ts';
import { usageDaysQuery } from '../api/usage.ts';
import { plural } from '../format/count.ts';
import { formatCount, formatDay } from '../format/locale.ts';
import { formatMoney } from '../format/money.ts';
import { wordOfBucket, wordOfPayer } from '../format/spend.ts';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { type Bar, type Chart, layoutBars, type Panel, PANELS, type Series } from './day-bars.ts';

const TITLES: Record<Panel, string> = {
  charged: 'Charged, by day',
  notional: 'Notional, by day: list prices that a subscription pays',
};

const sayOf = ({ payer, bucket }: Series) =>
  bucket === 'notional'
    ? wordOfBucket(bucket).word
    : `${wordOfPayer(payer)}, ${wordOfBucket(bucket).word}`;
const fillOf = ({ payer, bucket }: Series) => `bar-${payer} bar-${bucket}`;

/** Spend by day as bars. Money and list prices have a panel each, for their sum would be neither. */
export function DayChart({ window }: { window: Window }) {
  const days = useQuery(usageDaysQuery(window));
  if (days.isPending) return <Skeleton label="Reading the days" rows={4} />;
  if (!days.data) return <ErrorPanel error={days.error} retry={() => void days.refetch()} />;
  return <DayPanels days={days.data} />;
}

/** A panel for each kind of dollars that there is; nothing where no figure has a price. */
export function DayPanels({ days }: { days: readonly UsageDay[] }) {
  return PANELS.map((panel) => {
    const chart = layoutBars(days, panel);
    return chart.topMicroUsd > 0 && <Bars key={panel} title={TITLES[panel]} chart={chart} />;
  });
}

function Bars({ title, chart }: { title: string; chart: Chart }) {
  const { bars, series, topMicroUsd } = chart;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <Section title={title}>
      <figure
        aria-label={`${title}: ${plural(bars.length, 'bar')}, the highest up to ${formatMoney(topMicroUsd)}`}
        className="rounded-md border bg-raised p-3"
      >
        {/* What it shows is in the table below it, for whoever does not see it. */}
        <div aria-hidden className="relative flex h-36 items-end gap-px border-b pl-14">
          {[1, 0.5].map((share) => (
            <span
              key={share}
              className="figure pointer-events-none absolute inset-x-0 border-t border-dashed text-xs text-faint"
              style={{ top: `${(1 - share) * 100}%` }}
            >
              {formatMoney(topMicroUsd * share)}
            </span>
          ))}
          {bars.map((bar) => (
            <span
              key={bar.key}
              title={describeBar(bar)}
              className="relative flex h-full max-w-10 min-w-px flex-1 flex-col-reverse hover:bg-sunken"
            >
              {bar.parts.map((part) => (
                <span
                  key={fillOf(part)}
                  className={fillOf(part)}
                  style={{ height: `${(part.microUsd / topMicroUsd) * 100}%` }}
                />
              ))}
            </span>
          ))}
        </div>
        <div className="figure flex max-w-full justify-between pt-1 pl-14 text-xs text-faint">
          <span>{formatDay(first?.key ?? '')}</span>
          {last !== first && <span>{formatDay(last?.key ?? '')}</span>}
        </div>
        <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
          {series.map((each) => (
            <span key={fillOf(each)} className="inline-flex items-center gap-1.5">
              <span aria-hidden className={`size-3 rounded-xs ${fillOf(each)}`} />
              {sayOf(each)}
            </span>
          ))}
          <span className="ml-auto text-faint">Days are in UTC</span>
        </figcaption>
        <details className="mt-2">
          <summary className="text-sm text-accent">As a table</summary>
          <div className="mt-2">
            <BarsTable title={title} chart={chart} />
          </div>
        </details>
      </figure>
    </Section>
  );
}

function BarsTable({ title, chart: { bars, series } }: { title: string; chart: Chart }) {
  const amountOf = ({ parts }: Bar, { payer, bucket }: Series) =>
    parts.find((part) => part.payer === payer && part.bucket === bucket)?.microUsd;
  return (
    <Table
      label={title}
      columns={['Day', ...series.map(sayOf), 'Without a price']}
      numeric={[...series.keys(), series.length].map((index) => index + 1)}
    >
      {bars
        .filter(({ microUsd, unpriced }) => microUsd > 0 || unpriced > 0)
        .toReversed()
        .map((bar) => (
          <tr key={bar.key}>
            <td className="figure">{formatDay(bar.key)}</td>
            {series.map((each) => {
              const amount = amountOf(bar, each);
              return (
                <td key={fillOf(each)} className="figure text-right">
                  {amount === undefined ? '—' : formatMoney(amount)}
                </td>
              );
            })}
            <td className="figure text-right">{bar.unpriced ? formatCount(bar.unpriced) : '—'}</td>
          </tr>
        ))}
    </Table>
  );
}

/** One bar in words, a line for each part. */
function describeBar({ key, parts, unpriced }: Bar): string {
  return [
    formatDay(key),
    ...parts.map((part) => `${formatMoney(part.microUsd)} ${sayOf(part)}`),
    ...(parts.length === 0 ? ['Nothing with a price'] : []),
    ...(unpriced > 0 ? [`${unpriced} without a known price`] : []),
  ].join('\n');
}
