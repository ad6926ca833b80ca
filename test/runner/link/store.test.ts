import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Store, parseColumn } from '../../../runner/link/store.ts';

let store: Store;
beforeEach(() => {
  store = new Store(':memory:');
});
afterEach(() => store.close());

const put = (key: string) => store.db.prepare('INSERT INTO facts VALUES (?, ?)').run(key, '{}');
const keys = () =>
  store.db
    .prepare('SELECT key FROM facts ORDER BY key')
    .all()
    .map(({ key }) => key);

describe('a transaction', () => {
  test('answers what its work answers', () => {
    expect(store.transaction(() => 7)).toBe(7);
  });

  test('is whole or not at all', () => {
    expect(() =>
      store.transaction(() => {
        put('a');
        throw new Error('halfway');
      }),
    ).toThrow('halfway');
    expect(keys()).toEqual([]);
  });

  test('inside another is part of it', () => {
    expect(() =>
      store.transaction(() => {
        store.transaction(() => put('inner'));
        throw new Error('outer');
      }),
    ).toThrow('outer');
    expect(keys()).toEqual([]);
  });

  test('after one that failed works', () => {
    expect(() =>
      store.transaction(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    store.transaction(() => put('b'));
    expect(keys()).toEqual(['b']);
  });
});

describe('a full disk', () => {
  const fill = () => {
    store.db.exec('PRAGMA max_page_count = 20');
    for (let index = 0; ; index++)
      store.db.prepare('INSERT INTO facts VALUES (?, ?)').run(`k${index}`, 'x'.repeat(10_000));
  };

  test('is told in a sentence, and leaves nothing half written', () => {
    expect(() => store.transaction(fill)).toThrow(/disk is full.*Free some space/);
    expect(keys()).toEqual([]);
    store.db.exec('PRAGMA max_page_count = 10000');
    store.transaction(() => put('room again'));
    expect(keys()).toEqual(['room again']);
  });

  test('is not hidden behind a transaction that SQLite has rolled back already', () => {
    const failing = () => {
      store.db.exec('ROLLBACK');
      fill();
    };
    expect(() => store.transaction(failing)).toThrow(/disk is full/);
    expect(store.db.isTransaction).toBe(false);
  });
});

describe('what is to follow a transaction', () => {
  test('follows it, in order, when all of it is durable', () => {
    const seen: string[] = [];
    store.transaction(() => {
      store.afterCommit(() => seen.push('first'));
      store.transaction(() => store.afterCommit(() => seen.push('second')));
      put('a');
      seen.push('work');
    });
    expect(seen).toEqual(['work', 'first', 'second']);
  });

  test('does not follow one that failed, nor the next', () => {
    const seen: string[] = [];
    expect(() =>
      store.transaction(() => {
        store.afterCommit(() => seen.push('never'));
        throw new Error('no');
      }),
    ).toThrow('no');
    store.transaction(() => put('a'));
    expect(seen).toEqual([]);
  });

  test('outside of any happens at once', () => {
    let happened = false;
    store.afterCommit(() => {
      happened = true;
    });
    expect(happened).toBe(true);
  });

  test('may write by itself', () => {
    store.transaction(() => store.afterCommit(() => store.transaction(() => put('later'))));
    expect(keys()).toEqual(['later']);
  });
});

describe('a column', () => {
  test('is read as what was written', () => {
    expect(parseColumn('{"a":[1,null]}', 'facts.json')).toEqual({ a: [1, null] });
  });

  test.each([
    [null, 'facts.json holds no text'],
    [5, 'facts.json holds no text'],
    ['{', 'facts.json is damaged'],
    ['', 'facts.json is damaged'],
  ])('that holds %j says which one it is', (value, message) => {
    expect(() => parseColumn(value, 'facts.json')).toThrow(message);
  });
});

describe('the state of a command', () => {
  test('is one of those that the rules know: the database itself refuses another', () => {
    const insert = store.db.prepare('INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?)');
    expect(() => insert.run('cmd_1', null, 'session/stop', 'dreaming', null, 1)).toThrow(/CHECK/);
  });
});
