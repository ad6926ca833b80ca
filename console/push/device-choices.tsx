import { PUSH_KINDS, PUSH_WORDS, type PushChoices, type QuietHours } from '../../protocol/push.ts';

const NIGHT = { from: 22 * 60, to: 7 * 60 };

/** Minutes after midnight as a time of day, and back. */
export const sayMinutes = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
const parseMinutes = (text: string): number | null => {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
};

type ChoicesProps = {
  choices: PushChoices;
  change: (choices: PushChoices) => void;
  disabled: boolean;
};

/** What one browser is told of, and in which hours it is left alone. */
export function DeviceChoices({ choices, change, disabled }: ChoicesProps) {
  const { kinds, quiet } = choices;
  return (
    <fieldset disabled={disabled} className="mt-1 grid gap-1 text-sm">
      {PUSH_KINDS.map((kind) => (
        <label key={kind} className="flex min-h-8 items-center gap-2">
          <input
            type="checkbox"
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              change({
                quiet,
                kinds: PUSH_KINDS.filter((each) =>
                  each === kind ? target.checked : kinds.includes(each),
                ),
              })
            }
          />
          {PUSH_WORDS[kind]}
        </label>
      ))}
      <label className="flex min-h-8 items-center gap-2">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={({ target }) =>
            change({
              kinds,
              quiet: target.checked
                ? { ...NIGHT, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
                : null,
            })
          }
        />
        Quiet hours
      </label>
      {quiet && <Hours quiet={quiet} change={(next) => change({ kinds, quiet: next })} />}
    </fieldset>
  );
}

function Hours({ quiet, change }: { quiet: QuietHours; change: (quiet: QuietHours) => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 pl-6 text-soft">
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="flex items-center gap-2">
          {end}
          <input
            type="time"
            aria-label={`Quiet ${end}`}
            className="rounded-md border bg-paper px-2 py-1"
            value={sayMinutes(quiet[end])}
            onChange={({ target }) => {
              const minutes = parseMinutes(target.value);
              if (minutes !== null) change({ ...quiet, [end]: minutes });
            }}
          />
        </label>
      ))}
      <span>{quiet.timeZone}. What comes then stands in the console.</span>
    </p>
  );
}
