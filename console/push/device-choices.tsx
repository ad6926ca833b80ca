import { timeZoneHere } from '../format/locale.ts';
import {
  PUSH_KINDS,
  PUSH_WORDS,
  type PushChoices,
  type PushKind,
  type QuietHours,
} from '../../protocol/push.ts';
import { Button } from '../ui/button.tsx';
import { Time } from './time-of-day.tsx';

const NIGHT = { from: 22 * 60, to: 7 * 60 };

type ChoicesProps = {
  choices: PushChoices;
  /** Told of since they came, which was after the choice. */
  added: readonly PushKind[];
  change: (choices: PushChoices) => void;
};

/** What one browser is told of, and in which hours it is left alone. */
export function DeviceChoices({ choices, added, change }: ChoicesProps) {
  const { kinds, quiet } = choices;
  return (
    <fieldset className="mt-1 grid gap-1 text-sm">
      {added.length > 0 && (
        <p role="note" className="flex flex-wrap items-center gap-2 text-accent">
          New since this was chosen, and told of too:{' '}
          {added.map((kind) => PUSH_WORDS[kind]).join('; ')}. Take out what you do not want.
          <Button size="small" kind="quiet" onClick={() => change({ kinds, quiet })}>
            Keep it so
          </Button>
        </p>
      )}
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
              quiet: target.checked ? { ...NIGHT, timeZone: timeZoneHere() } : null,
            })
          }
        />
        Quiet hours
      </label>
      {quiet && <Hours quiet={quiet} change={(next) => change({ kinds, quiet: next })} />}
    </fieldset>
  );
}

type HoursProps = { quiet: QuietHours; change: (quiet: QuietHours) => void };

function Hours({ quiet, change }: HoursProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 pl-6 text-soft">
      {(['from', 'to'] as const).map((end) => (
        <label key={end} className="flex items-center gap-2">
          {end}
          <Time
            label={`Quiet ${end}`}
            minutes={quiet[end]}
            change={(minutes) => change({ ...quiet, [end]: minutes })}
          />
        </label>
      ))}
      <span>{quiet.timeZone}. What comes then stands in the console.</span>
    </p>
  );
}
