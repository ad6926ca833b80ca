import { describe, expect, it } from 'vitest';
import { openText, sealText } from '../../../workers/lib/secret-box.ts';

const SECRET = 's'.repeat(64);

describe('a text in the secret box', () => {
  it('opens with its secret at its place, and shows nothing of itself', async () => {
    const sealed = await sealText(SECRET, 'here', 'sk-abc');
    expect(atob(sealed)).not.toContain('sk-abc');
    expect(await openText(SECRET, 'here', sealed)).toBe('sk-abc');
  });

  it('is another one each time', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => sealText(SECRET, 'here', 'sk-abc')));
    expect(one).not.toBe(two);
  });

  it('does not open with another secret, elsewhere, or changed', async () => {
    const sealed = await sealText(SECRET, 'here', 'sk-abc');
    const bytes = atob(sealed);
    const last = String.fromCharCode(bytes.charCodeAt(bytes.length - 1) ^ 1);
    expect(await openText('t'.repeat(64), 'here', sealed)).toBeNull();
    expect(await openText(SECRET, 'there', sealed)).toBeNull();
    expect(await openText(SECRET, 'here', btoa(bytes.slice(0, -1) + last))).toBeNull();
    expect(await openText(SECRET, 'here', 'not base64 !')).toBeNull();
    expect(await openText(SECRET, 'here', '')).toBeNull();
  });
});
