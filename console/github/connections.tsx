import { useQuery } from '@tanstack/react-query';
import { GitPullRequest } from 'lucide-react';
import { useState } from 'react';
import { GITHUB_COMMAND, type GithubChannel } from '../../protocol/github.ts';
import { GITHUB_KEY, githubQuery, removeGithub } from '../api/github.ts';
import { cliTwin } from '../format/cli.ts';
import { sayStops, summarisePilot } from '../launch/words.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { ConnectGithub } from './connect.tsx';

/** The repositories on GitHub whose issues start sessions. */
export function GithubConnections() {
  const query = useQuery(githubQuery);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<GithubChannel | null>(null);
  return (
    <Section
      title="GitHub"
      aside={
        <Button size="small" onClick={() => setAdding(true)}>
          <GitPullRequest /> Connect a repository
        </Button>
      }
    >
      <p className="mb-3 text-soft">
        A label on an issue starts a session, and comments that begin with{' '}
        <code>{GITHUB_COMMAND}</code> steer it. Owners, members and collaborators may, unless the
        connection names others.
      </p>
      {query.isPending && <Skeleton label="Reading the connections" rows={2} />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {query.data?.length === 0 && (
        <p className="text-soft">No repository is connected, so no issue starts anything.</p>
      )}
      {query.data && query.data.length > 0 && (
        <ul
          aria-label="Repositories"
          className="divide-y overflow-hidden rounded-md border bg-raised"
        >
          {query.data.map((channel) => (
            <Connection key={channel.channelId} channel={channel} remove={setRemoving} />
          ))}
        </ul>
      )}
      <Dialog
        open={adding}
        onOpenChange={setAdding}
        title="Connect a repository"
        description="Its issues start sessions within what is said here. The command line can set up other askers and a policy."
      >
        <ConnectGithub onConnected={() => setAdding(false)} />
      </Dialog>
      {removing && (
        <ConfirmRemoval
          title={`Remove the connection to ${removing.repository}?`}
          name={removing.repository}
          description="Its issues start nothing any more, and its token is forgotten here. Sessions that they started go on."
          action="Remove the connection"
          command={cliTwin.removeGithub(removing.repository)}
          remove={() => removeGithub(removing.channelId)}
          queryKey={GITHUB_KEY}
          close={() => setRemoving(null)}
        />
      )}
    </Section>
  );
}

function Connection({
  channel,
  remove,
}: {
  channel: GithubChannel;
  remove: (channel: GithubChannel) => void;
}) {
  const { repository, label, delivery, launch, polledAt, fault } = channel;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
      <span className="font-medium">{repository}</span>
      <span className="text-sm text-soft">
        label {label}, {launch.engineId}, {sayStops(launch)}
      </span>
      <code className="text-sm break-all text-soft">{launch.directory}</code>
      <span className="text-sm text-faint">
        {delivery === 'webhook' ? (
          'by webhook'
        ) : (
          <>
            looked at <Ago at={polledAt} />
          </>
        )}
      </span>
      <span className="ml-auto">
        <Button size="small" kind="quiet" onClick={() => remove(channel)}>
          Remove
        </Button>
      </span>
      {launch.pilot && (
        <span className="w-full text-sm text-soft">{summarisePilot(launch.pilot)}</span>
      )}
      {fault !== null && <span className="w-full text-sm text-red">{fault}</span>}
    </li>
  );
}
