import { describe, expect, it } from 'vitest';
import { checkPlatform, requirePlatform } from '../../../runner/host/platform-check.ts';

describe('the platform', () => {
  it.each(['linux', 'darwin'])('is fine on %s with Node 24', (platform) => {
    expect(checkPlatform(platform, 'v24.1.0')).toBeNull();
  });

  it('is refused plainly on Windows, with WSL2 as the way', () => {
    expect(() => requirePlatform('win32', 'v24.1.0')).toThrow(
      /inside WSL2, not on Windows itself.*wsl --install/,
    );
  });

  it.each(['v20.11.0', 'v22.9.0', 'nonsense'])(
    'is refused on Node %s, with what to run instead',
    (version) => {
      expect(checkPlatform('linux', version)?.remedy).toMatch(/npm start/);
    },
  );
});
