import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { connectorOf } from '../../protocol/ceiling.ts';
import type { OperatorEntry } from '../../protocol/operator-http.ts';
import { describeDefinition, nameBackend } from '../../protocol/operator-words.ts';
import { TERMINAL_BACKENDS, TERMINAL_TOOLS } from '../../protocol/terminal.ts';
import { OPERATORS_KEY, publishOperator } from '../api/operators.ts';
import { usePress } from '../lib/use-press.ts';
import { Choice, Field, inputClass } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { cliTwin } from '../format/cli.ts';
import { decideBody, draftOf, hasOwnLimits } from './draft.ts';
import { Sentences } from './sentences.tsx';

const RULES = [
  { value: 'single', label: 'One that its person chooses' },
  { value: 'any', label: 'Every one of these kinds' },
] as const;

/** Asks what an operator is told and may do, and says it in plain words as it is typed. */
export function DefinitionForm({
  from,
  published,
}: {
  from: OperatorEntry;
  published: () => void;
}) {
  const own = from.origin === 'own';
  const id = useId();
  const client = useQueryClient();
  const start = draftOf(from.definition);
  const [draft, setDraft] = useState(own ? start : { ...start, name: `My ${start.name}` });
  const [tried, setTried] = useState(false);
  const decided = decideBody(draft, from.definition);
  const renew = async () => {
    await client.invalidateQueries({ queryKey: OPERATORS_KEY });
    published();
  };
  const publishing = usePress({
    mutationFn: async () => {
      if (!decided.ok) return;
      const { id: operatorId, version } = from.definition;
      const onto = own ? { operatorId, basedOn: version } : { operatorId: null, basedOn: 0 };
      await publishOperator({ ...onto, body: decided.body });
    },
    onSuccess: renew,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (decided.ok) publishing.mutate();
  };
  const toggle = <T extends string>(list: readonly T[], one: T): T[] =>
    list.includes(one) ? list.filter((each) => each !== one) : [...list, one];
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <Field id={`${id}-name`} label="Name">
        <input
          id={`${id}-name`}
          className={inputClass()}
          value={draft.name}
          maxLength={60}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
      </Field>
      <Field id={`${id}-told`} label="What the agent is told">
        <textarea
          id={`${id}-told`}
          rows={6}
          className={inputClass()}
          value={draft.instructions}
          onChange={(event) => setDraft({ ...draft, instructions: event.target.value })}
        />
      </Field>
      <fieldset className="mb-3">
        <legend className="mb-1 text-sm font-medium text-soft">Tools</legend>
        <div className="grid overflow-hidden rounded-md border bg-raised sm:grid-cols-2">
          {TERMINAL_TOOLS.map((tool) => (
            <Choice
              key={tool}
              name={tool}
              multiple
              checked={draft.tools.includes(tool)}
              onChoose={() => setDraft({ ...draft, tools: toggle(draft.tools, tool) })}
              label={<code className="text-sm">{tool}</code>}
              aside={<span className="text-sm text-faint">{connectorOf(tool)}</span>}
            />
          ))}
        </div>
      </fieldset>
      <fieldset className="mb-3">
        <legend className="mb-1 text-sm font-medium text-soft">Kinds of terminal</legend>
        <div className="flex flex-wrap gap-4">
          {TERMINAL_BACKENDS.map((backend) => (
            <label key={backend} className="flex items-center gap-2">
              <input
                type="checkbox"
                className="accent-[var(--accent)]"
                checked={draft.backends.includes(backend)}
                onChange={() => setDraft({ ...draft, backends: toggle(draft.backends, backend) })}
              />
              {nameBackend(backend)}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mb-3">
        <Segmented
          label="Which terminals"
          value={draft.targets}
          options={RULES}
          onChoose={(targets) => setDraft({ ...draft, targets })}
        />
      </div>
      <Field id={`${id}-prefix`} label="Only sessions whose names begin with (empty: every name)">
        <input
          id={`${id}-prefix`}
          className={inputClass()}
          value={draft.prefix}
          spellCheck={false}
          onChange={(event) => setDraft({ ...draft, prefix: event.target.value })}
        />
      </Field>
      {hasOwnLimits(from.definition) && (
        <p className="mb-3 text-sm text-soft">
          Its two families of tools have limits of their own. What you leave alone stays as it is
          for each; what you change here holds for both. To set each by itself:{' '}
          <code className="break-all">
            {cliTwin.publishOperator(own ? from.definition.id : null)}
          </code>
        </p>
      )}
      {decided.ok && (
        <div className="mb-3 rounded-md border bg-raised px-3 py-2">
          <Sentences label="What it may do at most" words={describeDefinition(decided.body)} />
        </div>
      )}
      {tried && !decided.ok && (
        <p role="alert" className="mb-3 text-sm text-red">
          {decided.problem}
        </p>
      )}
      <FormEnd press={publishing} retry={() => publishing.mutate()} renew={() => void renew()}>
        {own ? 'Publish the next version' : 'Publish it'}
      </FormEnd>
    </form>
  );
}
