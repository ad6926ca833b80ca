import { describe, expect, it } from 'vitest';
import {
  ACTING_METHODS,
  commandResult,
  commandSchema,
  directoryListing,
  workspaceDescription,
  type CommandMethod,
} from '../../protocol/command.ts';
import { aLaunch } from '../support/protocol-builders.ts';

const SCOPE = { backends: ['tmux'], prefixes: [], only: null };
const READ = { tool: 'terminal_list', params: { backend: null } };
const KILL = { tool: 'terminal_close', params: { target: 'kitty:1:2' } };
const ANSWER = { decision: 'allow' };
const PARAMS: Record<CommandMethod, unknown> = {
  'session/start': {
    launch: aLaunch(),
    launchId: 'lau_1',
    engineSessionId: null,
    firstTurn: { turnId: 'trn_1', text: 'go' },
  },
  'session/instruct': { turnId: 'trn_1', text: 'go' },
  'session/answer': { requestId: 'apr_1', answer: ANSWER },
  'session/interrupt': {},
  'session/stop': {},
  'session/restart': {},
  'session/takeover': { turnId: 'trn_1', size: { columns: 80, rows: 24 } },
  'session/release': {},
  'session/resume': {},
  'session/compact': { story: [] },
  'workspace/list': { path: '/home', limit: 100 },
  'workspace/describe': { path: '/home' },
  'workspace/files': { path: '/home/a', query: 'ts', limit: 10 },
  'tool/output': { toolId: 'tool-1' },
  'checkout/list': { cursor: null, limit: 50 },
  'checkout/remove': { discard: false },
  'checkout/files': { query: '', limit: 10 },
  'checkout/review': {},
  'checkout/patch': { tree: 'a'.repeat(40), path: 'src/a.ts' },
  'preview/list': {},
  'preview/open': { port: 5173 },
  'checkout/checkpoints': {},
  'checkout/rewind': { tree: 'a'.repeat(40) },
  'checkout/land': { tree: 'a'.repeat(40), how: 'push', message: 'Fix it', base: null },
  'check/run': { checkId: 'ses_1.2.0', title: 'Tests', command: 'npm test', timeoutMs: 1_000 },
  'brain/ask': {
    step: 2,
    system: 'You decide.',
    prompt: 'What now?',
    model: null,
    timeoutMs: 1_000,
  },
  'doctor/run': {},
  'engines/look': { presets: [] },
  'terminal/panes': {},
  'terminal/watch': { target: 'tmux:own:1.2:%3', drive: false },
  'terminal/look': { call: READ, scope: SCOPE, rules: [] },
  'terminal/read': { call: READ, scope: SCOPE },
  'terminal/call': { call: KILL, scope: SCOPE },
  'terminal/answer': { questionId: `ask.${'0'.repeat(32)}`, allow: true, reason: '' },
};
const METHODS = Object.keys(PARAMS) as CommandMethod[];

const command = (method: string, params: unknown, over: Record<string, unknown> = {}) => ({
  id: 'cmd_1',
  epoch: 1,
  sessionId: 'ses_1',
  deadlineAt: 1_000,
  method,
  params,
  ...over,
});
const accepts = (method: CommandMethod, params: unknown = PARAMS[method], over = {}) =>
  commandSchema.safeParse(command(method, params, over)).success;

describe('a command', () => {
  it('is one of a closed list, all of which are tried here', () => {
    const known = commandSchema.options.map((option) => option.shape.method.value);
    expect(METHODS.toSorted()).toEqual(known.toSorted());
  });

  it.each(METHODS)('%s is accepted with its own parameters', (method) => {
    expect(accepts(method)).toBe(true);
  });

  it.each(METHODS)('%s is refused without parameters', (method) => {
    expect(accepts(method, null)).toBe(false);
  });

  it.each([
    ['an id of another kind', { id: 'ses_1' }],
    ['no id', { id: undefined }],
    ['a negative epoch', { epoch: -1 }],
    ['half an epoch', { epoch: 0.5 }],
    ['a session id of another kind', { sessionId: 'run_1' }],
    ['a deadline that is no time', { deadlineAt: 'soon' }],
    ['a method that nobody knows', { method: 'session/explode' }],
  ])('with %s is refused', (_what, over) => {
    expect(accepts('session/stop', {}, over)).toBe(false);
  });

  it('may be of no session', () => {
    expect(accepts('doctor/run', {}, { sessionId: null, epoch: 0 })).toBe(true);
  });

  it('loses what is not of its form, so that nothing rides along', () => {
    const parsed = commandSchema.parse(command('session/stop', { force: true }, { sudo: true }));
    expect(parsed).toEqual(command('session/stop', {}));
  });
});

