import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOCK_TEXT_MAX_BYTES } from '../../../../protocol/text.ts';
import { aConversation, assistant, figures, result } from '../harness.ts';

const stream = (event: Record<string, unknown>, parent: string | null = null) => ({
  type: 'stream_event',
  uuid: 's',
  parent_tool_use_id: parent,
  event,
});
const start = (id: string, parent: string | null = null) =>
  stream({ type: 'message_start', message: { id, model: 'm' } }, parent);
const piece = (index: number, text: string, parent: string | null = null) =>
  stream({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }, parent);
const block = (id: string, content: unknown[], parent: string | null = null) => ({
  ...assistant([]),
  parent_tool_use_id: parent,
  message: { id, model: 'm', content },
});
const text = (words: string) => ({ type: 'text', text: words });
const deltasOf = (conversation: ReturnType<typeof aConversation>) =>
  conversation.items.flatMap((item) => (item.kind === 'delta' ? [item.delta] : []));
const blocksOf = (conversation: ReturnType<typeof aConversation>) =>
  conversation.of('text/completed').map(({ blockId, text: said }) => [blockId, said.text]);

describe('blocks of a message', () => {
  test('are numbered in the order in which they end', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m', [text('one')]));
    conversation.line(block('m', [text('two'), text('three')]));
    expect(blocksOf(conversation)).toEqual([
      ['m/0', 'one'],
      ['m/1', 'two'],
      ['m/2', 'three'],
    ]);
  });

  test('count the tool calls between them', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m', [text('one')]));
    conversation.line(block('m', [{ type: 'tool_use', id: 't', name: 'Read', input: {} }]));
    conversation.line(block('m', [text('two')]));
    expect(blocksOf(conversation).map(([id]) => id)).toEqual(['m/0', 'm/2']);
  });

  test('begin at nought again in the next message', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m1', [text('one')]));
    conversation.line(block('m2', [text('two')]));
    expect(blocksOf(conversation).map(([id]) => id)).toEqual(['m1/0', 'm2/0']);
  });

  test('of a subagent do not disturb the numbers of the session', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m', [text('one')]));
    conversation.line(block('sub', [text('hers')], 'agent'));
    conversation.line(block('m', [text('two')]));
    expect(
      conversation.of('text/completed').map((event) => [event.blockId, event.parentToolId]),
    ).toEqual([
      ['m/0', null],
      ['sub/0', 'agent'],
      ['m/1', null],
    ]);
  });

  test('of a kind that this version does not know say nothing', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m', [{ type: 'hologram', text: 'hidden' }, text('seen')]));
    expect(blocksOf(conversation)).toEqual([['m/1', 'seen']]);
  });

  test('that are longer than people read are cut, with their size', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m', [text('word '.repeat(BLOCK_TEXT_MAX_BYTES / 4))]));
    const [said] = conversation.of('text/completed');
    expect(said?.text.truncated?.bytes).toBe((BLOCK_TEXT_MAX_BYTES / 4) * 5);
  });

  test('belong to the turn that is open', () => {
    const conversation = aConversation().begin();
    conversation.line(block('m', [text('mine')]));
    expect(conversation.of('text/completed')).toMatchObject([{ turnId: 'trn_first' }]);
  });

  test('outside of any turn begin one of the engine’s own', () => {
    const conversation = aConversation();
    conversation.line(block('m', [text('a task ended')]));
    const [began] = conversation.of('turn/started');
    expect(began?.origin).toBe('engine');
    expect(conversation.of('text/completed')[0]?.turnId).toBe(began?.turnId);
  });
});

describe('text on its way', () => {
  test('joins up to the finished block, whatever it is cut into', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 20 }),
        (pieces) => {
          const conversation = aConversation().begin();
          conversation.line(start('m'));
          for (const each of pieces) conversation.line(piece(0, each));
          let whole = '';
          for (const delta of deltasOf(conversation)) {
            expect(delta.offset).toBe(whole.length);
            whole += delta.text;
          }
          expect(whole).toBe(pieces.join(''));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('of two speakers at once is kept apart', () => {
    const conversation = aConversation().begin();
    conversation.line(start('m'));
    conversation.line(start('sub', 'agent'));
    conversation.line(piece(0, 'mine'));
    conversation.line(piece(0, 'hers', 'agent'));
    conversation.line(piece(0, ' too'));
    expect(
      deltasOf(conversation).map(({ blockId, offset, text: said }) => [blockId, offset, said]),
    ).toEqual([
      ['m/0', 0, 'mine'],
      ['sub/0', 0, 'hers'],
      ['m/0', 4, ' too'],
    ]);
  });

  test('of a message whose beginning was missed is not made up', () => {
    const conversation = aConversation().begin();
    conversation.line(piece(0, 'lost'));
    expect(deltasOf(conversation)).toEqual([]);
  });

  test.each([
    ['a piece of a tool’s input', { type: 'input_json_delta', partial_json: '{' }],
    ['a signature', { type: 'signature_delta', signature: 'x' }],
    ['an empty piece', { type: 'text_delta', text: '' }],
  ])('is not %s', (_what, delta) => {
    const conversation = aConversation().begin();
    conversation.line(start('m'));
    conversation.line(stream({ type: 'content_block_delta', index: 0, delta }));
    expect(deltasOf(conversation)).toEqual([]);
  });

  test('without the number of its block is nobody’s', () => {
    const conversation = aConversation().begin();
    conversation.line(start('m'));
    conversation.line(
      stream({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } }),
    );
    expect(deltasOf(conversation)).toEqual([]);
  });

  test('begins anew with each message', () => {
    const conversation = aConversation().begin();
    conversation.line(start('m1'));
    conversation.line(piece(0, 'abc'));
    conversation.line(start('m2'));
    conversation.line(piece(0, 'd'));
    expect(deltasOf(conversation).map(({ blockId, offset }) => [blockId, offset])).toEqual([
      ['m1/0', 0],
      ['m2/0', 0],
    ]);
  });

  test('after the turn’s end is nobody’s', () => {
    const conversation = aConversation().begin();
    conversation.line(start('m'));
    conversation.line(result(figures(1)));
    conversation.line(piece(0, 'late'));
    expect(deltasOf(conversation)).toEqual([]);
  });

  test('is enough to show that the engine has begun by itself', () => {
    const conversation = aConversation();
    conversation.line(start('m'));
    expect(conversation.of('turn/started')).toMatchObject([{ origin: 'engine' }]);
  });
});
