import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, sessionId } from '../../../protocol/ids.ts';
import { FeedLinks } from '../../../workers/relay/feed-links.ts';

const SESSION = sessionId.parse('ses_links');

describe('the feeds that a relay talks to', () => {
  const linksOf = () => {
    const failures: unknown[] = [];
    const links = new FeedLinks(env, LOCAL_ACCOUNT, (operation, id, fault) =>
      failures.push({ operation, id, fault: String(fault) }),
    );
    return { links, failures };
  };

  it('are the same from call to call, until one failed', async () => {
    const { links, failures } = linksOf();
    const held = links.of(SESSION);
    expect(links.of(SESSION)).toBe(held);
    const failed = await links.attempt('relay.test', SESSION, () =>
      Promise.reject(new Error('gone')),
    );
    expect(failed).toBeUndefined();
    expect(failures).toEqual([{ operation: 'relay.test', id: SESSION, fault: 'Error: gone' }]);
    expect(links.of(SESSION)).not.toBe(held);
  });

  it('answer what was asked of them', async () => {
    const { links, failures } = linksOf();
    const view = await links.attempt('relay.test', SESSION, (feed) => feed.readView());
    expect(view).toMatchObject({ ok: false, code: 'session_not_found' });
    expect(failures).toEqual([]);
  });

  it('are looked up anew once they were dropped', () => {
    const { links } = linksOf();
    const held = links.of(SESSION);
    links.drop(SESSION);
    expect(links.of(SESSION)).not.toBe(held);
  });
});
