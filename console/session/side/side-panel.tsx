import { Tabs } from 'radix-ui';
import { memo } from 'react';
import type { FeedState } from '../../feed/feed.ts';
import { modeOf } from '../../../protocol/launch.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { PilotPanel } from '../../pilot/pilot-panel.tsx';
import { useMachineName } from '../use-machine.ts';
import { ActsPanel } from './acts-panel.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { DiagnosticsPanel } from './diagnostics-panel.tsx';
import { PolicyWords } from './policy-words.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { SpendPanel } from './spend-panel.tsx';

const TABS = ['Changes', 'Acts', 'Spend', 'Preview', 'Diagnostics'] as const;
const PILOTED = ['Pilot', ...TABS] as const;

type SidePanelProps = Pick<FeedState, 'presence'> & {
  view: SessionView;
  items: FeedState['transcript']['items'];
  runnerId: string | null;
};

/**
 * What stands beside the transcript: what changed, what was done, what it cost, how it runs. Its
 * panels go through the whole record, so text that is on its way does not draw it anew.
 */
export const SidePanel = memo(function SidePanel({
  view,
  items,
  presence,
  runnerId,
}: SidePanelProps) {
  const machine = useMachineName(runnerId);
  const tabs = modeOf(view.launch) === 'manual' ? TABS : PILOTED;
  return (
    <Tabs.Root defaultValue={tabs[0]} className="flex h-full min-h-0 flex-col">
      <Tabs.List
        aria-label="About this session"
        className="flex shrink-0 overflow-x-auto border-b px-2 text-sm"
      >
        {tabs.map((tab) => (
          <Tabs.Trigger
            key={tab}
            value={tab}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent px-1.5 text-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab}
            {tab === 'Acts' && view.acts > 0 && (
              <span className="figure ml-1 text-faint">{view.acts}</span>
            )}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div className="min-h-0 flex-1 overflow-y-auto p-3">
        <Tabs.Content value="Pilot">
          <PilotPanel sessionId={view.sessionId} />
        </Tabs.Content>
        <Tabs.Content value="Changes">
          <ChangesPanel view={view} items={items} presence={presence} />
        </Tabs.Content>
        <Tabs.Content value="Acts">
          <ActsPanel items={items} pending={view.pendingApprovals} given={view} machine={machine} />
          <PolicyWords policy={view.launch.policy} />
        </Tabs.Content>
        <Tabs.Content value="Spend">
          <SpendPanel view={view} />
        </Tabs.Content>
        <Tabs.Content value="Preview">
          <PreviewPanel sessionId={view.sessionId} machine={machine} />
        </Tabs.Content>
        <Tabs.Content value="Diagnostics">
          <DiagnosticsPanel view={view} items={items} />
        </Tabs.Content>
      </div>
    </Tabs.Root>
  );
});
