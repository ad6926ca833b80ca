import type { App } from '../../context.ts';
import { registerAnswerCall } from './answer-call.ts';
import { registerListGateDecisions } from './list-decisions.ts';
import { registerListGateRequests } from './list-requests.ts';

/** What the gate decided, what waits for a person, and their answer. */
export function registerGate(app: App): void {
  registerListGateDecisions(app);
  registerListGateRequests(app);
  registerAnswerCall(app);
}
