import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBrainSecret } from '../../../runner/host/brain-secret.ts';

const place = () => join(mkdtempSync(join(tmpdir(), 'brain-secret-')), 'brain-keys.secret');

describe('the secret that encrypts the keys of brains', () => {
  it('is made once, for its owner alone, and stays the same', () => {
    const path = place();
    const secret = readBrainSecret(path);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readBrainSecret(path)).toBe(secret);
    expect(readdirSync(join(path, '..'))).toEqual(['brain-keys.secret']);
  });

  it('is another one in another data directory', () => {
    expect(readBrainSecret(place())).not.toBe(readBrainSecret(place()));
  });

  it('is closed to others again where somebody opened it', () => {
    const path = place();
    readBrainSecret(path);
    chmodSync(path, 0o644);
    readBrainSecret(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'short', 'g'.repeat(64), 'a'.repeat(63)])(
    'is not replaced where it is %j',
    (text) => {
      const path = place();
      writeFileSync(path, text);
      expect(() => readBrainSecret(path)).toThrow(/Put it back from a copy/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});
