import type { App } from '../../context.ts';
import { registerAnswerCall } from './answer-call.ts';
import { registerListGateDecisions } from './list-decisions.ts';
import { registerListGateRequests } from './list-requests.ts';
import { registerReadChat } from './read-chat.ts';
import { registerSay } from './say.ts';
import { registerStopChat } from './stop-chat.ts';

/** What the gate decided, what waits for a person and their answer, and the agents. */
export function registerGate(app: App): void {
  registerListGateDecisions(app);
  registerListGateRequests(app);
  registerAnswerCall(app);
  registerReadChat(app);
  registerSay(app);
  registerStopChat(app);
}
