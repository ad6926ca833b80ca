import { describe, expect, test } from 'vitest';
import { geminiAcp } from '../../../../runner/engines/gemini/acp.ts';
import { FIRST } from '../harness.ts';
import { aTalk, atWork } from './harness.ts';

const EARLIER = { resume: true, engineSessionId: 'earlier' };
const methods = (talk: ReturnType<typeof aTalk>) => talk.written().map(({ method }) => method);

describe('a conversation', () => {
  test('begins anew in the directory, and is ready under the agent’s own name for it', () => {
    const talk = aTalk()
      .answers('initialize', { agentInfo: { version: '1.18' } })
      .answers('session', { sessionId: 'theirs', models: { currentModelId: 'a/b' } });
    expect(talk.written()[1]).toMatchObject({
      method: 'session/new',
      params: { cwd: '/home/dev/repo', mcpServers: [] },
    });
    expect(talk.of('engine/ready')).toMatchObject([
      { engineSessionId: 'theirs', engineVersion: '1.18', model: 'a/b' },
    ]);
  });

  test.each([
    [{ loadSession: true, sessionCapabilities: { resume: {} } }, 'session/resume'],
    [{ loadSession: true, sessionCapabilities: { resume: null } }, 'session/load'],
    [{ loadSession: true }, 'session/load'],
  ])('goes on by the mildest way that the agent has: %j', (agentCapabilities, method) => {
    const talk = aTalk({ launch: EARLIER }).answers('initialize', { agentCapabilities });
    expect(talk.written()[1]).toMatchObject({ method, params: { sessionId: 'earlier' } });
    expect(talk.answers('session', {}).of('engine/ready')[0]?.engineSessionId).toBe('earlier');
  });

  test('cannot go on with an agent that has no way to, which is the launch’s failure', () => {
    const talk = aTalk({ launch: EARLIER }).answers('initialize', {});
    expect(methods(talk)).toEqual(['initialize']);
    expect(talk.items.at(-1)).toMatchObject({
      kind: 'fatal',
      error: { message: expect.stringContaining('cannot take up an earlier conversation') },
    });
  });

  test.each(['initialize', 'session'])('whose %s is refused is the launch’s failure', (id) => {
    const talk = aTalk();
    if (id === 'session') talk.answers('initialize', {});
    talk.fails(id, { code: -32_000, message: 'Authentication required' });
    expect(talk.items.at(-1)).toMatchObject({ kind: 'fatal', error: { code: 'auth_missing' } });
    expect(talk.of('engine/ready')).toEqual([]);
  });

  test.each([
    [
      {
        configOptions: [
          { id: 'mode', currentValue: 'z' },
          { id: 'model', currentValue: 'x/y' },
        ],
      },
      'x/y',
    ],
    [
      { models: { currentModelId: 'a/b' }, configOptions: [{ id: 'model', currentValue: 'x' }] },
      'a/b',
    ],
    [{ configOptions: [{ id: 'model', currentValue: 7 }] }, null],
    [{}, null],
  ])('has the model that the agent says, as a list or as an option: %j', (result, model) => {
    const talk = aTalk()
      .answers('initialize', {})
      .answers('session', { sessionId: 's', ...result });
    expect(talk.of('engine/ready')[0]?.model).toBe(model);
  });

  test('without a name is none: the line is told and nothing is ready', () => {
    const talk = aTalk().answers('initialize', {}).answers('session', {});
    expect(talk.of('engine/ready')).toEqual([]);
    expect(talk.of('notice/raised')).toMatchObject([{ code: 'line_unreadable' }]);
  });
});

