import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import type { PushChoices } from '../../protocol/push.ts';
import type { WebhookView } from '../../protocol/webhook.ts';
import { changeWebhook, PUSH_KEY, pushQuery, removeWebhook, testWebhook } from '../api/push.ts';
import { cliTwin } from '../format/cli.ts';
import { cx } from '../lib/class-names.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Command } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { DeviceChoices } from './device-choices.tsx';
import { SetWebhook } from './set-webhook.tsx';

/** The chat or the program that is told, beside browsers. */
export function PushWebhook() {
  const { data } = useQuery(pushQuery);
  const [setting, setSetting] = useState(false);
  return (
    <Section
      title="Webhook"
      aside={
        data && (
          <Button size="small" onClick={() => setSetting(true)}>
            <Webhook /> {data.webhook ? 'Set another' : 'Set a webhook'}
          </Button>
        )
      }
    >
      <p className="mb-3 text-soft">
        A chat, or a program of yours, can be told the same in the form of Slack. A message says
        that there is something and where to look, never what it is about, and is signed.
      </p>
      {data && !data.webhook && <p className="text-soft">No webhook is told.</p>}
      {data?.webhook && <Told webhook={data.webhook} />}
      <Dialog open={setting} onOpenChange={setSetting} title="A webhook">
        <SetWebhook done={() => setSetting(false)} />
      </Dialog>
    </Section>
  );
}

/** What became of the last message: in words, with the status that was answered. */
const wordOf = ({ status, fault }: WebhookView): string | null =>
  fault !== null
    ? `Not told the last time: ${fault}.`
    : status !== null
      ? `It answered ${status}.`
      : null;

function Told({ webhook }: { webhook: WebhookView }) {
  const { host, kinds, quiet, added, createdAt, lastAt, fault } = webhook;
  const [removing, setRemoving] = useState(false);
  const client = useQueryClient();
  const reread = () => client.invalidateQueries({ queryKey: PUSH_KEY });
  const test = useMutation({ mutationFn: testWebhook, onSettled: reread });
  const change = useMutation({
    // One after the other: each is all that was chosen, and the last one is to stand.
    scope: { id: 'webhook' },
    mutationFn: (choices: PushChoices) => changeWebhook(choices),
    onSettled: reread,
  });
  const error = change.error ?? test.error;
  const word = wordOf(webhook);
  return (
    <div className="rounded-md border bg-raised px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium break-all">{host}</span>
        <span className="text-sm text-faint">
          {lastAt === null ? 'set ' : 'last told '}
          <Ago at={lastAt ?? createdAt} />
        </span>
        <span className="ml-auto flex gap-2">
          <Button size="small" onClick={() => test.mutate()} busy={test.isPending}>
            Test it
          </Button>
          <Button size="small" kind="quiet" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </span>
      </div>
      {word !== null && (
        <output className={cx('block text-sm', fault === null ? 'text-soft' : 'text-red')}>
          {word}
        </output>
      )}
      <DeviceChoices
        choices={change.variables && change.isPending ? change.variables : { kinds, quiet }}
        added={change.isPending ? [] : added}
        change={(choices) => change.mutate(choices)}
      />
      {error && <ErrorPanel error={error} />}
      <div className="mt-1">
        <Command text={cliTwin.testWebhook()} />
      </div>
      {removing && (
        <ConfirmRemoval
          title={`Tell ${host} nothing more?`}
          name={host}
          description="Its address and its secret are forgotten here. Where it was made, it stays what it is."
          action="Remove the webhook"
          command={cliTwin.removeWebhook()}
          remove={removeWebhook}
          queryKey={PUSH_KEY}
          close={() => setRemoving(false)}
        />
      )}
    </div>
  );
}
