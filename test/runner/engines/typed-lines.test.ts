import { describe, expect, test } from 'vitest';
import { type Draft, emit, step } from '../../../runner/engines/draft.ts';
import type { Ignored } from '../../../runner/engines/ignored.ts';
import { type Readers, readTypedLine } from '../../../runner/engines/typed-lines.ts';

const READERS: Readers<Draft<Ignored>> = {
  word(draft, raw) {
    const said = (raw as { said?: unknown }).said;
    if (typeof said !== 'string') return false;
    emit(draft, { type: 'notice/raised', level: 'info', code: 'said', message: said });
    return true;
  },
};

const read = (line: string) =>
  step<Ignored>({ unknownLines: {}, garbage: 0 }, 1, (draft) =>
    readTypedLine(draft, line, READERS),
  );
const codesOf = (line: string) =>
  read(line).items.map((item) =>
    item.kind === 'event' && item.event.type === 'notice/raised' ? item.event.code : item.kind,
  );

describe('a line of an engine', () => {
  test.each(['{"type":"word","said":"x"}', ' {"said":"x","type":"word"} '])(
    'is read by its type, wherever that stands: %s',
    (line) => expect(codesOf(line)).toEqual(['said']),
  );

  test.each(['nonsense', '{', '[]', 'null', '{"type":7}', '{"type":"word","said":7}'])(
    'that is not in the format is told: %s',
    (line) => {
      expect(codesOf(line)).toEqual(['line_unreadable']);
      expect(read(line).state.garbage).toBe(1);
    },
  );

  test.each(['newer', 'constructor', '__proto__'])('of the unknown type %s is counted', (type) => {
    const { state, items } = read(JSON.stringify({ type }));
    expect(items).toEqual([]);
    expect(Object.values(state.unknownLines)).toEqual([1]);
  });

  test('that is empty says nothing', () => {
    expect(read('  ')).toEqual({ state: { unknownLines: {}, garbage: 0 }, items: [] });
  });
});
