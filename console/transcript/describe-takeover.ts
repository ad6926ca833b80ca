import type { EventOf } from '../../protocol/engine-event.ts';

type TakeoverEvent = EventOf<
  'takeover/began' | 'takeover/released' | 'terminal/opened' | 'terminal/closed'
>;

const CLOSED: Record<EventOf<'terminal/closed'>['reason'], string> = {
  released: 'The terminal is closed. The next instruction goes on with the conversation.',
  exited: 'The terminal was left. The next instruction goes on with the conversation.',
  stopped: 'The terminal was closed with the session.',
  runner_restarted: 'The terminal closed with the runner and opens again when it is back.',
  failed: 'The terminal could not be opened.',
};

/** What the transcript says of a takeover; what was typed and shown is in no record. */
export function describeTakeover(event: TakeoverEvent): { text: string; failed: boolean } {
  switch (event.type) {
    case 'takeover/began': {
      const how = event.form === 'keys' ? 'in the engine’s own terminal' : 'with text';
      return { text: `Taken over ${how}, from the ${event.channel}.`, failed: false };
    }
    case 'takeover/released':
      return { text: 'Handed back.', failed: false };
    case 'terminal/opened':
      return event.reopened
        ? {
            text: 'The runner restarted: the conversation opened in a new terminal.',
            failed: false,
          }
        : { text: 'The terminal is open. What is done in it is not recorded here.', failed: false };
    case 'terminal/closed':
      return { text: event.message ?? CLOSED[event.reason], failed: event.reason === 'failed' };
    default:
      return event satisfies never;
  }
}
