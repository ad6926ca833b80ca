import { useQuery } from '@tanstack/react-query';
import { nameBackend } from '../../protocol/operator-words.ts';
import { terminalTarget } from '../../protocol/terminal.ts';
import type { BoundTarget } from '../../protocol/operator.ts';
import { panesQuery } from '../api/panes.ts';
import { Field, inputClass } from '../ui/field.tsx';

export type TargetDraft = { target: string; label: string };
export const NO_TARGET: TargetDraft = { target: '', label: '' };

/** The terminal that was named; null for none, undefined for what is no id of a terminal. */
export function targetOf({ target, label }: TargetDraft): BoundTarget | null | undefined {
  if (target.trim() === '') return null;
  const parsed = terminalTarget.safeParse(target.trim());
  return parsed.success ? { target: parsed.data, label: label.trim() || parsed.data } : undefined;
}

/** Names the one terminal that an instance works in. */
export function TargetField({
  id,
  runnerId,
  draft,
  change,
  tried,
}: {
  id: string;
  /** Its terminals are offered; undefined while no machine is chosen. */
  runnerId: string | undefined;
  draft: TargetDraft;
  change: (draft: TargetDraft) => void;
  tried: boolean;
}) {
  const { data } = useQuery({ ...panesQuery(runnerId ?? ''), enabled: runnerId !== undefined });
  const panes = data?.panes ?? [];
  const choose = (target: string) => {
    const pane = panes.find((one) => one.target === target);
    change({ target, label: draft.label || (pane?.session ?? '') });
  };
  const wrong = tried && targetOf(draft) === undefined;
  return (
    <>
      <Field
        id={`${id}-target`}
        label="Terminal"
        problem={
          wrong ? 'That is no id of a terminal. Take one from the list of the machine.' : undefined
        }
        hint="Its id, as the machine lists it. Empty: none yet, and every call is refused until you choose one."
      >
        <input
          id={`${id}-target`}
          aria-invalid={wrong}
          className={inputClass(wrong)}
          value={draft.target}
          spellCheck={false}
          placeholder="tmux:default:812.1700000000:%3"
          list={`${id}-panes`}
          onChange={(event) => choose(event.target.value)}
        />
        <datalist id={`${id}-panes`}>
          {panes.map(({ target, backend, session, program }) => (
            <option key={target} value={target}>
              {[nameBackend(backend), session, program].filter(Boolean).join(' · ')}
            </option>
          ))}
        </datalist>
      </Field>
      <Field id={`${id}-label`} label="What you call it">
        <input
          id={`${id}-label`}
          className={inputClass()}
          value={draft.label}
          maxLength={200}
          placeholder="build"
          onChange={(event) => change({ ...draft, label: event.target.value })}
        />
      </Field>
    </>
  );
}
