import { describe, expect, it } from 'vitest';
import {
  OTHER_REQUEST,
  REQUEST,
  approvalDecided,
  approvalRequested,
  approvalResolved,
  commandFailed,
  halted,
  ready,
  staged,
  started,
  working,
} from '../../support/feed-events.ts';
import { OTHER_TURN, viewAfter } from '../../support/protocol-builders.ts';

const pendingIds = (view: ReturnType<typeof viewAfter>) =>
  view.pendingApprovals.map(({ requestId }) => requestId);

describe('a request', () => {
  it.each([
    ['tool', 'awaiting_approval'],
    ['plan', 'awaiting_approval'],
    ['question', 'awaiting_human'],
  ] as const)('about a %s has the session %s', (kind, state) => {
    expect(viewAfter(...working(), approvalRequested({ kind })).state).toBe(state);
  });

  it('that is asked again replaces itself', () => {
    const view = viewAfter(
      ...working(),
      approvalRequested({ summary: 'first' }),
      approvalRequested({ summary: 'again' }),
    );
    expect(view.pendingApprovals).toMatchObject([{ summary: 'again' }]);
  });

  it('stands behind the one that came before it, which decides what is waited for', () => {
    const view = viewAfter(
      ...working(),
      approvalRequested({ kind: 'question' }),
      approvalRequested({ requestId: OTHER_REQUEST }),
    );
    expect(pendingIds(view)).toEqual([REQUEST, OTHER_REQUEST]);
    expect(view.state).toBe('awaiting_human');
  });

  it('of a session that was never launched waits without a state for it', () => {
    const view = viewAfter(approvalRequested());
    expect(view.state).toBe('queued');
    expect(pendingIds(view)).toEqual([REQUEST]);
  });

  it('in an idle session, as of a task in the background, is waited for', () => {
    const view = viewAfter(staged('spawned'), ready(), approvalRequested({ turnId: null }));
    expect(view.state).toBe('awaiting_approval');
  });

  it('keeps everything that a person needs to answer it', () => {
    const question = {
      question: 'Which color?',
      header: null,
      options: [{ label: 'Red', description: null }],
      multiSelect: true,
    };
    const view = viewAfter(
      ...working(),
      approvalRequested({
        kind: 'question',
        questions: [question],
        suggestions: [{ label: 'Allow for this session' }],
        acts: ['push', 'tag'],
        expiresAt: 99,
      }),
    );
    expect(view.pendingApprovals).toMatchObject([
      {
        questions: [question],
        suggestions: [{ label: 'Allow for this session' }],
        acts: ['push', 'tag'],
        expiresAt: 99,
      },
    ]);
  });
});

describe('an answer', () => {
  it('leaves the request pending until the engine has taken it', () => {
    const view = viewAfter(...working(), approvalRequested(), approvalDecided());
    expect(pendingIds(view)).toEqual([REQUEST]);
    expect(view.answeredRequestIds).toEqual([REQUEST]);
  });

  it('that is given twice is one answer', () => {
    const view = viewAfter(...working(), approvalRequested(), approvalDecided(), approvalDecided());
    expect(view.answeredRequestIds).toEqual([REQUEST]);
  });

  it('that did not arrive may be given again', () => {
    const view = viewAfter(
      ...working(),
      approvalRequested(),
      approvalDecided(),
      commandFailed({ method: 'session/answer', requestId: REQUEST, turnId: null }),
    );
    expect(view.answeredRequestIds).toEqual([]);
    expect(pendingIds(view)).toEqual([REQUEST]);
  });

  it('that did not arrive takes no other answer with it', () => {
    const view = viewAfter(
      ...working(),
      approvalRequested(),
      approvalRequested({ requestId: OTHER_REQUEST }),
      approvalDecided(REQUEST),
      approvalDecided(OTHER_REQUEST),
      commandFailed({ method: 'session/answer', requestId: REQUEST, turnId: null }),
    );
    expect(view.answeredRequestIds).toEqual([OTHER_REQUEST]);
  });
});

describe('the engine’s word about a request', () => {
  it.each(['allowed', 'denied', 'expired', 'withdrawn'] as const)(
    'that it is %s lets the turn go on',
    (resolution) => {
      const view = viewAfter(
        ...working(),
        approvalRequested(),
        approvalDecided(),
        approvalResolved(REQUEST, resolution),
      );
      expect(view).toMatchObject({
        state: 'working',
        pendingApprovals: [],
        answeredRequestIds: [],
      });
    },
  );

  it('lets a session without an open turn be idle again', () => {
    const view = viewAfter(
      staged('spawned'),
      ready(),
      approvalRequested({ turnId: null }),
      approvalResolved(),
    );
    expect(view.state).toBe('idle');
  });

  it('shows the next one: a question after an approval', () => {
    const view = viewAfter(
      ...working(),
      approvalRequested(),
      approvalRequested({ requestId: OTHER_REQUEST, kind: 'question' }),
      approvalResolved(REQUEST),
    );
    expect(view.state).toBe('awaiting_human');
    expect(pendingIds(view)).toEqual([OTHER_REQUEST]);
  });

  it('that nobody asked for changes nothing', () => {
    const before = viewAfter(...working(), approvalRequested());
    const after = viewAfter(...working(), approvalRequested(), approvalResolved(OTHER_REQUEST));
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt, heardAt: after.heardAt });
  });

  it('does not lift a halt', () => {
    const view = viewAfter(...working(), approvalRequested(), halted(), approvalResolved());
    expect(view.state).toBe('halted');
  });
});

describe('a turn that begins while a request of another waits', () => {
  it('is work, and the request stays pending', () => {
    const view = viewAfter(...working(), approvalRequested(), started(OTHER_TURN, 'engine'));
    expect(view.state).toBe('working');
    expect(pendingIds(view)).toEqual([REQUEST]);
  });
});
