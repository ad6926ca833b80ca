import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { CheckoutReview, ReviewedFile } from '../../../protocol/review.ts';
import { changedFileQuery, changesQuery } from '../../api/changes.ts';
import { plural } from '../../format/count.ts';
import { Patch } from '../../transcript/diff.tsx';
import type { PatchLine } from '../../transcript/parse-patch.ts';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ErrorPanel, Skeleton } from '../../ui/states.tsx';
import type { SessionView } from '../../../protocol/session-view.ts';
import { addToDraft } from '../draft.ts';
import { Checkpoints } from './checkpoints.tsx';
import { Nothing } from './facts.tsx';
import { Land } from './land.tsx';

/** Every file that a session changed as git sees it, each with its diff, and how it goes further. */
export function ReviewedFiles({ view }: { view: SessionView }) {
  const { sessionId } = view;
  const query = useQuery(changesQuery(sessionId, momentOf(view)));
  const again = () => void query.refetch();
  if (query.isPending) return <Skeleton label="Looking at what changed" rows={3} />;
  if (!query.data) return <ErrorPanel error={query.error} retry={again} />;
  if ('working' in query.data)
    return (
      <Nothing>It is at work there. What it changed is shown when its turn has ended.</Nothing>
    );
  return (
    <>
      {query.isError && (
        <div className="mb-2">
          <ErrorPanel error={query.error} retry={again} />
        </div>
      )}
      <Review review={query.data} again={again} busy={query.isFetching} />
      {query.data.files.length > 0 && <Land view={view} review={query.data} />}
      <Checkpoints view={view} />
    </>
  );
}

/** Whatever the files are after it, they were others before. */
const momentOf = ({ turns, checkout }: SessionView): string =>
  `${turns.length} ${checkout?.commit} ${checkout?.uncommittedFiles}`;

function Review({
  review,
  again,
  busy,
}: {
  review: CheckoutReview;
  again: () => void;
  busy: boolean;
}) {
  const { files, moreFiles } = review;
  return (
    <>
      <div className="mb-1 flex items-center gap-2">
        <p className="min-w-0 flex-1 text-soft">{totalOf(review)}</p>
        <Button size="small" kind="quiet" busy={busy} onClick={again}>
          <RotateCw /> Look again
        </Button>
      </div>
      {files.length === 0 && <Nothing>Nothing differs from where the session began.</Nothing>}
      <ul aria-label="Changed files" className="divide-y rounded-md border">
        {files.map((file) => (
          <File key={`${review.tree} ${file.path}`} review={review} file={file} />
        ))}
      </ul>
      {moreFiles > 0 && (
        <p className="mt-2 text-soft">
          And {plural(moreFiles, 'more file')}: too many to list. Is something built there that git
          does not ignore?
        </p>
      )}
    </>
  );
}

/** How much it is: files, and the lines of those that are text. Pure. */
export function totalOf({ files, moreFiles }: CheckoutReview): string {
  const count = plural(files.length + moreFiles, 'file');
  const added = files.reduce((sum, { additions }) => sum + (additions ?? 0), 0);
  const removed = files.reduce((sum, { deletions }) => sum + (deletions ?? 0), 0);
  return `${count}, +${added} −${removed}`;
}

function File({ review, file }: { review: CheckoutReview; file: ReviewedFile }) {
  const { path, was, change, additions, deletions } = file;
  const row = (
    <>
      <code className="min-w-0 flex-1 truncate text-sm" dir="rtl" title={path}>
        <bdi>{path}</bdi>
      </code>
      {change !== 'edited' && (
        <span className="text-sm text-faint" title={was === null ? undefined : `was ${was}`}>
          {change}
        </span>
      )}
      <span className="figure shrink-0 text-sm whitespace-nowrap text-soft">
        {additions === null || deletions === null ? 'no text' : `+${additions} −${deletions}`}
      </span>
    </>
  );
  return (
    <li>
      <Disclosure row={row}>{() => <FilePatch review={review} file={file} />}</Disclosure>
    </li>
  );
}

function FilePatch({
  review: { sessionId, tree },
  file,
}: {
  review: CheckoutReview;
  file: ReviewedFile;
}) {
  const { path } = file;
  const query = useQuery(changedFileQuery(sessionId, tree, file));
  if (query.isPending) return <Skeleton label={`Reading ${path}`} rows={3} />;
  if (!query.data)
    return (
      <div className="p-2">
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  const { patch, cutChars } = query.data;
  const comment = (line: PatchLine) => addToDraft(sessionId, describeLine(path, line));
  return (
    <div className="border-t">
      {patch === '' && <p className="p-2 text-soft">Nothing in it differs as text.</p>}
      {patch !== '' && <Patch patch={patch} comment={comment} />}
      {cutChars > 0 && (
        <p className="p-2 text-sm text-soft">
          {plural(cutChars, 'more character')} in the checkout.
        </p>
      )}
    </div>
  );
}

/** A line as the engine finds it, before what a person has to say of it. Pure. */
export function describeLine(path: string, { kind, text, before, after }: PatchLine): string {
  const at = kind === 'removed' ? `${path}, line ${before} before` : `${path}:${after}`;
  return `${at}, \`${text.trim().slice(0, 120)}\`: `;
}
