import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';

/** A secret with which GitHub signs what it sends: 32 random bytes, as hex. */
export function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is left to do on GitHub. The secret is shown here and never again. */
export function WebhookSteps({
  path,
  secret,
  done,
}: {
  path: string;
  secret: string;
  done: () => void;
}) {
  return (
    <section aria-label="What is left to do on GitHub" className="space-y-3 text-left">
      <p>
        It is connected. On GitHub, under the repository’s Settings, Webhooks, add one with content
        type <code>application/json</code> and the events Issues and Issue comments, to this address
        or another that leads to it:
      </p>
      <Command text={new URL(path, window.location.origin).href} label="Copy the address" />
      <p>Its secret, which is shown this once:</p>
      <Command text={secret} label="Copy the secret" />
      <p className="text-sm text-soft">
        GitHub cannot call an address of this machine alone: let a name of yours lead here, and
        start Pilothouse with <code>--allow-host</code> for it.
      </p>
      <Button kind="primary" onClick={done}>
        Done
      </Button>
    </section>
  );
}
