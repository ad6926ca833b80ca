import { useState } from 'react';

/** Minutes after midnight as a time of day, and back. */
export const sayMinutes = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const parseMinutes = (text: string): number | null => {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
};

type TimeProps = { label: string; minutes: number; change: (minutes: number) => void };

/** A time of day. Each digit makes another one, so it counts once it is left or entered. */
export function Time({ label, minutes, change }: TimeProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const enter = () => {
    const next = parseMinutes(typed ?? '');
    setTyped(null);
    if (next !== null && next !== minutes) change(next);
  };
  return (
    <input
      type="time"
      aria-label={label}
      className="rounded-md border bg-paper px-2 py-1"
      value={typed ?? sayMinutes(minutes)}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={enter}
      onKeyDown={({ key }) => key === 'Enter' && enter()}
    />
  );
}
