import { turnBellOff, turnBellOn, useBell } from './notifications.ts';

/** Whether the browser tells what needs a person while they look elsewhere; off until asked for. */
export function BellChoice() {
  const bell = useBell();
  if (bell === 'missing')
    return (
      <Line>This browser shows no notifications here. Open the console by https or localhost.</Line>
    );
  if (bell === 'denied')
    return (
      <Line>The browser refuses notifications of this console. Allow them in its settings.</Line>
    );
  return (
    <label className="flex min-h-10 items-center gap-2 px-2 text-sm">
      <input
        type="checkbox"
        checked={bell === 'on'}
        onChange={() => (bell === 'on' ? turnBellOff() : void turnBellOn())}
      />
      Notify me while I look elsewhere
    </label>
  );
}

const Line = ({ children }: { children: string }) => (
  <p className="px-2 py-2 text-sm text-faint">{children}</p>
);
