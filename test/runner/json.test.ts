import { expect, test } from 'vitest';
import { parseJson } from '../../runner/json.ts';

test.each(['null', '0', '"a"', '[1]', '{"a":{}}'])('reads %s', (text) => {
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

test.each(['', '{', 'undefined', '{"a":1}}', "{'a':1}"])('takes %j for no JSON', (text) => {
  expect(parseJson(text)).toBeUndefined();
});
