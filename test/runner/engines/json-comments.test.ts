import { expect, test } from 'vitest';
import { withoutComments } from '../../../runner/json-comments.ts';

test.each([
  ['a line of its own', '{\n  // why\n  "a": 1\n}'],
  ['the end of a line', '{ "a": 1 // why\n}'],
  ['a block over lines', '{ /* why\n  and how */ "a": 1 }'],
  ['a trailing comma', '{ "a": 1, }'],
])('settings with %s are read', (_, text) => {
  expect(JSON.parse(withoutComments(text))).toEqual({ a: 1 });
});

test.each(['http://proxy:3128', '/* kept */', 'a, }'])('the value %j is no comment', (value) => {
  expect(JSON.parse(withoutComments(JSON.stringify({ value })))).toEqual({ value });
});
