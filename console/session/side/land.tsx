import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Landed, Landing, LandRequest } from '../../../protocol/land.ts';
import { describeSnapshot } from '../../../protocol/policy-words.ts';
import type { CheckoutReview } from '../../../protocol/review.ts';
import { titleOf } from '../../../protocol/launch.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { landChanges, sessionChangesKey } from '../../api/changes.ts';
import { cliTwin } from '../../format/cli.ts';
import { usePress } from '../../lib/use-press.ts';
import { Field, inputClass } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { FormEnd } from '../../ui/form-end.tsx';

const WAYS: readonly { value: Landing; label: string }[] = [
  { value: 'commit', label: 'On its branch' },
  { value: 'push', label: 'Push' },
  { value: 'pull_request', label: 'Pull request' },
];
const VERBS: Record<Landing, string> = {
  commit: 'Commit it',
  push: 'Push it',
  pull_request: 'Open a pull request',
};

/** Takes what was reviewed further: into a commit, to the remote, to a pull request. */
export function Land({ view, review }: { view: SessionView; review: CheckoutReview }) {
  const id = useId();
  const client = useQueryClient();
  const { sessionId, checkout, launch } = view;
  // An open session has no gate: its branch is pushed by hand.
  const gated = checkout?.grade !== undefined && checkout.grade.grade !== 'open';
  const [chosen, setHow] = useState<Landing>(gated ? 'pull_request' : 'commit');
  const [message, setMessage] = useState(titleOf(launch.objective, 72));
  const landing = usePress({
    mutationFn: async (request: LandRequest) => ({
      request,
      landed: await landChanges(sessionId, request),
    }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionChangesKey(sessionId) }),
  });
  const uncommitted = review.uncommittedFiles > 0;
  const last = landing.data;
  const result = last && <Result landed={last.landed} />;
  // These files go no further than into a pull request.
  const over = last?.request.tree === review.tree && last.request.how === 'pull_request';
  if (over || (!gated && !uncommitted)) return result;
  const ways = uncommitted ? WAYS : WAYS.slice(1);
  const how = ways.some(({ value }) => value === chosen) ? chosen : 'pull_request';
  // A push of what is committed already has nothing to be called.
  const spoken = uncommitted || how === 'pull_request';
  const land = () => landing.mutate({ tree: review.tree, how, message });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    land();
  };
  return (
    <>
      {result}
      <form aria-label="Land it" onSubmit={submit} className="mt-3 rounded-md border p-3">
        {gated && (
          <Segmented label="How far it goes" value={how} options={ways} onChoose={setHow} />
        )}
        {spoken && (
          <div className="mt-2">
            <Field id={`${id}-message`} label={uncommitted ? 'Message of the commit' : 'Title'}>
              <textarea
                id={`${id}-message`}
                rows={2}
                value={message}
                maxLength={10_000}
                onChange={(event) => setMessage(event.target.value)}
                className={`${inputClass()} field-sizing-content h-auto min-h-14 py-1.5`}
              />
            </Field>
          </div>
        )}
        {how !== 'commit' && (
          <p className="mb-2 text-sm text-soft">{describeSnapshot(launch.policy).join(' ')}</p>
        )}
        <FormEnd
          press={landing}
          retry={land}
          reason={message.trim() === '' ? 'Say what it does first.' : null}
          command={cliTwin.land(sessionId, message, how)}
        >
          {VERBS[how]}
        </FormEnd>
      </form>
    </>
  );
}

function Result({
  landed: { branch, commit, committed, pushed, pullRequest },
}: {
  landed: Landed;
}) {
  return (
    <output className="mt-3 block rounded-md border p-3">
      <p>
        {committed ? 'Committed as' : 'It is at'} <code>{commit.slice(0, 12)}</code> on{' '}
        <code className="break-all">{branch}</code>, in your repository too
        {pushed && ', and pushed'}.
      </p>
      {pullRequest !== null && (
        <p className="mt-1">
          <a href={pullRequest} target="_blank" rel="noreferrer" className="text-accent underline">
            {pullRequest}
          </a>
        </p>
      )}
    </output>
  );
}
