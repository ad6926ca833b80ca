import { Ellipsis, PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { type GradeReport, sayGuard } from '../../protocol/grade.ts';
import type { Presence } from '../../protocol/machine.ts';
import type { SessionSummary } from '../../protocol/http.ts';
import { REHEARSAL_ENGINE_ID, titleOf } from '../../protocol/launch.ts';
import { isUnmetered } from '../../protocol/preset.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { LiveText } from '../feed/live-text.ts';
import { cliTwin } from '../format/cli.ts';
import { formatMoney } from '../format/money.ts';
import { formatAbsolute, formatSpan } from '../format/time.ts';
import { copyText } from '../lib/copy.ts';
import { useNow } from '../lib/use-now.ts';
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx';
import { PresenceMark } from '../ui/presence.tsx';
import { RehearsalLabel } from '../ui/rehearsal-label.tsx';
import { Spend } from '../ui/spend.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { UnmeteredLabel } from '../ui/unmetered-label.tsx';
import { wordsOfGrade, wordsOfNetwork } from '../launch/words.ts';
import { ForkedInto, ForkItem, GoesOnFrom } from './go-on.tsx';
import { RestartEngine } from './restart-engine.tsx';
import { Silence } from './silence.tsx';

type SessionHeaderProps = {
  view: SessionView;
  summary: SessionSummary | undefined;
  presence: Presence;
  /** Text on its way: an engine that writes is not silent. */
  live: LiveText;
  /** Opens the side panel where there is no room for it; null where it stands open. */
  openSide: (() => void) | null;
};

/** What this is, how it stands and since when, where it runs, what it has cost. */
export function SessionHeader({ view, summary, presence, live, openSide }: SessionHeaderProps) {
  const { launch, engine, state, stateAt } = view;
  const model = engine?.model ?? launch.model;
  const rehearsal = launch.engineId === REHEARSAL_ENGINE_ID;
  return (
    <header className="border-b px-4 py-2">
      <div className="flex items-center gap-2">
        <h1 className="min-w-0 flex-1 truncate text-md font-semibold" title={launch.objective}>
          {titleOf(launch.objective, 160)}
        </h1>
        {openSide && (
          <button
            type="button"
            onClick={openSide}
            className="inline-flex h-8 items-center gap-1.5 rounded-md border px-2 text-soft hover:border-line-strong"
          >
            <PanelRight /> Details
          </button>
        )}
        <RestartEngine view={view}>
          {(restart) => <TwinMenu view={view} restart={restart} />}
        </RestartEngine>
      </div>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm">
        <span className="inline-flex flex-wrap items-baseline gap-x-1.5">
          <StateBadge state={state} />
          <Since at={stateAt} />
          <Silence view={view} live={live} />
        </span>
        <span className="inline-flex items-center gap-1.5 text-soft">
          {rehearsal ? <RehearsalLabel /> : (launch.preset?.label ?? launch.engineId)}
          {launch.preset && isUnmetered(launch.preset) && <UnmeteredLabel />}
          {model !== null && !rehearsal && <span className="text-faint">{model}</span>}
        </span>
        <GoesOnFrom view={view} />
        <ForkedInto view={view} />
        {view.checkout?.grade && <GradeMark report={view.checkout.grade} />}
        <PresenceMark presence={presence} {...(summary ? { name: summary.runnerName } : {})} />
        <span className="ml-auto inline-flex flex-wrap items-baseline gap-x-2">
          {Object.keys(view.spend).length > 0 && <Spend totals={view.spend} wordy />}
          {launch.budgetMicroUsd !== null && (
            <Budget limit={launch.budgetMicroUsd} spent={chargedTo(view)} />
          )}
        </span>
      </div>
    </header>
  );
}

/** How much power it holds; why it is this grade is told on pointing at it. */
function GradeMark({ report }: { report: GradeReport }) {
  const { label, meaning } = wordsOfGrade(report.grade);
  const closed = report.network === 'model-only' ? wordsOfNetwork(report.network) : null;
  const guard = sayGuard(report);
  return (
    <>
      <span className="text-faint" title={`${meaning} ${report.reason}`}>
        {label.toLowerCase()}
      </span>
      {guard !== null && (
        <span className="text-faint" title={guard}>
          {report.guard ? 'with a guard' : 'without a guard'}
        </span>
      )}
      {closed && (
        <span className="text-faint" title={closed.meaning}>
          {closed.clause}
        </span>
      )}
    </>
  );
}

/**
 * What counts against a budget: everything that has a price, except what nobody is charged for, or
 * what the model gate has seen where that is more: it sees a turn that has told nothing yet.
 */
function chargedTo({ spend, model }: SessionView): number {
  const { reported, estimated, notional, unsettled } = spend;
  const told = [reported, estimated, notional, unsettled].reduce(
    (sum, total) => sum + (total?.microUsd ?? 0),
    0,
  );
  return Math.max(told, model?.microUsd ?? 0);
}

function Since({ at }: { at: number }) {
  const now = useNow('second');
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`since ${formatAbsolute(at)}`}
      className="figure whitespace-nowrap text-faint"
    >
      {formatSpan(Math.max(0, now - at))}
    </time>
  );
}

function Budget({ limit, spent }: { limit: number; spent: number }) {
  return (
    <span className="inline-flex items-center gap-2 text-faint">
      of <span className="figure">{formatMoney(limit)}</span>
      <meter
        aria-label="Spent of the budget"
        min={0}
        max={limit}
        value={Math.min(spent, limit)}
        className="meter h-1.5 w-16"
      />
    </span>
  );
}

/** What is done seldom, and the commands that do what this page does. */
function TwinMenu({ view, restart }: { view: SessionView; restart: ReactNode }) {
  const { sessionId } = view;
  const twins = [
    cliTwin.watch(sessionId),
    cliTwin.status(sessionId),
    cliTwin.report(sessionId),
    cliTwin.diff(sessionId),
    cliTwin.pack(sessionId),
    cliTwin.say(sessionId, ''),
    cliTwin.takeOver(sessionId),
    cliTwin.act(sessionId, 'interrupt'),
    cliTwin.act(sessionId, 'stop'),
    cliTwin.act(sessionId, 'restart'),
    cliTwin.act(sessionId, 'retry'),
    cliTwin.fork(sessionId),
  ];
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="More, and the same in a terminal"
          className="grid size-8 place-items-center rounded-md text-faint hover:bg-sunken hover:text-ink"
        >
          <Ellipsis />
        </button>
      }
    >
      {restart}
      <ForkItem view={view} />
      <MenuLabel>The same in a terminal: choose one to copy it</MenuLabel>
      {twins.map((twin) => (
        <MenuItem key={twin} onSelect={() => void copyText(twin)}>
          <code className="text-sm break-all">{twin}</code>
        </MenuItem>
      ))}
      <MenuItem onSelect={() => void copyText(sessionId)}>Copy the session’s id</MenuItem>
    </Menu>
  );
}
