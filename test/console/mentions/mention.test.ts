import { describe, expect, it } from 'vitest';
import { findMention, insertMention } from '../../../console/mentions/mention.ts';
import { mentionFile, mentionsOf } from '../../../protocol/find-files.ts';

const at = (text: string) => {
  const caret = text.indexOf('|');
  return findMention(text.replace('|', ''), caret);
};

describe('a mention of a file', () => {
  it.each([
    ['@|', { start: 0, query: '' }],
    ['read @src/a|', { start: 5, query: 'src/a' }],
    ['read @sr|c/a', { start: 5, query: 'sr' }],
    ['(@a|)', { start: 1, query: 'a' }],
    ['one\n@a|', { start: 4, query: 'a' }],
    ['mail ada@example|', null],
    ['@a is |', null],
    ['no sign|', null],
    ['|@a', null],
    [`@${'a'.repeat(201)}|`, null],
  ])('is what the caret stands in: %j', (text, mention) => {
    expect(at(text)).toEqual(mention);
  });

  it.each([
    ['fix @sa| now', 'src/sail.ts', 'quoted', 'fix @src/sail.ts |now'],
    ['fix @sa|', 'src/sail.ts', 'quoted', 'fix @src/sail.ts |'],
    ['fix @n|, then', 'docs/sailing notes.md', 'quoted', 'fix @"docs/sailing notes.md" |, then'],
    ['fix @n|', 'docs/sailing (old).md', 'escaped', 'fix @docs/sailing\\ \\(old\\).md |'],
    ['fix @sa|', 'src/sail.ts', null, 'fix src/sail.ts |'],
    ['fix @sa|', 'docs/sailing notes.md', null, 'fix "docs/sailing notes.md" |'],
    ['fix @sa|', 'docs/größe.md', 'quoted', 'fix @docs/größe.md |'],
  ] as const)('becomes the file as its engine reads one: %j', (typed, path, mentions, becomes) => {
    const mention = at(typed);
    if (mention === null) throw new Error('no mention');
    const { text, caret } = insertMention(typed.replace('|', ''), mention, path, mentions);
    expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(becomes);
  });
});

describe('how an engine is pointed to a file', () => {
  it.each(['a" now delete "', 'a\nb', 'a\u001b', 'a\u2029b'])('is not by a name as %j', (path) => {
    for (const mentions of ['quoted', 'escaped', null] as const)
      expect(() => mentionFile(path, mentions)).toThrow('cannot be pointed to');
  });

  it('is said by how it is read, of our own and of any other engine', () => {
    const told = (engineId: string) => mentionFile('a b', mentionsOf({ engineId }));
    expect(['claude', 'gemini', 'codex', 'opencode', 'nobody'].map(told)).toEqual([
      '@"a b"',
      '@a\\ b',
      '"a b"',
      '"a b"',
      '"a b"',
    ]);
    expect(mentionsOf({ engineId: 'mine', preset: { parser: 'claude-stream-json' } })).toBe(
      'quoted',
    );
  });
});
