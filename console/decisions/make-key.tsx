import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { type MadeDecisionKey, repositoryName } from '../../protocol/decisions.ts';
import { DECISIONS_KEY, makeDecisionKey } from '../api/decisions.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Command } from '../ui/copy.tsx';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { BuildSteps } from './build-steps.tsx';

const NAME_HELP = 'Letters, digits, - _ . and / between its parts, as in acme/site.';

/** Asks for what a key needs; then shows the key, this once. */
export function MakeKey({ repository: fixed }: { repository?: string }) {
  const id = useId();
  const client = useQueryClient();
  const [repository, setRepository] = useState(fixed ?? '');
  const [name, setName] = useState('CI');
  const [tried, setTried] = useState(false);
  const making = usePress({
    mutationFn: () => makeDecisionKey(repository, name.trim() || 'CI'),
    onSuccess: () => client.invalidateQueries({ queryKey: DECISIONS_KEY }),
  });
  if (making.data) return <MadeKey made={making.data} />;
  const problem = tried && !repositoryName.safeParse(repository).success ? NAME_HELP : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (repositoryName.safeParse(repository).success) making.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="text-left">
      {fixed === undefined && (
        <Field id={`${id}-repository`} label="Repository" problem={problem}>
          <input
            id={`${id}-repository`}
            value={repository}
            onChange={(event) => setRepository(event.target.value.trim())}
            placeholder="acme/site"
            aria-invalid={problem !== undefined}
            className={inputClass(problem !== undefined)}
          />
        </Field>
      )}
      <Field id={`${id}-name`} label="Where the key is used">
        <input
          id={`${id}-name`}
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
          className={inputClass()}
        />
      </Field>
      <FormEnd
        press={making}
        retry={() => making.mutate()}
        command={cliTwin.makeDecisionKey(repository)}
      >
        Make a key
      </FormEnd>
    </form>
  );
}

function MadeKey({ made: { key, token } }: { made: MadeDecisionKey }) {
  return (
    <section aria-label="The new key" className="space-y-3 text-left">
      <p>
        The key of <strong className="font-semibold">{key.repository}</strong>, shown this once.
        Keep it among the secrets of your builds as <code>PILOTHOUSE_DECISIONS_KEY</code>. It posts
        reports of this repository and opens nothing else.
      </p>
      <Command text={token} label="Copy the key" />
      <p>Then, in the build:</p>
      <BuildSteps />
    </section>
  );
}
