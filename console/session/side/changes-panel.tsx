import type { Presence } from '../../../protocol/machine.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import type { Item } from '../../feed/items.ts';
import { shellWord } from '../../../protocol/shell-word.ts';
import { formatAbsolute, formatClock } from '../../format/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { plural } from '../../format/count.ts';
import { DiffCount } from '../../transcript/diff.tsx';
import { useShorten } from '../../transcript/shorten.ts';
import { Command } from '../../ui/copy.tsx';
import { findCheckoutTime, listChangedFiles } from './changed-files.ts';
import { Facts, Heading, Nothing } from './facts.tsx';
import { ReviewedFiles } from './reviewed-files.tsx';

/** How the session's branch gets into the person's own; null when there is nothing to merge. */
export function mergeCommand(view: SessionView): string | null {
  const { checkout, launch } = view;
  if (!checkout || checkout.mode !== 'own' || checkout.branch === null || checkout.commits === 0) {
    return null;
  }
  // A scratch repository is nobody's own.
  if (launch.directory === null) return null;
  return `git -C ${shellWord(launch.directory)} merge ${shellWord(checkout.branch)}`;
}

/** Where the work lies, what it changed, and how to take it. */
export function ChangesPanel({
  view,
  items,
  presence,
}: {
  view: SessionView;
  items: readonly Item[];
  presence: Presence | null;
}) {
  const { checkout } = view;
  const reviewable = isReviewable(view, items, presence);
  const asOf = findCheckoutTime(items);
  const now = useNow('minute');
  const merge = mergeCommand(view);
  return (
    <>
      {checkout === null ? (
        <Nothing>The checkout is not prepared yet.</Nothing>
      ) : (
        <Facts
          facts={[
            ['Works in', <code key="d">{checkout.directory}</code>],
            ['Branch', <code key="b">{checkout.branch ?? 'none'}</code>],
            [
              'Commits',
              <span key="n" className="figure">
                {checkout.commits}
              </span>,
            ],
            ['Uncommitted', plural(checkout.uncommittedFiles, 'file')],
            ...(checkout.commit === null
              ? []
              : [['Head', <code key="h">{checkout.commit.slice(0, 12)}</code>] as const]),
          ]}
        />
      )}
      {asOf !== null && (
        <p className="mt-2 text-sm text-faint">
          {asOf.turn === 0 ? 'As of the start' : `As of turn ${asOf.turn}`}, {''}
          <time dateTime={new Date(asOf.at).toISOString()} title={formatAbsolute(asOf.at)}>
            {formatClock(asOf.at, now)}
          </time>
          {view.openTurnId !== null &&
            '. What the running turn commits is counted when it ends; the files below are live.'}
        </p>
      )}
      {merge !== null && (
        <>
          <Heading>Take it into your branch</Heading>
          <Command text={merge} />
        </>
      )}
      {reviewable ? (
        <>
          <Heading>Changed since it began</Heading>
          <ReviewedFiles view={view} />
        </>
      ) : (
        <ToolFiles items={items} />
      )}
    </>
  );
}

/**
 * Files of its own that nobody is writing just now, on a machine that is there: git can be asked.
 * Until the commits of the last turn were brought back, its turn is not over there. Pure.
 */
export function isReviewable(
  { checkout, turns, takeover }: Pick<SessionView, 'checkout' | 'turns' | 'takeover'>,
  items: readonly Item[],
  presence: Presence | null,
): boolean {
  const seen = items.filter(({ kind }) => kind === 'turn').length;
  const over = turns.every(({ state }) => state === 'ended') && !takeover;
  const still = over && findCheckoutTime(items)?.turn === seen;
  return checkout?.mode === 'own' && still && presence !== 'offline';
}

/** What the engine said that it changed: all there is while it works, or in the directory itself. */
function ToolFiles({ items }: { items: readonly Item[] }) {
  const shorten = useShorten();
  const files = listChangedFiles(items);
  return (
    <>
      <Heading>Files its tools changed</Heading>
      {files.length === 0 && <Nothing>None yet. What commands change shows as commits.</Nothing>}
      <ul>
        {files.map((file) => (
          <li key={file.path} className="flex h-8 items-center gap-2">
            <code className="min-w-0 flex-1 truncate text-left text-sm" dir="rtl" title={file.path}>
              <bdi>{shorten(file.path)}</bdi>
            </code>
            {file.change !== 'edited' && <span className="text-sm text-faint">{file.change}</span>}
            <DiffCount file={file} />
          </li>
        ))}
      </ul>
    </>
  );
}
