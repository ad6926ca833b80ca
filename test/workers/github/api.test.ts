import { describe, expect, it } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { openForge } from '../../../workers/github/api.ts';
import { aComment, labelEvent, openRoom, REPOSITORY, TOKEN } from '../support/github.ts';

const forgeAt = (apiUrl: string, token = TOKEN) =>
  openForge({ apiUrl, token, repository: REPOSITORY });

async function refusal(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PilothouseError)) throw new Error('it was not refused');
  expect(error.code).toBe('github_failed');
  return error.message;
}

describe('the API of GitHub', () => {
  it('is asked with the token, and answers issues, events and comments', async () => {
    const room = await openRoom({ events: [labelEvent()], comments: [aComment()] });
    const forge = forgeAt(room.apiUrl);
    expect(await forge.listIssueEvents()).toMatchObject([{ event: 'labeled' }]);
    expect(await forge.listComments(0)).toMatchObject([{ id: 77 }]);
    expect(await forge.listCommentsOf(1, 0)).toMatchObject([{ id: 77 }]);
    expect(await forge.readIssue(1)).toMatchObject({ number: 1 });
    expect(await forge.postComment(1, 'Hello')).toEqual({ id: 1_001 });
    const { seen, comments } = await room.read();
    expect(new Set(seen.map(({ token }) => token))).toEqual(new Set([TOKEN]));
    expect(comments.at(-1)).toMatchObject({ issue: 1, body: 'Hello' });
  });

  it('lists only the comments since a time', async () => {
    const room = await openRoom({ comments: [aComment()] });
    expect(await forgeAt(room.apiUrl).listComments(Date.now() + 60_000)).toEqual([]);
  });

  it('that takes the token for wrong is named with what was asked, and not with the token', async () => {
    const room = await openRoom();
    const words = await refusal(forgeAt(room.apiUrl, 'ghp_wrong').readIssue(1));
    expect(words).toContain('it answered 401 to GET /repos/Codertocat/Hello-World/issues/1');
    expect(words).not.toContain('ghp_wrong');
  });

  it('that is not there, or has no such issue, is told apart', async () => {
    expect(await refusal(forgeAt('http://127.0.0.1:1').readIssue(1))).toContain('does not answer');
    const room = await openRoom();
    expect(await refusal(forgeAt(room.apiUrl).readIssue(99))).toContain('it answered 404');
  });

  it('that answers something else is not believed', async () => {
    const room = await openRoom({ events: [{ nonsense: true }] });
    expect(await refusal(forgeAt(room.apiUrl).listIssueEvents())).toContain('is not understood');
  });
});
