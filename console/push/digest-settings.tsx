import { timeZoneHere } from '../format/locale.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DigestChoice } from '../../protocol/digest.ts';
import type { PushView } from '../../protocol/push-view.ts';
import { PUSH_KEY, pushQuery, saveDigest } from '../api/push.ts';
import { cliTwin } from '../format/cli.ts';
import { offerUndo } from '../lib/undo.ts';
import { Command } from '../ui/copy.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { sayMinutes, Time } from './time-of-day.tsx';

const MORNING = 8 * 60;

/** Those from before there was a digest do not have it among what they are told of. */
const isToldAnywhere = ({ devices, webhook }: PushView): boolean =>
  [...devices, ...(webhook ? [webhook] : [])].some(({ kinds }) => kinds.includes('digest'));

/** Whether and when one message a day tells what happened. */
export function DigestSettings() {
  const { data } = useQuery(pushQuery);
  const client = useQueryClient();
  const save = useMutation({
    scope: { id: 'digest' },
    mutationFn: (choice: DigestChoice | null) => saveDigest(choice),
    onSuccess: (_, saved) => {
      const was = data?.digest ?? null;
      if (saved === null && was)
        offerUndo({ said: 'No digest comes any more.', undo: () => saveDigest(was) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: PUSH_KEY }),
  });
  const choice = save.isPending ? save.variables : (data?.digest ?? null);
  const timeZone = timeZoneHere();
  return (
    <Section
      title="Morning digest"
      aside={
        <Link to="/digest" className="text-sm text-accent">
          Read it
        </Link>
      }
    >
      <p className="mb-3 text-soft">
        Once a day, to the browsers and the webhook that are told of it: what finished, what it
        cost, what counts, and what waits for you. Nothing comes where there is nothing to say.
      </p>
      {data && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <label className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={choice !== null}
              onChange={({ target }) =>
                save.mutate(target.checked ? { at: MORNING, timeZone } : null)
              }
            />
            Tell me each day
          </label>
          {choice && (
            <span className="flex flex-wrap items-center gap-2 text-soft">
              at
              <Time
                label="Time of the digest"
                minutes={choice.at}
                change={(at) => save.mutate({ ...choice, at })}
              />
              {choice.timeZone}
            </span>
          )}
        </div>
      )}
      {data && choice && !isToldAnywhere(data) && (
        <p className="mt-1 text-amber">
          No browser and no webhook is told of it: choose it with one of them.
        </p>
      )}
      {save.error && <ErrorPanel error={save.error} />}
      <div className="mt-2">
        <Command
          text={cliTwin.digest(
            choice ? sayMinutes(choice.at) : '08:00',
            choice?.timeZone ?? timeZone,
          )}
        />
      </div>
    </Section>
  );
}
