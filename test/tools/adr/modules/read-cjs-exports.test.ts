import { describe, expect, it } from 'vitest';
import { readExports } from '../../../../tools/adr/modules/read-exports.ts';

const namesOf = (text: string) => readExports('lib/a.cjs', text);

describe('the exports of a CommonJS file', () => {
  it('are what is put on `exports` and on `module.exports`', () => {
    expect(namesOf('exports.a = 1; module.exports.b = 2; module["exports"]["c"] = 3;')).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
  it('are the keys of an object that takes its place', () => {
    expect(namesOf('module.exports = { a, b: 1, "c d": 2, [e]: 3, f() {} };')).toEqual([
      'a',
      'b',
      'c d',
      'f',
    ]);
  });
  it('are none where something else is assigned', () => {
    expect(namesOf('other.a = 1; exports[b] = 2; const c = { d: 1 };')).toEqual([]);
  });
  it('are not mixed into those of a module', () => {
    expect(readExports('lib/a.ts', 'export const a = 1; exports.b = 2;')).toEqual(['a']);
  });
});
