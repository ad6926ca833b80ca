import { ShieldAlert } from 'lucide-react';
import { useId, useState } from 'react';
import {
  type BreachView,
  describeBreach,
  openBreaches,
  overrideReason,
  REASON_MAX_CHARS,
} from '../../protocol/breach.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { overrideBreach } from '../api/requests.ts';
import { tellError } from '../errors.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { inputClass } from '../ui/field.tsx';
import { Ago } from '../ui/time.tsx';
import { Words } from '../ui/words.tsx';

/** What the session did that its policy forbids: what exactly, how to undo it, and the way on. */
export function BreachPanel({ view }: { view: SessionView }) {
  const open = openBreaches(view.breaches ?? []);
  if (open.length === 0) return null;
  return (
    <section
      aria-label="Forbidden by its policy"
      className="max-h-[60dvh] overflow-y-auto border-b border-red bg-red-wash px-4 py-3"
    >
      <ul className="mx-auto max-w-4xl space-y-4">
        {open.map((breach) => (
          <li key={breach.actId}>
            <Breach sessionId={view.sessionId} breach={breach} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Breach({ sessionId, breach }: { sessionId: string; breach: BreachView }) {
  const { command, rule, undo, at } = breach;
  const { directory, commands, note } = undo;
  const whole = [...(directory === null ? [] : [`# in ${directory}`]), ...commands].join('\n');
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
            <Command text={whole} label="Copy the commands that undo it" />
          </>
        )}
        {note !== '' && (
          <p className="text-sm break-words text-soft">
            <Words text={note} />
          </p>
        )}
        <AnswerFor sessionId={sessionId} actId={breach.actId} />
      </div>
    </div>
  );
}

/** A person's word, with a reason, after which the session may go on. */
function AnswerFor({ sessionId, actId }: { sessionId: string; actId: string }) {
  const [reason, setReason] = useState('');
  const id = useId();
  const send = usePress({ mutationFn: () => overrideBreach(sessionId, actId, reason) });
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
        title={cliTwin.override(sessionId, actId, reason)}
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
