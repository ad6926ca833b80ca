import { expect, test } from 'vitest';
import { instanceId } from '../../../protocol/ids.ts';
import { Store } from '../../../runner/link/store.ts';
import { type KeptQuestion, QuestionStore } from '../../../runner/questions/question-store.ts';

const ID = `ask.${'1'.repeat(32)}`;
const process = { pid: 1, startedAt: '1' };
const aQuestion = (id: string): KeptQuestion => ({
  question: {
    id,
    drive: { instanceId: instanceId.parse('ins_1'), callId: 'call' },
    target: null,
    at: 1,
    expiresAt: 2,
    end: null,
    permission: { engine: 'claude', asks: 'Bash', input: '{}', omitted: 0, directory: '/code' },
    acts: [],
    touches: null,
  },
  hook: process,
  agent: process,
  waited: false,
  reply: null,
  taken: false,
});

test('a question is found without a look at any other', () => {
  const db = new Store(':memory:');
  const logged: unknown[] = [];
  const store = new QuestionStore(db, (_level, _message, facts) => void logged.push(facts));
  expect(store.isEmpty()).toBe(true);
  store.save(aQuestion(ID));
  db.db.prepare("INSERT INTO questions (id, json, at) VALUES ('bad', '{', 0)").run();
  expect(store.find(ID)).toEqual(aQuestion(ID));
  expect(store.find('none')).toBeNull();
  expect(logged).toEqual([]);
  expect(store.list()).toHaveLength(1);
  expect(logged).toMatchObject([{ question: 'bad' }]);
  expect(store.isEmpty()).toBe(false);
  db.close();
});
