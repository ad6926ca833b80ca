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

/** What holds for the whole account. */
export function SettingsPage() {
  return (
    <Page title="Settings" narrow>
      <PolicySettings />
      <BudgetSettings />
      <PushDevices />
      <PushWebhook />
      <DigestSettings />
      <BrainKeys />
      <McpKeys />
      <GithubConnections />
      <Kept />
      <Appearance />
    </Page>
  );
}
