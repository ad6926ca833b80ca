import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Checkpoint } from '../../../protocol/checkpoints.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { checkpointsQuery, rewindFiles, sessionChangesKey } from '../../api/changes.ts';
import { cliTwin } from '../../format/cli.ts';
import { plural } from '../../format/count.ts';
import { usePress } from '../../lib/use-press.ts';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ErrorPanel, Skeleton } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { addToDraft } from '../draft.ts';
import { Nothing } from './facts.tsx';

/** What a session's files can be put back to; asked for when it is opened. */
export function Checkpoints({ view }: { view: SessionView }) {
  return (
    <section className="mt-3 rounded-md border">
      <Disclosure row="Put the files back">{() => <Kept view={view} />}</Disclosure>
    </section>
  );
}

function Kept({ view }: { view: SessionView }) {
  const { sessionId } = view;
  const client = useQueryClient();
  const query = useQuery(checkpointsQuery(sessionId, view.turns.length));
  const press = usePress({
    mutationFn: ({ tree }: Checkpoint) => rewindFiles(sessionId, { tree }),
    onSuccess: ({ files }, checkpoint) => {
      if (files > 0)
        addToDraft(
          sessionId,
          `The files were put back to how they were ${nameOf(view, checkpoint)}.`,
        );
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionChangesKey(sessionId) }),
  });
  if (query.isPending) return <Skeleton label="Reading the checkpoints" rows={2} />;
  if (!query.data) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  const { items } = query.data;
  if (items.length === 0)
    return (
      <div className="p-2">
        <Nothing>Nothing is kept of its files yet: they are kept after each turn.</Nothing>
      </div>
    );
  return (
    <div className="border-t p-2">
      <p className="text-sm text-soft">
        An edit, with nothing else undone: commits stay, and what git ignores is not touched. What
        the files are now is kept too, so that it can be taken back.
      </p>
      <output className="block text-sm">{press.data && wordsOf(press.data.files)}</output>
      {press.isError && <ErrorPanel error={press.error} />}
      <ul aria-label="Checkpoints" className="mt-1 divide-y">
        {items.map((item) => (
          <li key={`${item.at} ${item.tree}`} className="flex min-h-9 items-center gap-2">
            <span className="min-w-0 flex-1 truncate" title={titleOf(view, item)}>
              {capital(nameOf(view, item))}
            </span>
            <Ago at={item.at} className="shrink-0 text-sm text-faint" />
            <Button
              size="small"
              title={cliTwin.rewind(sessionId, item.tree.slice(0, 12))}
              aria-label={`Put the files back to how they were ${nameOf(view, item)}`}
              busy={press.isPending && press.variables === item}
              reason={press.isPending ? 'Files are being put back.' : null}
              onClick={() => press.mutate(item)}
            >
              Put back
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** When the files were so, as it goes on after "how they were". Pure. */
export function nameOf(
  { turns }: Pick<SessionView, 'turns'>,
  { kind, turnId }: Pick<Checkpoint, 'kind' | 'turnId'>,
): string {
  if (kind === 'start') return 'when it began';
  if (kind === 'rewind') return 'before they were put back';
  const turn = turns.findIndex((one) => one.turnId === turnId) + 1;
  return turn === 0 ? 'after a turn' : `after turn ${turn}`;
}

const titleOf = ({ turns }: SessionView, { turnId }: Checkpoint): string | undefined =>
  turns.find((one) => one.turnId === turnId)?.text ?? undefined;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wordsOf = (files: number): string =>
  files === 0
    ? 'The files are so already.'
    : `${plural(files, 'file')} changed by it. The engine knows nothing of it: the next instruction begins with it.`;
