import { describe, expect, test } from 'vitest';
import { readApiCall } from '../../../runner/acts/rules/forge-api.ts';

const call = (method: string, path: string, fields: readonly string[] = []) =>
  readApiCall({ method, path, fields }).map(
    ({ kind, uncertain }) => `${kind}${uncertain ? '?' : ''}`,
  );

describe('a call to a forge', () => {
  test.each([
    ['PUT', '/repos/o/r/pulls/5/merge', 'merge'],
    ['put', 'repos/o/r/pulls/5/merge/', 'merge'],
    ['PUT', 'projects/1/merge_requests/7/merge?squash=true', 'merge'],
    ['POST', 'repos/o/r/merges', 'merge'],
    ['POST', 'repos/o/r/merge-upstream', 'merge'],
    ['DELETE', 'repos/o/r/git/refs/heads/x', 'delete'],
    ['DELETE', 'projects/1/repository/branches/x', 'delete'],
    ['POST', 'repos/o/r/git/refs/tags', 'tag'],
    ['POST', 'projects/1/repository/tags', 'tag'],
    ['PATCH', 'repos/o/r/git/refs/heads/main', 'push'],
    ['POST', 'projects/1/repository/commits', 'push'],
    ['PUT', 'repos/o/r/contents/README.md', 'push'],
    ['DELETE', 'repos/o/r/contents/README.md', 'push'],
    ['POST', 'repos/o/r/releases', 'release'],
    ['PATCH', 'repos/o/r/releases/9', 'release'],
    ['POST', 'repos/o/r/pulls', 'pull_request'],
    ['PATCH', 'repos/o/r/pulls/5', 'pull_request'],
    ['POST', 'repos/o/r/issues/5/comments', 'comment'],
    ['POST', 'projects/1/merge_requests/7/notes', 'comment'],
    ['POST', 'repos/o/r/issues', 'comment'],
    ['POST', 'repos/o/r/deployments', 'deploy'],
    ['POST', 'repos/o/r/dispatches', 'deploy?'],
    ['POST', 'projects/1/trigger/pipeline', 'deploy?'],
    ['DELETE', 'repos/o/r/anything/else', 'delete?'],
  ])('%s %s is a %s', (method, path, kind) => {
    expect(call(method, path)).toEqual([kind]);
  });

  test.each([
    ['GET', 'repos/o/r/pulls/5/merge'],
    ['GET', 'repos/o/r/contents/README.md'],
    ['POST', 'repos/o/r/statuses/abc'],
    ['HEAD', 'repos/o/r'],
    ['', ''],
  ])('%s %s is nothing consequential', (method, path) => {
    expect(call(method, path)).toEqual([]);
  });

  test('that forces a branch is a forced push', () => {
    expect(call('PATCH', 'repos/o/r/git/refs/heads/x', ['sha=abc', 'force=true'])).toEqual([
      'force_push',
    ]);
  });

  test('that makes a ref under tags is a tag, whatever the address says', () => {
    expect(call('POST', 'repos/o/r/git/refs', ['ref=refs/tags/v1'])).toEqual(['tag']);
  });

  test.each([
    'mergePullRequest',
    'enablePullRequestAutoMerge',
    'mergeBranch',
    'enqueuePullRequest',
  ])('in GraphQL that says %s is a merge', (mutation) => {
    expect(call('POST', 'graphql', [`query=mutation { ${mutation}(input: {}) { id } }`])).toEqual([
      'merge',
    ]);
  });

  test('in GraphQL that only asks is nothing consequential', () => {
    expect(call('POST', '/api/graphql', ['query={ viewer { login } }'])).toEqual([]);
  });

  test('names what it acts on, by method and path', () => {
    expect(readApiCall({ method: 'put', path: '/repos/o/r/pulls/5/merge', fields: [] })).toEqual([
      { kind: 'merge', target: 'PUT /repos/o/r/pulls/5/merge' },
    ]);
  });
});
