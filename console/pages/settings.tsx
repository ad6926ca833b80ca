import type { ComponentType } from 'react';
import { BrainKeys } from '../brain-keys/keys.tsx';
import { BudgetSettings } from '../budgets/budget-settings.tsx';
import { GithubConnections } from '../github/connections.tsx';
import { McpKeys } from '../mcp/keys.tsx';
import { PolicySettings } from '../policy/policy-settings.tsx';
import { DigestSettings } from '../push/digest-settings.tsx';
import { PushDevices } from '../push/devices.tsx';
import { PushWebhook } from '../push/webhook.tsx';
import { Appearance } from '../settings/appearance.tsx';
import { Kept } from '../settings/kept.tsx';
import { Page } from '../ui/page.tsx';

type Part = { id: string; name: string; Part: ComponentType };

/** Each with the word that finds it in the list, and in the address. */
const PARTS: readonly Part[] = [
  { id: 'policy', name: 'Merging', Part: PolicySettings },
  { id: 'budgets', name: 'Budgets', Part: BudgetSettings },
  { id: 'notifications', name: 'Notifications', Part: PushDevices },
  { id: 'webhook', name: 'Webhook', Part: PushWebhook },
  { id: 'digest', name: 'Digest', Part: DigestSettings },
  { id: 'brains', name: 'Keys of brains', Part: BrainKeys },
  { id: 'mcp', name: 'Keys of clients', Part: McpKeys },
  { id: 'github', name: 'GitHub', Part: GithubConnections },
  { id: 'kept', name: 'What is kept', Part: Kept },
  { id: 'appearance', name: 'Appearance', Part: Appearance },
];

/** What holds for the whole account, with a list of its parts: it is longer than any screen. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className="gap-8 md:grid md:grid-cols-[8.5rem_minmax(0,42rem)] md:items-start">
        <nav
          aria-label="Parts of the settings"
          className="mb-5 flex flex-wrap gap-x-1 max-md:-mx-2 md:sticky md:top-5 md:mb-0 md:-ml-2 md:flex-col"
        >
          {PARTS.map(({ id, name }) => (
            <a
              key={id}
              href={`#${id}`}
              className="flex min-h-8 items-center rounded-md px-2 text-soft hover:bg-sunken hover:text-ink max-md:min-h-11"
            >
              {name}
            </a>
          ))}
        </nav>
        <div className="in-order min-w-0">
          {PARTS.map(({ id, Part }) => (
            <div key={id} id={id} className="scroll-mt-5">
              <Part />
            </div>
          ))}
        </div>
      </div>
    </Page>
  );
}