describe('the methods that act', () => {
  it('are those of a session and what writes to a terminal: each is recorded before it is carried out', () => {
    const acting = METHODS.filter(
      (method) => method.startsWith('session/') || method === 'terminal/call',
    );
    expect([...ACTING_METHODS].toSorted()).toEqual(acting.toSorted());
  });

  it('are all that a tool can write by: a read that writes is refused', () => {
    expect(accepts('terminal/read', { call: KILL, scope: SCOPE })).toBe(false);
  });
});

describe('a launch command', () => {
  const start = PARAMS['session/start'] as Record<string, unknown>;

  it('may begin without an instruction', () => {
    expect(accepts('session/start', { ...start, firstTurn: null })).toBe(true);
  });

  it('may carry a conversation on, by a name that is not empty', () => {
    expect(accepts('session/start', { ...start, engineSessionId: 'abc' })).toBe(true);
    expect(accepts('session/start', { ...start, engineSessionId: '' })).toBe(false);
  });

  it('with an instruction without words is refused', () => {
    const firstTurn = { turnId: 'trn_1', text: '  ' };
    expect(accepts('session/start', { ...start, firstTurn })).toBe(false);
  });

  it('with a launch that a person could not ask for is refused', () => {
    const launch = { ...aLaunch(), budgetMicroUsd: -5 };
    expect(accepts('session/start', { ...start, launch })).toBe(false);
  });
});

describe('an answer command', () => {
  const answerOf = (answer: unknown) =>
    accepts('session/answer', { requestId: 'apr_1', answer }, {});

  it.each([
    [{ decision: 'allow' }, true],
    [{ decision: 'deny', message: 'not today' }, true],
    [{ decision: 'allow', suggestion: 0 }, true],
    [{ decision: 'allow', answers: { 'Which?': 'Red' } }, true],
    [{ decision: 'maybe' }, false],
    [{}, false],
    [{ decision: 'allow', suggestion: -1 }, false],
    [{ decision: 'allow', suggestion: 1.5 }, false],
    [{ decision: 'deny', message: 'x'.repeat(10_001) }, false],
    [{ decision: 'allow', answers: { 'Which?': 3 } }, false],
  ])('%j is accepted: %s', (answer, accepted) => {
    expect(answerOf(answer)).toBe(accepted);
  });
});

describe('looking around', () => {
  it.each([
    [{ path: '', limit: 1 }, true],
    [{ path: '/', limit: 500 }, true],
    [{ path: '/', limit: 501 }, false],
    [{ path: '/', limit: 0 }, false],
    [{ path: 'x'.repeat(4097), limit: 1 }, false],
  ])('%j is accepted: %s', (params, accepted) => {
    expect(accepts('workspace/list', params)).toBe(accepted);
  });
});

describe('the result of a command', () => {
  it('is a value or a failure with a code and a sentence', () => {
    expect(commandResult.parse({ ok: true, value: { any: ['thing'] } })).toMatchObject({
      ok: true,
    });
    expect(commandResult.parse({ ok: false, code: 'expired', message: 'Too late.' })).toMatchObject(
      {
        ok: false,
      },
    );
  });

  it.each([
    [{ ok: false }],
    [{ ok: false, code: 'expired' }],
    [{ ok: 'yes', value: 1 }],
    [{ value: 1 }],
    [null],
  ])('%j is none', (raw) => {
    expect(commandResult.safeParse(raw).success).toBe(false);
  });

  it('may carry a code that this end does not know yet', () => {
    expect(commandResult.safeParse({ ok: false, code: 'brand_new', message: 'x' }).success).toBe(
      true,
    );
  });
});

describe('what a machine says of its directories', () => {
  it('is a page, with whether there is more', () => {
    const listing = {
      path: '/home',
      entries: [{ name: 'repo', path: '/home/repo', repository: true }],
      more: false,
    };
    expect(directoryListing.parse(listing)).toEqual(listing);
  });

  it('is a description in which a problem says whether it is in the way', () => {
    const description = {
      path: '/home/repo',
      repository: '/home/repo',
      branch: 'main',
      commit: 'abc',
      uncommittedFiles: 0,
      branches: ['main'],
      problems: [{ code: 'detached', message: 'No branch is checked out.', blocks: false }],
    };
    expect(workspaceDescription.parse(description)).toEqual(description);
    expect(workspaceDescription.safeParse({ ...description, uncommittedFiles: -1 }).success).toBe(
      false,
    );
  });
});
