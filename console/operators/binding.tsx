import { type FormEvent, useId, useState } from 'react';
import type { BoundTarget } from '../../protocol/operator.ts';
import { Button } from '../ui/button.tsx';
import { NO_TARGET, TargetField, targetOf } from './target-field.tsx';

/** The terminal that an instance works in, and how it gets another one. */
export function Binding({
  runnerId,
  bound,
  bind,
  busy,
}: {
  runnerId: string;
  bound: BoundTarget | null;
  bind: (bound: BoundTarget | null) => void;
  busy: boolean;
}) {
  const id = useId();
  const [draft, setDraft] = useState(NO_TARGET);
  const [changing, setChanging] = useState(false);
  const [tried, setTried] = useState(false);
  const next = targetOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!next) return;
    bind(next);
    setChanging(false);
  };
  if (!changing && bound)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border bg-raised px-3 py-2">
        <span className="font-medium break-words">{bound.label}</span>
        <code className="text-sm break-all text-soft">{bound.target}</code>
        <span className="ml-auto flex gap-2">
          <Button size="small" onClick={() => setChanging(true)}>
            Choose another
          </Button>
          <Button size="small" kind="quiet" busy={busy} onClick={() => bind(null)}>
            Take it away
          </Button>
        </span>
      </div>
    );
  return (
    <form onSubmit={submit} noValidate className="rounded-md border bg-raised p-3">
      <TargetField id={id} runnerId={runnerId} draft={draft} change={setDraft} tried={tried} />
      <Button
        type="submit"
        busy={busy}
        reason={draft.target.trim() ? null : 'Name a terminal first.'}
      >
        Bind this terminal
      </Button>
    </form>
  );
}
