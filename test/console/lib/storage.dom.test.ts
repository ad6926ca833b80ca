import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inTab, readStored, writeStored } from '../../../console/lib/storage.ts';

const draft = z.object({ text: z.string() });
const refuse = (): never => {
  throw new DOMException('The user denied it.', 'SecurityError');
};
const full: Storage = Object.assign(Object.create(null), {
  setItem: () => {
    throw new DOMException('The quota is exceeded.', 'QuotaExceededError');
  },
  getItem: () => null,
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('what the browser remembers', () => {
  it('comes back in its shape, under a name that is ours alone', () => {
    expect(writeStored('draft', { text: 'trim' })).toBe(true);
    expect(readStored('draft', draft)).toEqual({ text: 'trim' });
    expect(localStorage.key(0)).toBe('pilothouse:draft');
  });

  it('is forgotten as null, without a trace', () => {
    writeStored('draft', { text: 'trim' });
    expect(writeStored('draft', null)).toBe(true);
    expect(readStored('draft', draft)).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('keeps what is false, empty or zero, which is not nothing', () => {
    for (const value of [false, '', 0]) {
      writeStored('value', value);
      expect(readStored('value', z.unknown())).toBe(value);
    }
  });

  it.each([
    ['another shape', '{"text":5}'],
    ['no JSON', '{text'],
    ['nothing', ''],
  ])('reads as nothing where %s was left there', (_, left) => {
    localStorage.setItem('pilothouse:draft', left);
    expect(readStored('draft', draft)).toBeNull();
  });

  it('is another thing for one tab than for the browser', () => {
    writeStored('draft', { text: 'for all tabs' });
    writeStored('draft', { text: 'for this one' }, inTab);
    expect(readStored('draft', draft)).toEqual({ text: 'for all tabs' });
    expect(readStored('draft', draft, inTab)).toEqual({ text: 'for this one' });
    writeStored('draft', null, inTab);
    expect(readStored('draft', draft)).not.toBeNull();
  });
});

describe('a browser that keeps nothing', () => {
  it('says so when something is to be remembered or forgotten', () => {
    expect(writeStored('draft', { text: 'x' }, refuse)).toBe(false);
    expect(writeStored('draft', null, refuse)).toBe(false);
    expect(writeStored('draft', { text: 'x' }, () => full)).toBe(false);
  });

  it('remembers nothing, which is no failure of the page', () => {
    expect(readStored('draft', draft, refuse)).toBeNull();
  });
});
