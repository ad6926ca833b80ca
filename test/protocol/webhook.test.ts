import { describe, expect, it } from 'vitest';
import { isWebhookUrl, webhookHost } from '../../protocol/webhook.ts';

describe('the address of a webhook', () => {
  it.each([
    ['https://hooks.slack.com/services/T0/B0/x', 'hooks.slack.com'],
    ['https://Chat.Example.org/hooks/abc?x=1&y=%20', 'chat.example.org'],
    ['https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['https://hooks.example.xn--p1ai/a', 'hooks.example.xn--p1ai'],
  ])('%s is at %s', (url, host) => {
    expect(webhookHost(url)).toBe(host);
    expect(new URL(url).hostname).toBe(host);
  });

  it.each([
    'http://hooks.slack.com/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://0x7f.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f000001/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/x',
    'https://a.localhost/x',
    'https://router.lan/x',
    'https://nas.local/x',
    'https://metadata.google.internal/x',
    'https://box.home.arpa/x',
    'https://example.com./x',
    'https://example.com:8443/x',
    'https://user@example.com/x',
    'https://user:pass@example.com/x',
    'https://example.com\\@127.0.0.1/x',
    'https://example.com/x#y',
    'https://example.com/x y',
    'https:/example.com/x',
    'https://example.com/\n',
    'https://ⓔxample.com/x',
    'https://１２７.0.0.1/x',
    '',
  ])('%j is none', (url) => {
    expect(isWebhookUrl(url)).toBe(false);
  });
});
