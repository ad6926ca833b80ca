import { describe, expect, it } from 'vitest';
import { parseAsk, parsePushOptions } from '../../../runner/broker/ask.ts';
import { writeBody } from '../../../runner/broker/body.ts';

describe('what a session asks the gate for', () => {
  it('needs a title, and may leave the rest to the gate', () => {
    expect(parseAsk({ title: ' Say\ngoodbye\u202E ' })).toEqual({
      ok: true,
      ask: {
        title: 'Say goodbye',
        body: '',
        base: null,
        head: null,
        local: null,
        commit: null,
        draft: false,
      },
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['no title', { title: ' \u200B ' }, /^title: say what/],
    ['a title that is a text', { title: 'x'.repeat(201) }, /^title: has at most 200/],
    ['a branch that is an option', { title: 'x', head: '--force' }, /^head: is no name/],
    ['a branch that leads out', { title: 'x', base: 'a b' }, /^base: is no name/],
    ['more than a pull request', { title: 'x', merge: true }, /merge/],
    ['nothing', undefined, /expected object/],
  ])('is refused with %s', (_name, raw, reason) => {
    expect(parseAsk(raw)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });
});

describe('the options of a push', () => {
  it('ask for nothing where none is ours', () => {
    expect(parsePushOptions([])).toEqual({ asked: null, foreign: [] });
    const foreign = ['merge_request.merge_when_pipeline_succeeds', 'pr.merge=1', 'ci.skip'];
    expect(parsePushOptions(foreign)).toEqual({ asked: null, foreign });
  });

  it('ask for a pull request, with a line of its text in each', () => {
    const options = [
      'pr.body=One',
      'pr.title=A = B',
      'pr.body=Two',
      'pr.base=dev',
      'pr.draft',
      'x',
    ];
    expect(parsePushOptions(options)).toMatchObject({
      asked: { ok: true, ask: { title: 'A = B', body: 'One\nTwo', base: 'dev', draft: true } },
      foreign: ['x'],
    });
    expect(parsePushOptions(['pr.title=x', 'pr.draft=false'])).toMatchObject({
      asked: { ask: { draft: false, base: null } },
    });
  });

  it('say what is wrong with them', () => {
    expect(parsePushOptions(['pr.body=One'])).toMatchObject({
      asked: { ok: false, reason: expect.stringContaining('title') },
    });
  });
});

describe('the text of a pull request', () => {
  it('has the agent’s words as code, so that they call nobody and order nothing', () => {
    const body = writeBody('@team fixes #1\n/merge\n```\n<!-- x -->\n```\u001B[2J');
    expect(body).toMatch(/^Opened by a session of a coding agent/);
    expect(body).toContain('````text\n@team fixes #1\n/merge\n```\n<!-- x -->\n```[2J\n````');
  });

  it('says who opened it where nothing else is said', () => {
    expect(writeBody(' \n ')).not.toContain('```');
  });
});
