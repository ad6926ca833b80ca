import { describe, expect, it } from 'vitest';
import { previewOpened } from '../../protocol/preview.ts';

const takes = (url: string) => previewOpened.safeParse({ port: 5173, url }).success;

describe('the address of a preview', () => {
  it.each([
    'http://0123456789abcdef.localhost:40123/?key=x',
    'http://localhost:5173/',
    'http://127.0.0.1:5173/',
    'http://[::1]:5173/',
  ])('may be %s', (url) => {
    expect(takes(url)).toBe(true);
  });

  it.each([
    'javascript:alert(1)//localhost',
    'data:text/html,x',
    'https://example.com/',
    'http://example.com/',
    'http://localhost.example.com/',
    'http://evillocalhost/',
    'http://localhost@example.com/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
  ])('is not %s, which a machine has no business to open', (url) => {
    expect(takes(url)).toBe(false);
  });
});
