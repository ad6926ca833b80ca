// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { describeNote } from '../../../console/transcript/describe-note.ts';
import { describeTakeover } from '../../../console/transcript/describe-takeover.ts';
import { TURN } from '../../support/protocol-builders.ts';

const closed = (over: Partial<EventOf<'terminal/closed'>>): EventOf<'terminal/closed'> => ({
  type: 'terminal/closed',
  turnId: TURN,
  reason: 'released',
  exitCode: null,
  message: null,
  ...over,
});

describe('what the transcript says of a takeover', () => {
  it.each([
    ['keys', 'console', 'Taken over in the engine’s own terminal, from the console.'],
    ['text', 'cli', 'Taken over with text, from the cli.'],
  ] as const)('tells how (%s) and from where (%s)', (form, channel, text) => {
    expect(
      describeTakeover({ type: 'takeover/began', form, actorId: LOCAL_ACTOR, channel, epoch: 1 }),
    ).toEqual({ text, failed: false });
  });

  it('tells a terminal that opened from one that the runner opened again', () => {
    const opened = (reopened: boolean) =>
      describeTakeover({
        type: 'terminal/opened',
        turnId: TURN,
        columns: 80,
        rows: 24,
        reopened,
        process: { pid: 1, argv: ['claude'], directory: '/srv/work' },
      }).text;
    expect(opened(false)).toContain('What is done in it is not recorded here.');
    expect(opened(true)).toContain('The runner restarted');
  });

  it.each([
    ['released', false, 'goes on with the conversation'],
    ['exited', false, 'The terminal was left'],
    ['stopped', false, 'with the session'],
    ['runner_restarted', false, 'opens again when it is back'],
    ['failed', true, 'could not be opened'],
  ] as const)(
    'says why it closed when it %s, and whether that is a failure',
    (reason, failed, words) => {
      const told = describeTakeover(closed({ reason }));
      expect(told.failed).toBe(failed);
      expect(told.text).toContain(words);
    },
  );

  it('prefers the words of the machine, and tells a failure as one', () => {
    const event = closed({ reason: 'failed', message: 'No such program.' });
    expect(describeNote(event)).toEqual({ text: 'No such program.', tone: 'failed', detail: [] });
  });
});
