import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { repositoriesQuery } from '../api/decisions.ts';
import { MakeKey } from '../decisions/make-key.tsx';
import { RepositoryList } from '../decisions/repository-list.tsx';
import { cliTwin } from '../format/cli.ts';
import { nameHere } from '../lib/command-name.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NextPage } from '../ui/next-page.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorPanel, Skeleton } from '../ui/states.tsx';

/** Repositories whose builds check their decision records. */
export function DecisionsPage() {
  const query = useInfiniteQuery(repositoriesQuery);
  const [adding, setAdding] = useState(false);
  const repositories = query.data?.pages.flatMap((page) => page.items);
  // Held apart from the list: making the first key fills it, and its dialog must stay.
  const empty = repositories?.length === 0;
  return (
    <Page
      title="Decisions"
      aside={!empty && <Button onClick={() => setAdding(true)}>Add a repository</Button>}
    >
      {query.isPending && <Skeleton label="Reading the repositories" />}
      {query.isError && !repositories && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {empty && <Begin add={() => setAdding(true)} />}
      {repositories && !empty && <RepositoryList repositories={repositories} />}
      <NextPage query={query} label="Show more repositories" />
      {repositories && !empty && (
        <p className="mt-3 text-sm text-faint">
          <code>{cliTwin.decisions()}</code>
        </p>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title="A key for a repository’s builds">
        <MakeKey />
      </Dialog>
    </Page>
  );
}

/** From wherever the command is found: a clone of this product is another directory. */
const FIRST_CHECK = ['init', 'check']
  .map((command) => `pilothouse adr ${command} --root ~/code/project`)
  .join('\n');

function Begin({ add }: { add: () => void }) {
  return (
    <>
      <Empty title="No repository posts its decisions yet">
        A decision record says what later code must keep to; its rules make a build fail when it
        does not. Builds post what they found, and it stands here: every record, what enforces it,
        and whether it held the last time.
      </Empty>
      <ol className="mx-auto mt-6 max-w-prose space-y-5">
        <Step number={1} title="Check the records once, in the repository">
          <Command text={nameHere(FIRST_CHECK)} label="Copy the commands" />
        </Step>
        <Step number={2} title="Make a key for its builds">
          <p className="mb-2 text-soft">
            It posts reports of one repository and opens nothing else. You are shown it once, with
            the commands of the build.
          </p>
          <Button kind="primary" onClick={add}>
            Make a key
          </Button>
        </Step>
      </ol>
    </>
  );
}

function Step({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <li className="flex gap-3">
      <span className="figure grid size-6 shrink-0 place-items-center rounded-full border border-line-strong text-sm text-soft">
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="mb-1.5 font-semibold">{title}</h2>
        {children}
      </div>
    </li>
  );
}
