import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { InstanceChange, InstanceDetail } from '../../protocol/operator-http.ts';
import { TERMINAL_RISKS } from '../../protocol/terminal.ts';
import { OpenBreaches } from '../acts/open-breaches.tsx';
import { changeInstance, instanceQuery, OPERATORS_KEY } from '../api/operators.ts';
import { runnersQuery } from '../api/queries.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Chat } from '../operators/chat/chat.tsx';
import { Decisions } from '../operators/chat/decisions.tsx';
import { Binding } from '../operators/binding.tsx';
import { ConsentChoice } from '../operators/consent-choice.tsx';
import { NarrowForm } from '../operators/narrow-form.tsx';
import { Offered } from '../operators/offered.tsx';
import { Sentences } from '../operators/sentences.tsx';
import { BoundPane } from '../panes/bound-pane.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Page, Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';

/** `/operators/:id`: one operator in use, what it may do, and what the person lets it. */
export function InstancePage() {
  const { instanceId } = useParams({ from: '/house/operators/$instanceId' });
  const query = useQuery(instanceQuery(instanceId));
  if (query.data) return <Instance detail={query.data} />;
  return (
    <Page title="Operator">
      {query.isPending && <Skeleton label="Reading the operator" />}
      {query.isError && <ErrorPanel error={query.error} retry={() => void query.refetch()} />}
    </Page>
  );
}

function Instance({ detail }: { detail: InstanceDetail }) {
  const { instance, definition, words, obstacle, breaches, offered } = detail;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: runners = [] } = useQuery(runnersQuery);
  const [removing, setRemoving] = useState(false);
  const changing = usePress<InstanceDetail, InstanceChange>({
    mutationFn: (change) => changeInstance(instance.id, change),
    // The answer is the instance as it is now: nothing has to be waited for to go on.
    onSuccess: (now) => {
      client.setQueryData(instanceQuery(instance.id).queryKey, now);
      void client.invalidateQueries({ queryKey: OPERATORS_KEY });
    },
  });
  const change = (asked: InstanceChange) => changing.mutate(asked);
  const runner = runners.find(({ runnerId }) => runnerId === instance.runnerId);
  const risks = new Set(definition.ceiling.tools.map((tool) => TERMINAL_RISKS[tool]));
  const over = instance.state === 'removed';
  return (
    <Page
      title={instance.name}
      aside={
        !over && (
          <Actions
            detail={detail}
            busy={changing.isPending}
            change={change}
            remove={() => setRemoving(true)}
          />
        )
      }
    >
      <p className="mb-3 text-soft">
        {definition.name}, version {definition.version}, on {runner?.name ?? instance.runnerId}
        {runner &&
          runner.presence !== 'online' &&
          ` (${runner.presence}: nothing is sent there now)`}
      </p>
      {changing.isError && (
        <div className="mb-3">
          <ErrorPanel error={changing.error} />
        </div>
      )}
      {breaches.length > 0 && (
        <section
          aria-label="Forbidden by the merge policy"
          className="mb-3 rounded-md border border-red bg-red-wash p-3"
        >
          <p className="mb-3">
            It writes nothing until somebody says why it may go on. It may read.
          </p>
          <OpenBreaches doerId={instance.id} breaches={breaches} />
        </section>
      )}
      {obstacle !== null && (
        <output className="mb-3 block rounded-md border border-amber-line bg-amber-wash p-3">
          {obstacle}
        </output>
      )}
      {offered && !over && (
        <Offered
          instanceId={instance.id}
          offered={offered}
          busy={changing.isPending}
          agree={(version) => change({ change: 'agree', version })}
        />
      )}
      {!over && (
        <Section title="Tell it what to do">
          <Chat
            instanceId={instance.id}
            obstacle={obstacle ?? (instance.brain === null ? NO_BRAIN : null)}
          />
        </Section>
      )}
      <Section title="What it may do">
        <Sentences label="What it may do" words={words} />
      </Section>
      {!over && (
        <>
          <Section title="Terminal">
            <Binding
              key={instance.boundTarget?.target ?? ''}
              runnerId={instance.runnerId}
              bound={instance.boundTarget}
              busy={changing.isPending}
              bind={(boundTarget) => change({ change: 'bind', boundTarget })}
            />
            {instance.boundTarget && (
              <BoundPane
                key={`live ${instance.boundTarget.target}`}
                runnerId={instance.runnerId}
                target={instance.boundTarget.target}
              />
            )}
          </Section>
          <Section title="What you agree to">
            <ConsentChoice
              consents={instance.consents}
              risks={risks}
              busy={changing.isPending}
              choose={(risk, consent) =>
                change({ change: 'consent', consents: { [risk]: consent } })
              }
            />
          </Section>
          <Section title="Tools that you leave it">
            <NarrowForm
              definition={definition}
              narrowing={instance.narrowing}
              busy={changing.isPending}
              narrow={(narrowing) => change({ change: 'narrow', narrowing })}
            />
          </Section>
        </>
      )}
      <Section title="What its calls came to">
        <Decisions instanceId={instance.id} />
        <p className="mt-2 text-sm">
          <Link to="/acts" search={{ session: instance.id }} className="text-accent">
            What it pushed, merged, deleted or published
          </Link>
        </p>
      </Section>
      <p className="text-sm text-faint">
        <code className="break-all">{cliTwin.instance(instance.id, 'show')}</code>
      </p>
      {removing && (
        <ConfirmRemoval
          title={`Remove ${instance.name}?`}
          name={instance.name}
          description="It can do nothing any more, for good. What it did stays on record."
          action="Remove it"
          command={cliTwin.instance(instance.id, 'remove')}
          remove={async () => {
            await changeInstance(instance.id, { change: 'remove' });
            await navigate({ to: paths.operators() });
          }}
          queryKey={OPERATORS_KEY}
          close={() => setRemoving(false)}
        />
      )}
    </Page>
  );
}

const NO_BRAIN =
  'It has no model of its own. Give it one with `pilothouse operators brain`, or use it from an MCP client.';

function Actions({
  detail: { instance },
  busy,
  change,
  remove,
}: {
  detail: InstanceDetail;
  busy: boolean;
  change: (asked: InstanceChange) => void;
  remove: () => void;
}) {
  const paused = instance.state === 'paused';
  return (
    <div className="flex gap-2">
      <Button busy={busy} onClick={() => change({ change: paused ? 'resume' : 'pause' })}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <Button kind="quiet" onClick={remove}>
        Remove
      </Button>
    </div>
  );
}
