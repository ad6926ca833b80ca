import { describe, expect, it } from 'vitest';
import { instanceId } from '../../../protocol/ids.ts';
import {
  decideEnd,
  decideReply,
  mayAsk,
  type Seen,
  type Standing,
} from '../../../runner/questions/decide-question.ts';

const open: Standing = { expiresAt: 1_000, reply: null, taken: false, end: null };
const yes = { allow: true, reason: '' };
const no = { allow: false, reason: 'no' };
const there: Seen = {
  reachable: true,
  connected: true,
  hookRuns: true,
  agentRuns: true,
  waitsNoMore: false,
};

describe('an answer', () => {
  it.each<[string, Partial<Standing>, number, string]>([
    ['to an open question is taken', {}, 999, 'take'],
    ['after its time is too late', {}, 1_000, 'over'],
    ['after it ended is too late', { end: 'elsewhere' }, 1, 'over'],
    ['that came second is the first', { reply: no }, 1, 'deny'],
    ['that came second is the first, taken too', { reply: yes, end: 'allowed' }, 1, 'allow'],
    ['that the agent never took is none', { reply: yes, end: 'gone' }, 1, 'over'],
  ])('%s', (_name, over, now, decided) => {
    expect(decideReply({ ...open, ...over }, now)).toBe(decided);
  });
});

describe('one question more', () => {
  const drive = (call: string) => ({ instanceId: instanceId.parse('ins_1'), callId: call });

  it('is of an agent with fewer than eight open ones, whatever others ask', () => {
    const seven = Array.from({ length: 7 }, () => drive('start'));
    const others = Array.from({ length: 20 }, () => drive('another'));
    expect(mayAsk([...seven, ...others], drive('start'))).toBe(true);
    expect(mayAsk([...seven, drive('start')], drive('start'))).toBe(false);
    const elsewhere = { ...drive('start'), instanceId: instanceId.parse('ins_2') };
    expect(mayAsk([...seven, drive('start')], elsewhere)).toBe(true);
  });
});

describe('a question', () => {
  it.each<[string, Partial<Standing>, Partial<Seen>, number, string | null]>([
    ['stands while nobody answers', {}, {}, 999, null],
    ['expires', {}, {}, 1_000, 'expired'],
    ['is allowed once the agent was told', { reply: yes, taken: true }, {}, 1, 'allowed'],
    ['is denied once the agent was told', { reply: no, taken: true }, {}, 1, 'denied'],
    ['is on its way until then, past its time too', { reply: yes }, {}, 2_000, null],
    ['is over with its agent', {}, { agentRuns: false }, 1, 'gone'],
    [
      'is over with its agent though it was answered',
      { reply: yes },
      { agentRuns: false },
      1,
      'gone',
    ],
    [
      'was taken before its agent ended',
      { reply: yes, taken: true },
      { agentRuns: false },
      1,
      'allowed',
    ],
    [
      'was answered there when its hook ended',
      {},
      { hookRuns: false, connected: false },
      1,
      'elsewhere',
    ],
    [
      'is not over before the last word of its hook is read',
      { reply: yes },
      { hookRuns: false, agentRuns: false },
      1,
      null,
    ],
    ['was answered there when the agent goes on', {}, { waitsNoMore: true }, 1, 'elsewhere'],
    ['is not when it goes on by an answer', { reply: yes }, { waitsNoMore: true }, 1, null],
    ['is left to the terminal when its hook stays away', {}, { reachable: false }, 1, 'elsewhere'],
    ['stays as it ended', { end: 'expired' }, { agentRuns: false }, 1, 'expired'],
  ])('%s', (_name, over, seen, now, end) => {
    expect(decideEnd({ ...open, ...over }, { ...there, ...seen }, now)).toBe(end);
  });
});
