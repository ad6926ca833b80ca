import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { commandId, launchId } from '../../../protocol/ids.ts';
import { decideMessages } from '../../../workers/push/decide.ts';
import { entriesOf, viewAfter } from '../../support/protocol-builders.ts';

const refused = (
  over: Partial<Extract<FeedEvent, { type: 'command/failed' }>> = {},
): FeedEvent => ({
  type: 'command/failed',
  commandId: commandId.parse('cmd_1'),
  method: 'session/start',
  turnId: null,
  code: 'engine_unknown',
  message: 'This machine does not know the engine.',
  ...over,
});
const failed: FeedEvent = {
  type: 'launch/failed',
  launchId: launchId.parse('lau_1'),
  state: 'provider_failed',
  stage: 'queued',
  error: { code: 'auth_missing', message: 'Nobody is logged in.' },
  elapsedMs: 3,
  stderrTail: [],
};
/** What rings for these events at the end of a session's record, read in one page. */
const rings = (...events: FeedEvent[]) =>
  decideMessages(viewAfter(...events), entriesOf(events), 1_000);

describe('a launch that fails', () => {
  it('rings where the machine refused it and nothing else says so', () => {
    expect(rings(refused())).toMatchObject([{ kind: 'failed' }]);
  });

  it('rings once where its own failure follows, read together or one after the other', () => {
    const together = rings(refused(), failed);
    expect(together).toHaveLength(1);
    expect(new Set([...rings(refused()), ...together].map(({ tag }) => tag)).size).toBe(1);
  });

  it('does not ring for any other command that came to nothing', () => {
    expect(rings(refused({ method: 'session/interrupt' }))).toEqual([]);
  });
});

describe('a part of a limit that is used', () => {
  const notice = (code: string): FeedEvent => ({
    type: 'notice/raised',
    level: 'warning',
    code,
    message: '80 % of it is used.',
  });

  it.each(['budget_warning', 'shared_budget_warning'])('rings at each mark: %s', (code) => {
    const told = rings(notice(code), notice(code));
    expect(told.map(({ kind }) => kind)).toEqual(['budget', 'budget']);
    expect(new Set(told.map(({ tag }) => tag)).size).toBe(2);
  });

  it('rings for no other notice', () => {
    expect(rings(notice('budget_reached'), notice('grant_reached'))).toEqual([]);
  });
});