describe('an instruction', () => {
  test.each<[string, object]>([
    ['a new conversation', {}],
    ['one that is gone on with', EARLIER],
  ])('is taken back by an interrupt before %s is open, and never handed over', (_, launch) => {
    const talk = aTalk({ launch }).instruct().interrupt();
    expect(talk.ended()).toBeUndefined();
    talk
      .answers('initialize', { agentCapabilities: { loadSession: true } })
      .answers('session', { sessionId: 'theirs' });
    expect(talk.of('engine/ready')).toHaveLength(1);
    expect(talk.ended()).toMatchObject({ turnId: FIRST, outcome: 'interrupted', usage: 'none' });
    expect(methods(talk)).not.toContain('session/prompt');
    expect(methods(talk)).not.toContain('session/cancel');
    expect(
      talk
        .instruct('again')
        .written()
        .some(({ method }) => method === 'session/prompt'),
    ).toBe(true);
  });

  test('waits for the conversation, and is then followed by the question whether it was taken', () => {
    const talk = aTalk().answers('initialize', {}).instruct('/clear everything');
    expect(methods(talk)).toEqual(['initialize', 'session/new']);
    talk.answers('session', { sessionId: 's' });
    expect(talk.written().slice(2)).toMatchObject([
      { id: `turn:${FIRST}`, params: { prompt: [{ text: '\u2060/clear everything' }] } },
      { id: `taken:${FIRST}`, method: '_pilothouse/taken' },
    ]);
  });

  test('begins when the agent refuses that question, and not when its line is written', () => {
    const talk = aTalk()
      .answers('initialize', {})
      .answers('session', { sessionId: 's' })
      .instruct();
    expect(talk.of('turn/started')).toEqual([]);
    talk.fails(`taken:${FIRST}`, { code: -32_601, message: 'Method not found' });
    expect(talk.of('turn/started')).toMatchObject([{ turnId: FIRST }]);
  });

  test('begins once, whatever follows', () => {
    const talk = atWork().say('One').call('t', { kind: 'read', status: 'in_progress' }).ends();
    expect(talk.of('turn/started')).toHaveLength(1);
    expect(talk.of('turn/delivered')).toHaveLength(1);
  });
});

describe('a past that is told again', () => {
  test('ends with the answer that the conversation is open, as the protocol has it', () => {
    const talk = aTalk({ launch: EARLIER })
      .answers('initialize', { agentCapabilities: { loadSession: true } })
      .say('of old')
      .costs(0.5)
      .answers('session', {})
      .instruct()
      // An agent may answer before it has read the question whether the instruction was taken.
      .say('new')
      .answers(`taken:${FIRST}`, {});
    expect(talk.state().toldMicroUsd).toBe(500_000);
    expect(talk.ends().of('text/completed')).toMatchObject([{ text: { text: 'new' } }]);
  });

  test('is passed over up to the first line of ours, where the agent tells it late', () => {
    const talk = aTalk({ engine: geminiAcp, launch: EARLIER })
      .answers('initialize', { agentCapabilities: { loadSession: true } })
      .say('of old')
      .call('old', { kind: 'execute', status: 'completed' })
      .answers('session', {})
      .say('of old too')
      .instruct()
      .say('still of old');
    expect(talk.of('tool/started')).toEqual([]);
    talk.answers(`taken:${FIRST}`, {}).say('new').ends();
    expect(talk.of('text/completed').map(({ text }) => text.text)).toEqual(['new']);
  });
});

describe('what the agent may ask of us', () => {
  test('is refused at once: what we said we do not serve without a word, the rest with one', () => {
    const talk = atWork()
      .line({ id: 1, method: 'fs/read_text_file', params: {} })
      .line({ id: 2, method: 'terminal/create', params: {} })
      .line({ id: 3, method: 'dream/begin', params: {} })
      .ends();
    const refused = talk.written().filter((line) => 'error' in line);
    expect(refused).toMatchObject([1, 2, 3].map((id) => ({ id, error: { code: -32_601 } })));
    expect(talk.of('notice/raised')).toMatchObject([
      { code: 'lines_unknown', message: expect.stringContaining('dream/begin ×1') },
    ]);
  });
});
