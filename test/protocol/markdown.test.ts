import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { code, fence, table, words } from '../../protocol/markdown.ts';

/** What Markdown reads in a text: the kinds of its parts, from the outermost. */
function kindsOf(markdown: string): string[] {
  const kinds: string[] = [];
  const walk = (node: { type: string; children?: unknown }): void => {
    kinds.push(node.type);
    for (const child of (node.children ?? []) as { type: string }[]) walk(child);
  };
  walk(fromMarkdown(markdown));
  return kinds;
}

const nasty = fc.array(
  fc.constantFrom(
    '`',
    '``',
    '```',
    '\n',
    '# ',
    '- ',
    '<b>',
    '|',
    '[x](y)',
    '*',
    'a',
    ' ',
    '@me',
    '&lt;',
  ),
  { maxLength: 20 },
);

describe('words from outside in Markdown', () => {
  it('are one block of code, whatever they hold', () => {
    fc.assert(
      fc.property(nasty, (parts) => {
        const text = parts.join('');
        const root = fromMarkdown(fence(text));
        expect(root.children).toHaveLength(1);
        expect(root.children[0]).toMatchObject({ type: 'code', value: text });
      }),
    );
  });

  it('are one piece of code on a line, whatever they hold', () => {
    fc.assert(
      fc.property(nasty, (parts) => {
        const text = code(parts.join(''));
        if (text === '') return;
        expect(text).not.toMatch(/[\n|]/);
        expect(kindsOf(`x ${text} y`)).toEqual(['root', 'paragraph', 'text', 'inlineCode', 'text']);
      }),
    );
  });

  it('are plain text within a sentence, whatever they hold', () => {
    fc.assert(
      fc.property(nasty, (parts) => {
        const kinds = kindsOf(`Because: ${words(parts.join(''))}`);
        expect(new Set(kinds)).toEqual(new Set(['root', 'paragraph', 'text']));
      }),
    );
  });

  it('are cut where they are long, and say so', () => {
    expect(code('x'.repeat(300), 10)).toBe('`xxxxxxxxx…`');
  });

  it('stand in a table with as many cells as it has heads', () => {
    const lines = table(['a', 'b'], [[code('1|2'), words('3|4')]]).split('\n');
    expect(lines).toEqual(['| a | b |', '| --- | --- |', String.raw`| ${code('1|2')} | 3\|4 |`]);
  });
});
