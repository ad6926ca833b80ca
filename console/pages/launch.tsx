import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { forkTerms, type ForkRequest } from '../../protocol/fork.ts';
import type { RunnerSummary } from '../../protocol/http.ts';
import { REHEARSAL_ENGINE_ID } from '../../protocol/launch.ts';
import { withOwnEngines } from '../../protocol/machine.ts';
import { machineEnginesQuery } from '../api/engines.ts';
import { usableRunnersQuery, sessionQuery, sessionsQuery, workspaceQuery } from '../api/queries.ts';
import { launchSession } from '../api/requests.ts';
import { cliTwin } from '../format/cli.ts';
import { foretell } from '../launch/grades.ts';
import { forkDraft, forkOfLink } from '../launch/fork.ts';
import { DirectoryField } from '../launch/directory-field.tsx';
import {
  askFor,
  awaitedOf,
  decideLaunch,
  fillDraft,
  goOnFrom,
  findSurroundings,
  askingOf,
  type LaunchDraft,
  listModes,
  type Problems,
  wishOf,
} from '../launch/draft.ts';
import { Earlier } from '../launch/earlier.tsx';
import { useLaunchImages } from '../launch/launch-images.ts';
import { sayEarlierCosts } from '../launch/earlier-costs.ts';
import { EngineChoice } from '../launch/engine-choice.tsx';
import { LookAgain } from '../launch/look-again.tsx';
import { LaunchSummary } from '../launch/launch-summary.tsx';
import { asksOf } from '../launch/words.ts';
import { Limits } from '../launch/limits.tsx';
import { ObjectiveField } from '../launch/objective-field.tsx';
import { readDraft, rememberLaunch, writeDraft } from '../launch/remembered.ts';
import { PilotChoice } from '../launch/pilot-choice.tsx';
import { decidePilot } from '../launch/pilot-draft.ts';
import { LaunchPolicy } from '../policy/launch-policy.tsx';
import { WorkspaceFacts } from '../launch/workspace-facts.tsx';
import { Command } from '../ui/copy.tsx';
import { Choice, ChoiceGroup } from '../ui/field.tsx';
import { useDebounced } from '../lib/use-debounced.ts';
import { newId } from '../lib/make-id.ts';
import { useIdOf } from '../lib/use-id-of.ts';
import { useHeldPress } from '../lib/use-held-press.ts';
import { usePress } from '../lib/use-press.ts';
import { Page, Section } from '../ui/page.tsx';
import { PresenceMark } from '../ui/presence.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Words } from '../ui/words.tsx';

/** A path is looked up once nobody has typed for this long, in ms. */
const TYPING_MS = 300;

/** Four questions in one column, sensible answers filled in. */
export function LaunchPage() {
  const runners = useQuery(usableRunnersQuery);
  return (
    <Page title="Launch a session" narrow>
      {runners.isPending && <Skeleton label="Reading the machines" rows={8} />}
      {runners.isError && !runners.data && (
        <ErrorPanel error={runners.error} retry={() => void runners.refetch()} />
      )}
      {runners.data?.length === 0 && (
        <Empty title="No machine is connected" action={<Command text={cliTwin.startRunner()} />}>
          Start a runner on the machine that has your repositories. It appears here by itself.
        </Empty>
      )}
      {runners.data && runners.data.length > 0 && <FilledForm runners={runners.data} />}
    </Page>
  );
}

/** The form as a link fills it in: a fork begins with the terms of the session that it is of. */
function FilledForm({ runners }: { runners: readonly RunnerSummary[] }) {
  const { from, fork: asked } = useSearch({ from: '/house/launch' });
  const fork = from === undefined ? null : forkOfLink(asked);
  const forked = useQuery({ ...sessionQuery(from ?? ''), enabled: fork !== null });
  if (!fork) return <LaunchForm key="own" runners={runners} forked={null} />;
  if (forked.data)
    return (
      <LaunchForm
        key={`${from} ${asked}`}
        runners={runners}
        forked={{ fork, draft: forkDraft(forked.data), terms: forkTerms(forked.data.view) }}
      />
    );
  if (forked.isError)
    return <ErrorPanel error={forked.error} retry={() => void forked.refetch()} />;
  return <Skeleton label="Reading the session to fork" rows={8} />;
}

