import { useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useId, useState } from 'react';
import {
  type BreachView,
  describeBreach,
  overrideReason,
  REASON_MAX_CHARS,
  undoLines,
} from '../../protocol/breach.ts';
import { OPERATORS_KEY } from '../api/operators.ts';
import { OPEN_BREACHES_KEY } from '../api/audit.ts';
import { overrideBreach } from '../api/requests.ts';
import { tellError } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { inputClass } from '../ui/field.tsx';
import { Ago } from '../ui/time.tsx';
import { Words } from '../ui/words.tsx';

/** What a session or an operator did that the policy forbids: what exactly, how to undo it, the way on. */
export function OpenBreaches({
  doerId,
  breaches,
}: {
  /** The id of the session, or of the operator's instance. */
  doerId: string;
  breaches: readonly BreachView[];
}) {
  return (
    <ul className="mx-auto max-w-4xl space-y-4">
      {breaches.map((breach) => (
        <li key={breach.actId}>
          <Breach doerId={doerId} breach={breach} />
        </li>
      ))}
    </ul>
  );
}

function Breach({ doerId, breach }: { doerId: string; breach: BreachView }) {
  const { command, rule, undo, at } = breach;
  const { commands, note } = undo;
  return (
    <div className="flex gap-3">
      <ShieldAlert className="mt-0.5 shrink-0 text-red" />
      <div className="min-w-0 flex-1 space-y-2">
        <p className="font-medium break-words">
          <span className="text-red">Forbidden, and done:</span> {describeBreach(breach)}
        </p>
        <p className="break-words text-soft">
          <code className="text-sm">{command}</code> · <Ago at={at} />
        </p>
        <p className="break-words text-soft">
          <Words text={rule} />
        </p>
        {commands.length > 0 && (
          <>
            <p className="text-sm text-soft">To undo it, run with your own power:</p>
            <Command text={undoLines(undo).join(' &&\n')} label="Copy the commands that undo it" />
          </>
        )}
        {note !== '' && (
          <p className="text-sm break-words text-soft">
            <Words text={note} />
          </p>
        )}
        <AnswerFor doerId={doerId} actId={breach.actId} />
      </div>
    </div>
  );
}

/** A person's word, with a reason, after which it may go on. */
function AnswerFor({ doerId, actId }: { doerId: string; actId: string }) {
  const [reason, setReason] = useState('');
  const id = useId();
  const client = useQueryClient();
  const send = usePress({
    mutationFn: () => overrideBreach(doerId, actId, reason),
    // A session's page hears of it by itself; an operator's reads it anew.
    onSuccess: () =>
      Promise.all(
        [OPERATORS_KEY, OPEN_BREACHES_KEY].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const usable = overrideReason.safeParse(reason).success;
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (usable) send.mutate();
      }}
    >
      <label htmlFor={id} className="min-w-48 flex-1 text-sm">
        Why may it go on?
        <input
          id={id}
          className={inputClass()}
          maxLength={REASON_MAX_CHARS}
          placeholder="Undone by hand; or: it was me; …"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <Button
        type="submit"
        busy={send.isPending}
        reason={usable ? null : 'Say why first: it stays on record with your name.'}
        title={cliTwin.override(doerId, actId, reason)}
      >
        Let it go on
      </Button>
      {send.isError && (
        <p role="alert" className="w-full text-red">
          <Words text={tellError(send.error).sentence} />
        </p>
      )}
    </form>
  );
}
