import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RunnerSummary } from '../../protocol/http.ts';
import { type EngineReadiness, type MachineFacts, withOwnEngines } from '../../protocol/machine.ts';
import { REHEARSAL_ENGINE_ID } from '../../protocol/launch.ts';
import { formatSpan } from '../format/time.ts';
import { machineEnginesQuery } from '../api/engines.ts';
import { credentialOf, isUnmeteredHere } from '../launch/engine-choice.tsx';
import { asksOf, wordsOfMode } from '../launch/words.ts';
import { Facts, Heading } from '../session/side/facts.tsx';
import { PaneList } from '../panes/pane-list.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { PresenceMark } from '../ui/presence.tsx';
import { RehearsalLabel } from '../ui/rehearsal-label.tsx';
import { UnmeteredLabel } from '../ui/unmetered-label.tsx';
import { Ago } from '../ui/time.tsx';
import { commandIn, Words } from '../ui/words.tsx';
import { MachineAccess } from './access.tsx';
import { Checkouts } from './checkouts.tsx';
import { Doctor } from './doctor.tsx';
import { Terminals } from './terminals.tsx';

/** One machine, as it tells of itself. */
export function MachineCard({ runner }: { runner: RunnerSummary }) {
  const { machine, presence, lastSeenAt, runnerId, revokedAt } = runner;
  const { data: own = [] } = useQuery({
    ...machineEnginesQuery(runnerId),
    enabled: presence !== 'offline',
  });
  return (
    <section aria-label={runner.name} className="overflow-hidden rounded-md border bg-raised">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2">
        <h2 className="text-md font-semibold">{runner.name}</h2>
        {revokedAt === null ? (
          <PresenceMark presence={presence} />
        ) : (
          <span className="text-red">
            access taken back <Ago at={revokedAt} />
          </span>
        )}
        {lastSeenAt !== null && presence !== 'online' && (
          <span className="text-sm text-faint">
            heard <Ago at={lastSeenAt} />
          </span>
        )}
        {machine && (
          <span className="ml-auto text-sm text-faint">
            {machine.platform} {machine.arch} · Node {machine.nodeVersion} · Pilothouse{' '}
            {machine.pilothouseVersion}
          </span>
        )}
        <span className={machine ? '' : 'ml-auto'}>
          <MachineAccess runner={runner} />
        </span>
      </header>
      {machine ? (
        <div className="grid gap-6 p-4 md:grid-cols-2">
          <div>
            <Heading>Engines</Heading>
            <ul className="divide-y rounded-md border">
              {withOwnEngines(machine.engines, own).map((engine) => (
                <EngineLine key={engine.engineId} engine={engine} />
              ))}
            </ul>
            <p className="mt-2 text-sm">
              <Link to="/machines/engines" className="text-accent">
                Engines of your own
              </Link>
            </p>
          </div>
          <div>
            <Heading>What this machine allows</Heading>
            <LimitsFacts limits={machine.limits} />
            {machine.terminals && <Terminals terminals={machine.terminals} />}
          </div>
        </div>
      ) : (
        <p className="p-4 text-soft">It has not told about itself yet. It does when it connects.</p>
      )}
      {revokedAt === null && (
        <>
          <Doctor runnerId={runner.runnerId} presence={presence} />
          <PaneList runnerId={runner.runnerId} presence={presence} />
          <Checkouts runnerId={runner.runnerId} presence={presence} />
        </>
      )}
    </section>
  );
}

const sayNetwork = ({ minimumNetwork }: MachineFacts['limits']): string =>
  minimumNetwork === 'model-only'
    ? 'its model alone'
    : 'its model alone, unless a launch asks for more';

function EngineLine({ engine }: { engine: EngineReadiness }) {
  const { refusedModes = [], warnings = [] } = engine;
  const offered = engine.approvals.filter((mode) =>
    refusedModes.every((each) => each.mode !== mode),
  );
  const notices = [
    ...warnings.map(({ problem, remedy }) => `${problem} ${remedy}`),
    ...refusedModes.map(({ problem }) => problem),
  ];
  return (
    <li className="px-3 py-2">
      <div className="flex items-center gap-2">
        <span className="font-medium">{engine.label}</span>
        {engine.version !== null && <span className="text-sm text-faint">{engine.version}</span>}
        {engine.engineId === REHEARSAL_ENGINE_ID && <RehearsalLabel />}
        {isUnmeteredHere(engine) && <UnmeteredLabel />}
        <span className={`ml-auto ${engine.ready ? 'text-soft' : 'text-red'}`}>
          {engine.ready ? 'ready' : 'not ready'}
        </span>
      </div>
      {engine.ready ? (
        <>
          <p className="text-sm text-soft">
            {credentialOf(engine)}
            {offered.length > 0 && ' · '}
            {offered.map((mode) => wordsOfMode(mode, asksOf(engine)).label).join(' / ')}
          </p>
          {notices.map((notice) => (
            <p key={notice} className="text-sm text-amber">
              <Words text={notice} />
            </p>
          ))}
        </>
      ) : (
        <div className="flex items-start gap-1 text-sm">
          <p className="min-w-0 flex-1 text-soft">
            <Words text={engine.problem ?? ''} />{' '}
            <span className="text-ink">
              <Words text={engine.remedy ?? ''} />
            </span>
          </p>
          {engine.remedy !== null && (
            <CopyButton text={commandIn(engine.remedy)} label="Copy what to do" />
          )}
        </div>
      )}
    </li>
  );
}

/** How many there are; what they look for stays on the machine. */
const sayPatterns = (count: number): string =>
  count === 1 ? 'one pattern of its own' : `${count} patterns of its own`;

function LimitsFacts({ limits }: { limits: MachineFacts['limits'] }) {
  return (
    <>
      <Facts
        facts={[
          [
            'From',
            limits.source === null ? (
              'safe defaults: it has no limits.toml'
            ) : (
              <code key="s">{limits.source}</code>
            ),
          ],
          [
            'Directories',
            limits.directories.length === 0 ? (
              'none: its limits cannot be read, so everything is refused'
            ) : (
              <code key="d">{limits.directories.join(', ')}</code>
            ),
          ],
          ['Engines', limits.engines.join(', ') || 'none'],
          ['Never ask', limits.bypass ? 'allowed' : 'not allowed'],
          ['Least grade', limits.minimumGrade],
          ...(limits.minimumNetwork === 'model-only' || limits.defaultNetwork === 'model-only'
            ? [['Network of a session', sayNetwork(limits)] as const]
            : []),
          ['Silence of an engine', `at most ${formatSpan(limits.noOutputMaxMs)}`],
          ...(limits.startMs === undefined
            ? []
            : [['First word of an engine', `within ${formatSpan(limits.startMs)}`] as const]),
          ...(limits.answerMaxMs === undefined
            ? []
            : [['An approval waits', `at most ${formatSpan(limits.answerMaxMs)}`] as const]),
          ...(limits.secretPatterns
            ? [['Redacted beside variables', sayPatterns(limits.secretPatterns)] as const]
            : []),
        ]}
      />
      <p className="mt-2 text-sm text-faint">
        These limits stand in a file on that machine. Nothing here can widen them.
      </p>
    </>
  );
}
