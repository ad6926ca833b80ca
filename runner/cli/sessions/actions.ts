import type { Command } from 'commander';
import { requestedAction } from '../../../protocol/session.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from './find.ts';

const ACTIONS = {
  interrupt: { description: 'interrupt the running turn; the session stays', done: 'Interrupting' },
  stop: {
    description: 'stop a session: the engine and everything it started ends',
    done: 'Stopping',
  },
  retry: {
    description: 'start a session again that failed or ended, on the same conversation',
    done: 'Starting again',
  },
  restart: {
    description: 'restart the engine; its conversation and what waits go on in a new process',
    done: 'Restarting the engine of',
  },
  compact: {
    description: 'make a long conversation short: the next turn begins it anew, told what was done',
    done: 'The next instruction begins a new conversation of',
  },
  dismiss: { description: 'say that a failure needs you no more', done: 'Dismissed' },
  restore: { description: 'take a dismissal back', done: 'Needs you again:' },
} as const;

/** `pilothouse sessions interrupt|stop|retry|restart|compact|dismiss|restore`. */
export function addActions(sessions: Command): void {
  for (const action of requestedAction.options) {
    const { description, done } = ACTIONS[action];
    withConnection(sessions.command(action))
      .description(description)
      .argument('<session>', 'id of a session, or a part of it')
      .addHelpText('after', `\nExample:\n  pilothouse sessions ${action} ses_01k…`)
      .action(async (text: string, options: ConnectionOptions) => {
        const { api } = connect(options, process.env);
        const { sessionId } = await findSession(api, text);
        await api.act(sessionId, action);
        print(options.json, { sessionId, action, accepted: true }, () => `${done} ${sessionId}.`);
      });
  }
}
