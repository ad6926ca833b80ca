import { describe, expect, it } from 'vitest';
import { turnId } from '../../../../protocol/ids.ts';
import { cutConversation } from '../../../../runner/engines/claude/fork.ts';
import { turnUuid } from '../../../../runner/engines/ids.ts';

const [ONE, TWO] = [turnId.parse('trn_one'), turnId.parse('trn_two')];
const line = (type: string, uuid?: string) => JSON.stringify({ type, ...(uuid && { uuid }) });
const FILE = [
  line('queue-operation'),
  line('user', turnUuid(ONE)),
  line('api-request'),
  line('assistant', 'a'),
  line('last-prompt'),
  line('queue-operation'),
  line('user', turnUuid(TWO)),
  line('assistant', 'b'),
  line('cost-state'),
];
const cut = (at: Parameters<typeof cutConversation>[1], lines = FILE) =>
  cutConversation(`${lines.join('\n')}\n`, at);

describe('a conversation of claude', () => {
  it('is what stood in its file before the next turn', () => {
    expect(cut({ turnId: ONE, nextTurnId: TWO })).toBe(`${FILE.slice(0, 4).join('\n')}\n`);
  });

  it('is all of it after its last turn, without what claude notes of a process', () => {
    expect(cut({ turnId: TWO, nextTurnId: null })).toBe(`${FILE.slice(0, 8).join('\n')}\n`);
  });

  it('is nothing where the turn is not in it, or the next one is not', () => {
    expect(cut({ turnId: TWO, nextTurnId: null }, FILE.slice(0, 5))).toBeNull();
    expect(cut({ turnId: ONE, nextTurnId: turnId.parse('trn_other') })).toBeNull();
  });
});
