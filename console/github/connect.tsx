import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { connectGithub, GITHUB_KEY } from '../api/github.ts';
import { usableRunnersQuery } from '../api/queries.ts';
import type { GithubChannel } from '../../protocol/github.ts';
import { parseMoney } from '../format/money.ts';
import { readWorkLimits } from '../launch/work-limits.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Field, inputClass } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { PilotChoice } from '../launch/pilot-choice.tsx';
import { WorkLimitsFields } from '../launch/work-limits-fields.tsx';
import {
  decideConnect,
  EMPTY_DRAFT,
  EMPTY_SESSIONS,
  type GithubDraft,
  NO_PROBLEMS,
} from './draft.ts';
import { makeSecret, WebhookSteps } from './webhook.tsx';

const WAYS = [
  { value: 'poll', label: 'Ask GitHub every minute' },
  { value: 'webhook', label: 'GitHub calls here' },
] as const;

const LABELS: Record<keyof GithubDraft, string> = {
  repository: 'Repository',
  token: 'Token',
  label: 'Label that starts a session',
  runnerId: 'Machine',
  engineId: 'Engine',
  directory: 'Directory of its checkout there',
  budget: 'Limit of each session, in dollars',
};

/**
 * Asks for a repository and where its sessions run. What was typed as the token is shown nowhere.
 * After a connection that GitHub has to call: what is left to do there, with the secret, this once.
 */
export function ConnectGithub({ onConnected }: { onConnected: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const { data: runners = [] } = useQuery(usableRunnersQuery);
  const [typed, setTyped] = useState(EMPTY_DRAFT);
  const [sessions, setSessions] = useState(EMPTY_SESSIONS);
  const { work, pilot } = sessions;
  const [tried, setTried] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [left, setLeft] = useState<GithubChannel | null>(null);
  const runnerId = typed.runnerId || (runners[0]?.runnerId ?? '');
  const chosen = runners.find((runner) => runner.runnerId === runnerId);
  const engines = chosen?.machine?.engines.filter(({ ready }) => ready) ?? [];
  const engine = engines.find((each) => each.engineId === typed.engineId) ?? engines[0];
  const engineId = engine?.engineId ?? '';
  const decided = decideConnect({ ...typed, runnerId, engineId }, secret, sessions);
  const shown = tried && !decided.ok ? decided.problems : NO_PROBLEMS;
  const problems = shown.fields;
  const connecting = usePress({
    mutationFn: async () => (decided.ok ? connectGithub(decided.request) : null),
    onSuccess: async (channel) => {
      await client.invalidateQueries({ queryKey: GITHUB_KEY });
      if (channel?.webhookPath) setLeft(channel);
      else onConnected();
    },
  });
  if (left?.webhookPath && secret !== null)
    return <WebhookSteps path={left.webhookPath} secret={secret} done={onConnected} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (decided.ok) connecting.mutate();
  };
  const control = (part: keyof GithubDraft) => ({
    id: `${id}-${part}`,
    'aria-invalid': problems[part] !== undefined,
    className: inputClass(problems[part] !== undefined),
    onChange: (event: { target: { value: string } }) =>
      setTyped({ ...typed, [part]: event.target.value }),
  });
  const labelled = (part: keyof GithubDraft) => ({
    id: `${id}-${part}`,
    label: LABELS[part],
    problem: problems[part],
  });
  const text = (part: keyof GithubDraft, more: object = {}) => (
    <input {...control(part)} value={typed[part]} spellCheck={false} {...more} />
  );
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <Field {...labelled('repository')}>{text('repository', { placeholder: 'octo/site' })}</Field>
      <Field
        {...labelled('token')}
        hint="It needs to read issues and write comments, and no more. Encrypted where it is kept; no session sees it."
      >
        {text('token', { type: 'password', autoComplete: 'off' })}
      </Field>
      <Field {...labelled('runnerId')}>
        <select {...control('runnerId')} value={runnerId}>
          {runners.map((runner) => (
            <option key={runner.runnerId} value={runner.runnerId}>
              {runner.name}
            </option>
          ))}
        </select>
      </Field>
      <Field {...labelled('engineId')}>
        <select {...control('engineId')} value={engineId}>
          {engines.map((engine) => (
            <option key={engine.engineId} value={engine.engineId}>
              {engine.label}
            </option>
          ))}
        </select>
      </Field>
      <Field {...labelled('directory')}>
        {text('directory', { placeholder: '/home/me/code/site' })}
      </Field>
      <Field {...labelled('budget')}>{text('budget', { inputMode: 'decimal' })}</Field>
      <WorkLimitsFields
        draft={work}
        problems={shown.work}
        change={(patch) => setSessions({ work: { ...work, ...patch }, pilot })}
      />
      <p aria-hidden className="mb-1 text-sm font-medium text-soft">
        Who gives the next instructions
      </p>
      <PilotChoice
        draft={pilot}
        problems={shown.pilot}
        onChange={(patch) => setSessions({ work, pilot: { ...pilot, ...patch } })}
      />
      <Field {...labelled('label')}>{text('label')}</Field>
      <div className="mb-4">
        <Segmented
          label="How word gets here"
          value={secret === null ? 'poll' : 'webhook'}
          options={WAYS}
          onChoose={(way) => setSecret(way === 'webhook' ? makeSecret() : null)}
        />
        <p className="mt-1 text-sm text-soft">
          {secret === null
            ? 'It works behind any wall, and nothing has to be set on GitHub.'
            : 'Word comes at once. GitHub has to reach this instance; what to set there comes next.'}
        </p>
      </div>
      <FormEnd
        press={connecting}
        retry={() => connecting.mutate()}
        command={cliTwin.connectGithub(
          {
            repository: typed.repository,
            budgetMicroUsd: parseMoney(typed.budget),
            limits: readWorkLimits(work).limits,
          },
          pilot,
          secret !== null,
        )}
      >
        Connect it
      </FormEnd>
    </form>
  );
}
