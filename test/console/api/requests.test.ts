// @vitest-environment node
import { afterEach, describe, expect, it, vi } from 'vitest';
import { drivePane, letGoPane } from '../../../console/api/panes.ts';
import {
  instructSession,
  overrideBreach,
  releaseSession,
  removeCheckout,
  takeOverSession,
} from '../../../console/api/requests.ts';
import { directoriesQuery } from '../../../console/api/queries.ts';
import { api } from '../../../console/paths.ts';
import { QueryClient } from '@tanstack/react-query';
import { turnId } from '../../../protocol/ids.ts';
import { scriptFetch } from './scripted-fetch.ts';

const TURN = turnId.parse('trn_a');

afterEach(() => vi.unstubAllGlobals());

/** What one request asked for; what is answered to it is not looked at here. */
async function askedBy(request: () => Promise<unknown>) {
  const asked = scriptFetch(() => ({}));
  await request().catch(() => undefined);
  return asked;
}

describe('an instruction', () => {
  it('carries neither a key nor a steer that nobody gave', async () => {
    const [asked] = await askedBy(() => instructSession('ses_a', TURN, 'go'));
    expect(asked?.body).toEqual({ turnId: TURN, text: 'go' });
  });

  it('carries the key of whoever drives, and whether it is for the turn under way', async () => {
    const [asked] = await askedBy(() =>
      instructSession('ses_a', TURN, 'go', { key: 'k', steer: true }),
    );
    expect(asked?.body).toEqual({ turnId: TURN, text: 'go', key: 'k', steer: true });
  });
});

describe('handing back', () => {
  it.each([
    ['with a key is no force', 'k', false],
    ['without one is', null, true],
  ])('a session %s', async (_, key, force) => {
    const [asked] = await askedBy(() => releaseSession('ses_a', key));
    expect(asked).toMatchObject({ path: '/v1/sessions/ses_a/release', body: { key, force } });
  });

  it.each([
    ['with a key is no force', 'k', false],
    ['without one is', null, true],
  ])('a terminal %s', async (_, key, force) => {
    const [asked] = await askedBy(() => letGoPane('run_a', 'main:0.1', key));
    expect(asked?.body).toEqual({ target: 'main:0.1', key, force });
  });
});

describe('taking over', () => {
  it.each([true, false])('says whether it may be taken from somebody: %s', async (force) => {
    const [session] = await askedBy(() => takeOverSession('ses_a', 'keys', force));
    const [pane] = await askedBy(() => drivePane('run_a', 'main:0.1', force));
    expect([session?.body, pane?.body]).toEqual([
      { form: 'keys', force },
      { target: 'main:0.1', force },
    ]);
  });
});

describe('an address', () => {
  it('says how a checkout goes, because one way loses work', async () => {
    for (const how of ['remove', 'discard'] as const) {
      const [asked] = await askedBy(() => removeCheckout('run_a', 'ses_a', how));
      expect(asked?.path).toBe(`/v1/runners/run_a/checkouts/ses_a/${how}`);
    }
  });

  it('keeps every character of what a person typed', async () => {
    const typed = '/srv/a&b=c #1/ü+';
    const [asked] = await askedBy(() =>
      new QueryClient().fetchQuery(directoriesQuery('run_a', typed)),
    );
    expect(asked?.query['path']).toBe(typed);
    const { searchParams } = new URL(api.paneSocket('run_a', 'a b:0.1&x'), 'http://test');
    expect([...searchParams]).toEqual([['target', 'a b:0.1&x']]);
  });

  it('of an answer for a breach names the act, and carries the reason alone', async () => {
    const [asked] = await askedBy(() => overrideBreach('ses_a', 'act_b', 'It was agreed.'));
    expect(asked?.path).toContain('act_b');
    expect(asked?.body).toEqual({ reason: 'It was agreed.' });
  });
});
