import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { PUSH_KINDS } from '../../protocol/push.ts';
import { isWebhookUrl } from '../../protocol/webhook.ts';
import { PUSH_KEY, setWebhook } from '../api/push.ts';
import { cliTwin } from '../format/cli.ts';
import { usePress } from '../lib/use-press.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { Field, inputClass } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';

const NEEDS =
  'Give an https:// address on the public internet, at its own port and without a name in it.';

/** Asks for an address, and shows the secret of its signatures this once. */
export function SetWebhook({ done }: { done: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const [url, setUrl] = useState('');
  const [tried, setTried] = useState(false);
  const wrong = tried && !isWebhookUrl(url.trim());
  const setting = usePress({
    mutationFn: () => setWebhook({ url: url.trim(), kinds: [...PUSH_KINDS], quiet: null }),
    onSuccess: () => client.invalidateQueries({ queryKey: PUSH_KEY }),
  });
  if (setting.data)
    return (
      <div className="text-left">
        <p className="mb-3">
          {setting.data.webhook.host} is told from now on. A program of yours can tell by this
          secret that a message is from here; Slack needs none. It is shown this once.
        </p>
        <Command text={setting.data.secret} label="Copy the secret" />
        <div className="mt-4">
          <Button kind="primary" onClick={done}>
            Done
          </Button>
        </div>
      </div>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isWebhookUrl(url.trim())) setting.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="text-left">
      <Field
        id={`${id}-url`}
        label="Address"
        problem={wrong ? NEEDS : undefined}
        hint="As Slack, Mattermost or your program gives it. Encrypted where it is kept; of it, only the host is shown."
      >
        <input
          id={`${id}-url`}
          aria-invalid={wrong}
          className={inputClass(wrong)}
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://hooks.slack.com/services/…"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
      </Field>
      <FormEnd press={setting} retry={() => setting.mutate()} command={cliTwin.setWebhook()}>
        Tell it
      </FormEnd>
    </form>
  );
}