/** The machines, the chosen one with the engines that its runner's own code does not have. */
function useOwnEngines(
  told: readonly RunnerSummary[],
  chosen: RunnerSummary | undefined,
): readonly RunnerSummary[] {
  const { data: own = [] } = useQuery({
    ...machineEnginesQuery(chosen?.runnerId ?? ''),
    enabled: chosen !== undefined && chosen.presence !== 'offline',
  });
  if (own.length === 0) return told;
  return told.map((runner) =>
    runner.runnerId === chosen?.runnerId && runner.machine
      ? {
          ...runner,
          machine: { ...runner.machine, engines: withOwnEngines(runner.machine.engines, own) },
        }
      : runner,
  );
}

type LaunchFormProps = {
  runners: readonly RunnerSummary[];
  forked: {
    fork: ForkRequest;
    draft: LaunchDraft;
    terms: ReturnType<typeof forkTerms>;
  } | null;
};

function LaunchForm({ runners: told, forked }: LaunchFormProps) {
  const { engine: asked, from } = useSearch({ from: '/house/launch' });
  const navigate = useNavigate();
  const [typed, setTyped] = useState<LaunchDraft>(() => {
    return forked ? forked.draft : askFor(readDraft(), asked);
  });
  // What is missing is told after the first attempt, not while somebody is still typing.
  const [asking, setAsking] = useState(false);
  const objective = useRef<HTMLTextAreaElement>(null);
  const chosen = fillDraft(typed, told).runnerId;
  const runners = useOwnEngines(
    told,
    told.find(({ runnerId }) => runnerId === chosen),
  );
  const draft = fillDraft(typed, runners);
  // One id for one launch: pressing again, also after a lost answer, cannot make two sessions of it.
  const turnIdOf = useIdOf(() => newId('trn'));
  const change = (patch: Partial<LaunchDraft>) => setTyped({ ...draft, ...patch });
  // A fork's terms are another session's, and not what the person fills in next time.
  useEffect(() => void (forked ?? writeDraft(typed)), [forked, typed]);

  const { runner, engine } = findSurroundings(draft, runners);
  const sessions = useInfiniteQuery(sessionsQuery);
  const path = useDebounced(draft.directory.trim(), TYPING_MS);
  const workspace = useQuery({
    ...workspaceQuery(draft.runnerId, path),
    enabled: path.startsWith('/') && runner?.presence !== 'offline',
  });
  // What is known of another path says nothing about the one that is typed now.
  const described = path === draft.directory.trim() ? workspace.data : undefined;
  const surroundings = { runner, engine, workspace: forked ? undefined : described };
  const decision = goOnFrom(from, decideLaunch(draft, surroundings), forked?.fork);
  const images = useLaunchImages(runner?.machine);
  const launch = usePress({
    mutationFn: launchSession,
    onSuccess: ({ sessionId }) => {
      if (!forked) rememberLaunch(draft);
      images.launched();
      void navigate({ to: '/sessions/$sessionId', params: { sessionId } });
    },
  });
  const awaited = awaitedOf(runner);
  const launchNow = () => {
    if (decision.kind === 'ready') {
      const request = { ...decision.request, ...images.asked() };
      if (images.reason === null)
        launch.mutate({ ...request, turnId: turnIdOf(JSON.stringify(request)) });
    } else {
      setAsking(true);
      if (decision.problems.objective !== undefined) objective.current?.focus();
    }
  };
  // What the machine lacks of what was asked for is for the person to see before another is launched.
  const stands = typed.engineId === '' || typed.engineId === draft.engineId;
  const waiting = useHeldPress(draft.runnerId, awaited === null, () => stands && launchNow());
  const submit = () => (awaited === null ? launchNow() : waiting.start());
  const pilot = decidePilot(draft.pilot);
  const all: Problems = decision.kind === 'ready' ? {} : decision.problems;
  // A machine or a directory that cannot work is worth a word before the attempt.
  const problems = asking
    ? all
    : {
        ...(all.budget === undefined ? {} : { budget: all.budget }),
        ...(all.checkout === undefined ? {} : { checkout: all.checkout }),
        ...(all.grade === undefined ? {} : { grade: all.grade }),
        ...(all.network === undefined ? {} : { network: all.network }),
      };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {from !== undefined && (
        <Earlier
          sessionId={from}
          runnerId={draft.runnerId}
          machine={runner?.machine ?? null}
          engineId={draft.engineId}
          fork={forked?.fork ?? null}
        />
      )}
      {!forked && (
        <Section title="Where">
          <ChoiceGroup label="Machine">
            {runners.map((candidate) => (
              <Choice
                key={candidate.runnerId}
                name="machine"
                checked={candidate.runnerId === draft.runnerId}
                onChoose={() => change({ runnerId: candidate.runnerId })}
                label={candidate.name}
                aside={<PresenceMark presence={candidate.presence} />}
              />
            ))}
          </ChoiceGroup>
          {(problems.runnerId ?? (runner?.presence === 'offline' ? all.runnerId : undefined)) !==
            undefined && (
            <p className="mb-3 text-sm text-red">
              <Words text={all.runnerId ?? ''} />
            </p>
          )}
          <DirectoryField
            runnerId={draft.runnerId}
            value={draft.directory}
            optional={draft.engineId === REHEARSAL_ENGINE_ID}
            problem={workspace.isError ? undefined : problems.directory}
            onChange={(directory) => change({ directory })}
          />
          {path !== '' && <WorkspaceFacts query={workspace} />}
          {runner && workspace.data && (
            <LaunchPolicy place={{ runnerId: runner.runnerId, directory: workspace.data.path }} />
          )}
        </Section>
      )}
      <Section title="With what">
        {runner?.machine && awaited === null ? (
          <>
            <EngineChoice
              machine={runner.machine}
              value={draft.engineId}
              onChange={(engineId) => change({ engineId })}
            />
            {runner.machine.engines.some(({ ready }) => !ready) && (
              <LookAgain runnerId={runner.runnerId} />
            )}
          </>
        ) : (
          <output className="mb-3 block text-soft">
            {awaited ??
              'This machine has not said yet what it can run. It does when its runner connects.'}
          </output>
        )}
        {problems.engineId !== undefined && (
          <p className="text-sm text-red">
            <Words text={problems.engineId} />
          </p>
        )}
      </Section>
      <Section title="To do what">
        <ObjectiveField
          field={objective}
          value={draft.objective}
          problem={problems.objective}
          engineId={draft.engineId}
          place={
            runner?.presence === 'online' && workspace.data
              ? { kind: 'directory', runnerId: runner.runnerId, path: workspace.data.path }
              : null
          }
          images={images}
          onChange={(text) => change({ objective: text })}
          submit={submit}
        />
      </Section>
      <Section title="Who gives the next instructions">
        <PilotChoice
          draft={draft.pilot}
          problems={asking && pilot.kind === 'not_ready' ? pilot.problems : {}}
          onChange={(patch) => change({ pilot: { ...draft.pilot, ...patch } })}
        />
      </Section>
      <Section title="Within which limits">
        <Limits
          machine={runner?.machine ?? undefined}
          draft={draft}
          modes={listModes(engine, runner)}
          ownAsking={askingOf(engine)}
          engine={engine}
          workspace={described}
          placed={forked !== null}
          problems={problems}
          costs={sayEarlierCosts(sessions.data?.pages.flatMap(({ items }) => items) ?? [], {
            ...draft,
            directory: draft.directory.trim(),
          })}
          change={change}
        />
      </Section>
      {launch.isError && (
        <div className="mb-3">
          <ErrorPanel error={launch.error} />
        </div>
      )}
      <LaunchSummary
        terms={forked?.terms ?? null}
        decision={decision}
        names={{
          engine: engine?.label ?? draft.engineId,
          machine: runner?.name ?? '',
          ownAsking: askingOf(engine),
          asks: engine ? asksOf(engine) : [],
        }}
        grade={foretell(wishOf(draft), runner?.machine ?? undefined, engine)}
        busy={launch.isPending}
        images={images}
        waiting={waiting}
        awaited={awaited}
      />
    </form>
  );
}
