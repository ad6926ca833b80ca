import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { step } from '../../../runner/engines/draft.ts';
import { type Ignored, reportIgnored } from '../../../runner/engines/ignored.ts';
import {
  type RpcReaders,
  readRpcLine,
  rpcNotification,
  rpcReply,
  rpcRequest,
} from '../../../runner/engines/json-rpc.ts';

const NOTHING: Ignored = { unknownLines: {}, garbage: 0 };

/** What readers heard of lines, and what came of those that none took. */
function read(...lines: unknown[]) {
  const heard: unknown[] = [];
  const readers: RpcReaders<Parameters<typeof readRpcLine>[0]> = {
    answers: { turn: (_draft, told) => heard.push(told) > 0, odd: () => false },
    requests: {
      ask: (_draft, params, id) => heard.push({ params, id }) > 0,
      odd: () => false,
    },
    notifications: { told: (_draft, params) => heard.push({ params }) > 0, odd: () => false },
    declined: new Set(['files/read']),
    passedOver: new Set(['heartbeat']),
  };
  const { state, items } = step(NOTHING, 0, (draft) => {
    for (const line of lines)
      readRpcLine(draft, typeof line === 'string' ? line : JSON.stringify(line), readers);
  });
  const written = items.flatMap((item) => (item.kind === 'write' ? [JSON.parse(item.line)] : []));
  const codes = items.flatMap((item) =>
    item.kind === 'event' && item.event.type === 'notice/raised' ? [item.event.code] : [],
  );
  return { heard, written, codes, ...state };
}

describe('an answer', () => {
  test('is found by the first word of its id, with what stands behind it', () => {
    expect(read({ id: 'turn:trn_1:x', result: 5 }).heard).toEqual([
      { about: 'trn_1:x', result: 5, error: null },
    ]);
    expect(read({ id: 'turn', error: { code: 1, message: 'no' } }).heard).toEqual([
      { about: '', result: undefined, error: { code: 1, message: 'no' } },
    ]);
  });

  test.each(['other:1', 7, 'constructor'])('to nothing of ours is counted: %j', (id) => {
    expect(read({ id, result: {} })).toMatchObject({
      heard: [],
      unknownLines: { answer: 1 },
      codes: [],
    });
  });
});

describe('a request', () => {
  test('is heard with its id, be that a number or a word', () => {
    expect(read({ id: 0, method: 'ask' }, { id: 'a', method: 'ask', params: [1] }).heard).toEqual([
      { params: undefined, id: 0 },
      { params: [1], id: 'a' },
    ]);
  });

  test.each([
    ['nobody knows', 'dream', { dream: 1 }],
    ['has a shape that is not its own', 'odd', { odd: 1 }],
    ['was declined beforehand', 'files/read', {}],
    ['has a name of the language', 'toString', { toString: 1 }],
  ])('that %s is refused, so that nobody waits', (_what, method, unknownLines) => {
    const { written, ...rest } = read({ id: 3, method });
    expect(written).toEqual([
      {
        jsonrpc: '2.0',
        id: 3,
        error: { code: -32_601, message: `This client does not serve ${method}.` },
      },
    ]);
    expect(rest.unknownLines).toEqual(unknownLines);
  });
});

describe('a notification', () => {
  test('is heard, passed over or counted, and never answered', () => {
    const told = read(
      { method: 'told', params: 1 },
      { method: 'heartbeat' },
      { method: 'new' },
      { method: 'new' },
    );
    expect(told).toMatchObject({ heard: [{ params: 1 }], written: [], unknownLines: { new: 2 } });
  });
});

describe('a line that cannot be read', () => {
  test.each(['{', 'Warning: no colours', '[]', 'null', '{"id":{}}', '{"method":5}', '{}'])(
    'is told: %s',
    (line) => {
      expect(read(line)).toMatchObject({ garbage: 1, codes: ['line_unreadable'] });
    },
  );

  test('is also an answer or a word of a shape that is not its own', () => {
    expect(read({ id: 'odd:1' }, { method: 'odd' }).garbage).toBe(2);
  });

  test('is none where nothing stands in it', () => {
    expect(read('', '  ', '\t')).toMatchObject({ garbage: 0, codes: [] });
  });

  test('is told three times in a turn, then counted, and begins anew in the next', () => {
    const { codes, garbage, unknownLines } = read('a', 'b', 'c', 'd', 'e', { method: 'new' });
    expect(codes).toHaveLength(3);
    const end = step({ garbage, unknownLines }, 0, reportIgnored);
    expect(end.items).toMatchObject([
      { event: { code: 'lines_unreadable', message: expect.stringContaining('5 lines') } },
      { event: { code: 'lines_unknown', message: expect.stringContaining('new ×1') } },
    ]);
    expect(end.state).toEqual(NOTHING);
    expect(step(end.state, 0, reportIgnored).items).toEqual([]);
  });

  test('never stops the reading', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
        expect(read(...lines, { method: 'told', params: 'last' }).heard.at(-1)).toEqual({
          params: 'last',
        });
      }),
    );
  });
});

test('what is written is one line each, and leaves out parameters that there are none of', () => {
  const lines = [
    rpcRequest('turn:1', 'go', { text: 'a\nb\u2028c' }),
    rpcNotification('stop'),
    rpcNotification('stop', null),
    rpcReply(0, { ok: true }),
  ].map((item) => (item.kind === 'write' ? item.line : ''));
  expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: 'turn:1', method: 'go', params: { text: 'a\nb\u2028c' } },
    { jsonrpc: '2.0', method: 'stop' },
    { jsonrpc: '2.0', method: 'stop', params: null },
    { jsonrpc: '2.0', id: 0, result: { ok: true } },
  ]);
});
