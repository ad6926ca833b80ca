import { describe, expect, it } from 'vitest';
import { parseDelivery } from '../../../workers/github/event.ts';
import { RECORDED, recorded } from '../support/github.ts';

describe('a delivery of GitHub', () => {
  it('is read whichever of the recorded ones it is, and most are about something else', () => {
    const kinds = RECORDED.map(({ name, body }) => parseDelivery(name, body, 1).kind);
    expect(kinds.filter((kind) => kind === 'labeled')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'commented')).toHaveLength(5);
    expect(new Set(kinds)).toEqual(new Set(['labeled', 'commented', 'other']));
  });

  it('tells of a label, its issue, and whether a bot set it', () => {
    const event = parseDelivery('issues', recorded('issues', 'labeled'), 7);
    expect(event).toMatchObject({
      kind: 'labeled',
      repository: 'Codertocat/Hello-World',
      label: 'bug',
      byBot: false,
      issue: { number: 1, open: true, author: 'Codertocat', association: 'OWNER', labels: ['bug'] },
      // Of the label, so that a delivery that comes again is no newer.
      at: Date.parse(recorded('issues', 'labeled').issue['updated_at'] as string),
    });
  });

  it('tells of a comment at the time at which GitHub took it', () => {
    const body = recorded('issue_comment', 'created');
    expect(parseDelivery('issue_comment', body, 7)).toMatchObject({
      kind: 'commented',
      comment: { author: 'Codertocat', bot: false, edited: false },
      at: Date.parse(body.comment['created_at'] as string),
    });
  });

  it('takes an issue without words, and of nobody who is there any more', () => {
    const body = recorded('issues', 'labeled', { issue: { body: null, user: null } });
    expect(parseDelivery('issues', body, 1)).toMatchObject({
      issue: { body: '', author: 'nobody' },
    });
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a word', 'x'],
    ['no repository', { action: 'labeled', issue: recorded('issues', 'labeled').issue }],
    ['an issue of another form', { ...recorded('issues', 'labeled'), issue: { number: 'one' } }],
    [
      'a rank that there is not',
      recorded('issues', 'labeled', { issue: { author_association: 'KING' } }),
    ],
    ['a time that is none', recorded('issues', 'labeled', { comment: { created_at: 'today' } })],
  ])('is something else where it holds %s', (_, body) => {
    expect(parseDelivery('issues', body, 1).kind).toBe('other');
  });

  it('goes by the name and the action together', () => {
    expect(parseDelivery('issues', recorded('issue_comment', 'created'), 1).kind).toBe('other');
    expect(parseDelivery('issue_comment', recorded('issues', 'labeled'), 1).kind).toBe('other');
    expect(parseDelivery('ping', { zen: 'Speak like a human.' }, 1)).toEqual({
      kind: 'other',
      name: 'ping',
    });
  });
});
