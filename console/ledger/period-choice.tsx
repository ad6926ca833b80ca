import { useId } from 'react';
import { Segmented } from '../ui/segmented.tsx';
import { dayOf, type Period, WINDOWS, type WindowName } from './window.ts';

const FIELD = 'h-8 rounded-md border border-line-strong bg-raised px-2';

type PeriodChoiceProps = {
  period: Period;
  usual: Exclude<WindowName, 'dates'>;
  nowMs: number;
  choose: (period: Period) => void;
};

/** Which time is looked at. It is in the address, so that a link shows the same. */
export function PeriodChoice({ period, usual, nowMs, choose }: PeriodChoiceProps) {
  const id = useId();
  const pick = (time: WindowName) => {
    if (time === 'dates') choose({ time, from: dayOf(nowMs), to: dayOf(nowMs) });
    else choose({ time: time === usual ? undefined : time, from: undefined, to: undefined });
  };
  return (
    <span className="flex flex-wrap items-center gap-2 sm:justify-end print:hidden">
      {period.time === 'dates' && (
        <>
          <label htmlFor={`${id}-from`} className="text-sm text-soft">
            From
          </label>
          <input
            id={`${id}-from`}
            type="date"
            value={period.from ?? ''}
            max={period.to}
            onChange={(event) => choose({ ...period, from: event.target.value || undefined })}
            className={FIELD}
          />
          <label htmlFor={`${id}-to`} className="text-sm text-soft">
            to
          </label>
          <input
            id={`${id}-to`}
            type="date"
            value={period.to ?? ''}
            min={period.from}
            onChange={(event) => choose({ ...period, to: event.target.value || undefined })}
            className={FIELD}
          />
        </>
      )}
      <Segmented label="Time" value={period.time ?? usual} options={WINDOWS} onChoose={pick} />
    </span>
  );
}
