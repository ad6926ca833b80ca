import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';
import { CORPORA } from './kinds-corpus.ts';

const kindsOf = (line: string) => classifyCommand(line).map(({ kind }) => kind);

describe.each(CORPORA)('$kind', ({ kind, are, areNot }) => {
  it('has lines enough to say something', () => {
    expect(are.length).toBeGreaterThanOrEqual(20);
    expect(areNot.length).toBeGreaterThanOrEqual(10);
    expect(new Set([...are, ...areNot]).size).toBe(are.length + areNot.length);
  });

  it.each(are)('is what “%s” does', (line) => {
    expect(kindsOf(line)).toContain(kind);
  });

  it.each(areNot)('is not what “%s” does', (line) => {
    expect(kindsOf(line)).not.toContain(kind);
  });
});

describe('the corpora', () => {
  it('are each for a kind of its own', () => {
    expect(new Set(CORPORA.map(({ kind }) => kind)).size).toBe(CORPORA.length);
  });

  it.each(CORPORA)('hold for $kind with what runs commands around it', ({ kind, are }) => {
    for (const line of are.filter((each) => !/[|;&]|\b(for|bash|sh|cd)\b|^\w+=/.test(each))) {
      expect([line, ...kindsOf(`time nice ${line}`)]).toContain(kind);
      expect([line, ...kindsOf(`true && { ${line}; }`)]).toContain(kind);
    }
  });

  it.each(CORPORA)('find nothing of $kind in words that are printed', ({ kind, are }) => {
    for (const line of are) {
      const quoted = `'${line.replaceAll("'", `'\\''`)}'`;
      expect([line, ...kindsOf(`printf %s ${quoted}`)]).not.toContain(kind);
      expect([line, ...kindsOf(`git commit -m ${quoted}`)]).not.toContain(kind);
    }
  });
});
