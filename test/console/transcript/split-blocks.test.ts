// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitBlocks } from '../../../console/transcript/split-blocks.ts';

describe('growing Markdown', () => {
  it('is cut at empty lines', () => {
    expect(splitBlocks('a\nb\n\nc\n\n\nd')).toEqual(['a\nb', 'c', 'd']);
  });

  it('is not cut inside of a code fence, open or closed', () => {
    expect(splitBlocks('```js\na\n\nb\n```\n\nc')).toEqual(['```js\na\n\nb\n```', 'c']);
    expect(splitBlocks('```\na\n\nb')).toEqual(['```\na\n\nb']);
    expect(splitBlocks('````\n```\n\nb\n````')).toHaveLength(1);
  });

  it('keeps its finished pieces as they are while more arrives', () => {
    const lines = fc.array(fc.constantFrom('a', '', '```', '- x', '~~~'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, (all) => {
        for (let count = 1; count < all.length; count++) {
          const before = splitBlocks(all.slice(0, count).join('\n')).slice(0, -1);
          const after = splitBlocks(all.slice(0, count + 1).join('\n'));
          expect(after.slice(0, before.length)).toEqual(before);
        }
      }),
    );
  });
});
