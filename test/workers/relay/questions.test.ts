import { describe, expect, it } from 'vitest';
import { commandId } from '../../../protocol/ids.ts';
import { Questions } from '../../../workers/relay/questions.ts';

const [ONE, TWO] = [commandId.parse('cmd_1'), commandId.parse('cmd_2')];
const LONG_MS = 5_000;

describe('a question to a machine', () => {
  it('is answered with what the machine says', async () => {
    const questions = new Questions();
    const asked = questions.wait(ONE, LONG_MS);
    expect(questions.settle(ONE, { ok: true, value: { path: '/' } })).toBe(true);
    expect(await asked).toEqual({ ok: true, value: { path: '/' } });
  });

  it('is refused in the machine’s own words', async () => {
    const questions = new Questions();
    const asked = questions.wait(ONE, LONG_MS);
    questions.settle(ONE, { ok: false, code: 'directory_missing', message: '/x is not there' });
    expect(await asked).toEqual({
      ok: false,
      code: 'directory_missing',
      context: { detail: '/x is not there' },
    });
  });

  it('is internal when the machine’s code is not one of ours', async () => {
    const questions = new Questions();
    const asked = questions.wait(ONE, LONG_MS);
    questions.settle(ONE, { ok: false, code: 'too_new', message: 'x' });
    expect(await asked).toMatchObject({ ok: false, code: 'internal' });
  });

  it('is not waited for longer than its bound', async () => {
    expect(await new Questions().wait(ONE, 10)).toMatchObject({
      ok: false,
      code: 'runner_timeout',
    });
  });

  it('is one of many, each with its own answer, in any order', async () => {
    const questions = new Questions();
    const [first, second] = [questions.wait(ONE, LONG_MS), questions.wait(TWO, LONG_MS)];
    questions.settle(TWO, { ok: true, value: 2 });
    questions.settle(ONE, { ok: true, value: 1 });
    expect([await first, await second]).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
  });

  it('has one answer: a second result is nobody’s', async () => {
    const questions = new Questions();
    const asked = questions.wait(ONE, LONG_MS);
    questions.settle(ONE, { ok: true, value: 1 });
    expect(questions.settle(ONE, { ok: true, value: 2 })).toBe(false);
    expect(await asked).toEqual({ ok: true, value: 1 });
  });

  it('that nobody asked, or that nobody waits for any more, is nobody’s', async () => {
    const questions = new Questions();
    expect(questions.settle(ONE, { ok: true, value: 1 })).toBe(false);
    await questions.wait(ONE, 5);
    expect(questions.settle(ONE, { ok: true, value: 1 })).toBe(false);
  });

  it('is given up for all when the machine goes', async () => {
    const questions = new Questions();
    const asked = [questions.wait(ONE, LONG_MS), questions.wait(TWO, LONG_MS)];
    questions.abandon();
    for (const outcome of await Promise.all(asked))
      expect(outcome).toMatchObject({ ok: false, code: 'runner_offline' });
    expect(questions.settle(ONE, { ok: true, value: 1 })).toBe(false);
  });

  it('that may have had its effect is of unknown outcome when no answer came', async () => {
    const questions = new Questions();
    const late = questions.wait(ONE, 5, 'unknown_outcome');
    expect(await late).toMatchObject({ ok: false, code: 'unknown_outcome' });
    const gone = questions.wait(ONE, LONG_MS, 'unknown_outcome');
    questions.abandon();
    expect(await gone).toMatchObject({ ok: false, code: 'unknown_outcome' });
  });

  it('asked by several is answered to each of them', async () => {
    const questions = new Questions();
    const asked = [questions.wait(ONE, LONG_MS), questions.wait(ONE, 5)];
    expect(await asked[1]).toMatchObject({ ok: false, code: 'runner_timeout' });
    const third = questions.wait(ONE, LONG_MS);
    questions.settle(ONE, { ok: true, value: 1 });
    expect([await asked[0], await third]).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 1 },
    ]);
  });

  it('may be asked again after it was given up', async () => {
    const questions = new Questions();
    const first = questions.wait(ONE, LONG_MS);
    questions.abandon();
    await first;
    const again = questions.wait(ONE, LONG_MS);
    questions.settle(ONE, { ok: true, value: 'now' });
    expect(await again).toEqual({ ok: true, value: 'now' });
  });
});
