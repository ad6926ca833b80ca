import { describe, expect, it } from 'vitest';
import { brainBaseUrl, isBrainUrl } from '../../protocol/brain-keys.ts';

describe('the address that a key may be sent to', () => {
  it.each([
    'http://169.254.169.254/latest',
    'http://metadata.internal/v1',
    'http://10.0.0.1/v1',
    'http://localhost.evil.example/v1',
    'http://127.0.0.1:80@evil.example/v1',
    'http://127.0.0.1.evil.example/v1',
    'http://127.0.0.999/v1',
    'https://name:word@api.example.com/v1',
    'https://api.example.com\\@evil.example/v1',
    'https://api.example.com/v1?to=x',
    'https://api.example.com:99999/v1',
    'https://[/v1',
    'https://%/v1',
    'file:///etc/passwd',
    'HTTPS:/api.example.com',
    'ftp://127.0.0.1/',
  ])('is none of these: %s', (text) => {
    expect(isBrainUrl(text)).toBe(false);
  });

  it.each(['https://api.example.com/v1', 'http://127.0.0.1:8080/v1', 'http://[::1]:1/v1'])(
    'is encrypted, or this very machine: %s',
    (text) => {
      expect(brainBaseUrl.parse(`${text}/`)).toBe(text);
    },
  );
});
