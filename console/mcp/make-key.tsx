import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import {
  type MadeMcpKey,
  type MakeMcpKeyRequest,
  MCP_PATH,
  MCP_SCOPES,
  type McpScope,
} from '../../protocol/mcp.ts';
import type { OperatorInstance } from '../../protocol/operator.ts';
import { makeMcpKey, MCP_KEYS_KEY } from '../api/mcp.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Command } from '../ui/copy.tsx';
import { Choice, Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';

const SCOPES: Readonly<Record<McpScope, string>> = {
  read: 'see machines, sessions, spend, acts and breaches',
  write: 'say something to a session',
  runtime: 'launch a session, which asks a person before what it may not do unasked',
  destructive: 'stop a session',
};

/** Asks what a key is for: one operator, or a part of the control plane; then shows it, this once. */
export function MakeMcpKey({
  instances,
}: {
  instances: readonly Pick<OperatorInstance, 'id' | 'name'>[];
}) {
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [instanceId, setInstanceId] = useState('');
  const [scopes, setScopes] = useState<readonly McpScope[]>(['read']);
  const making = usePress<MadeMcpKey, MakeMcpKeyRequest>({
    mutationFn: makeMcpKey,
    onSuccess: () => client.invalidateQueries({ queryKey: MCP_KEYS_KEY }),
  });
  if (making.data) return <MadeKey made={making.data} />;
  const instance = instances.find((each) => each.id === instanceId);
  const request: MakeMcpKeyRequest = {
    name: name.trim() || 'MCP client',
    ...(instance ? { instanceId: instance.id } : { scopes: [...scopes] }),
  };
  const reason = !instance && scopes.length === 0 ? 'Choose what it opens.' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason === null) making.mutate(request);
  };
  const toggle = (scope: McpScope) =>
    setScopes(MCP_SCOPES.filter((each) => (each === scope) !== scopes.includes(each)));
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <Field id={`${id}-name`} label="Who uses it">
        <input
          id={`${id}-name`}
          value={name}
          maxLength={100}
          placeholder="MCP client"
          onChange={(event) => setName(event.target.value)}
          className={inputClass()}
        />
      </Field>
      <Field id={`${id}-for`} label="What it is for">
        <select
          id={`${id}-for`}
          value={instanceId}
          onChange={(event) => setInstanceId(event.target.value)}
          className={inputClass()}
        >
          <option value="">The control plane</option>
          {instances.map((each) => (
            <option key={each.id} value={each.id}>
              The tools of {each.name}, at its terminal
            </option>
          ))}
        </select>
      </Field>
      {!instance && (
        <fieldset className="mb-3 overflow-hidden rounded-md border bg-raised">
          <legend className="sr-only">What it opens</legend>
          {MCP_SCOPES.map((scope) => (
            <Choice
              key={scope}
              multiple
              name={`${id}-scope`}
              checked={scopes.includes(scope)}
              onChoose={() => toggle(scope)}
              label={scope}
              detail={SCOPES[scope]}
            />
          ))}
        </fieldset>
      )}
      <FormEnd
        press={making}
        retry={() => making.mutate(request)}
        reason={reason}
        command={cliTwin.makeMcpKey(request)}
      >
        Make a key
      </FormEnd>
    </form>
  );
}

function MadeKey({ made: { token } }: { made: MadeMcpKey }) {
  const address = new URL(MCP_PATH, window.location.origin).href;
  const add = `claude mcp add --transport http pilothouse ${address} --header "Authorization: Bearer $PILOTHOUSE_MCP_KEY"`;
  return (
    <section aria-label="The new key" className="space-y-3 text-left">
      <p>
        The key, shown this once. Keep it in a variable of the client’s environment,{' '}
        <code>PILOTHOUSE_MCP_KEY</code>, never in a file that is shared.
      </p>
      <Command text={token} label="Copy the key" />
      <p>Then, for Claude Code; other clients need the same address and header:</p>
      <Command text={add} />
    </section>
  );
}
