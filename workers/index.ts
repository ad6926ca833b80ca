import type { Env } from './env.ts';
import { createApp } from './http/app.ts';

export { BudgetBook } from './budgets/budget-book.ts';
export { OperatorChat } from './relay/chat/operator-chat.ts';
export { GithubCourier } from './github/courier.ts';
export { PilotSweeper } from './pilot/sweeper.ts';
export { PushBell } from './push/bell.ts';
export { PilotWorkflow } from './pilot/workflow.ts';
export { PaneTerminal } from './relay/pane-terminal.ts';
export { RunnerRelay } from './relay/runner-relay.ts';
export { SessionFeed } from './relay/session-feed.ts';
export { SessionImages } from './relay/session-images.ts';
export { SessionTerminal } from './relay/session-terminal.ts';

const app = createApp();

// The runtime takes a Worker's handler from the default export.
export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
