import { beforeAll, describe, expect, it } from 'vitest';
import type { CommandResult } from '../../../protocol/command.ts';
import { errorBody } from '../../../protocol/errors.ts';
import { type Answer, ask, codeOf, registerRunner } from '../support/http.ts';
import { type Installation, startOnline } from '../support/sessions.ts';

let home: Installation;
let away = '';
beforeAll(async () => {
  home = await startOnline();
  away = (await registerRunner()).runnerId;
});

const PANE = 'tmux:own:1.2:%3';

/** Every route that a machine answers, with the question that reaches the machine. */
const ROUTES: [string, string, string, unknown][] = [
  ['GET', '/directories', 'workspace/list', undefined],
  ['GET', '/workspace?path=/r', 'workspace/describe', undefined],
  ['GET', '/files?path=/r', 'workspace/files', undefined],
  ['GET', '/checkouts', 'checkout/list', undefined],
  ['POST', '/checkouts/ses_1/remove', 'checkout/remove', {}],
  ['POST', '/checkouts/ses_1/discard', 'checkout/remove', {}],
  ['POST', '/doctor', 'doctor/run', {}],
  ['GET', '/panes', 'terminal/panes', undefined],
  ['POST', '/panes/drive', 'terminal/panes', { target: PANE }],
];
const PLAIN = ROUTES.filter(([, path]) => path !== '/panes/drive');

const send = (
  method: string,
  rest: string,
  body?: unknown,
  runner = home.runner.runnerId as string,
) =>
  ask(method, `/v1/runners/${runner}${rest}`, {
    bearer: home.cli,
    ...(body === undefined ? {} : { body }),
  });
/** Asks, lets the machine answer, and returns what reached it with what the caller gets. */
async function through(asked: Promise<Answer>, result: CommandResult) {
  const { command } = await home.peer.next('command');
  home.peer.result(command.id, result);
  return { command, answer: await asked };
}
const contextOf = (answer: Answer) => errorBody.parse(answer.body).error.context;

describe('a route that a machine answers', () => {
  it.each(ROUTES)(
    '%s %s is refused for a machine that is not there',
    async (method, path, _, body) => {
      const answer = await send(method, path, body, 'run_nowhere');
      expect([answer.status, codeOf(answer)]).toEqual([404, 'runner_not_found']);
    },
  );

  it.each(ROUTES)(
    '%s %s is refused at once for one that is away',
    async (method, path, _, body) => {
      const answer = await send(method, path, body, away);
      expect([answer.status, codeOf(answer)]).toEqual([503, 'runner_offline']);
      expect(errorBody.parse(answer.body).error.retryable).toBe(true);
    },
  );

  it.each(PLAIN)(
    '%s %s asks it %s, and hands on its refusal',
    async (method, path, question, body) => {
      const refusal = {
        ok: false,
        code: 'directory_not_allowed',
        message: 'not that one',
      } as const;
      const { command, answer } = await through(send(method, path, body), refusal);
      expect(command.method).toBe(question);
      expect([answer.status, codeOf(answer)]).toEqual([422, 'directory_not_allowed']);
      expect(contextOf(answer)).toEqual({ detail: 'not that one' });
    },
  );

  it.each(PLAIN)(
    '%s %s does not believe an answer to %s that is none',
    async (method, path, question, body) => {
      const { answer } = await through(send(method, path, body), { ok: true, value: ['sentinel'] });
      expect([answer.status, codeOf(answer)]).toEqual([500, 'internal']);
      expect(contextOf(answer)).toEqual({
        detail: `the machine's answer to ${question} is not in the expected form`,
      });
      expect(JSON.stringify(answer.body)).not.toContain('sentinel');
    },
  );

  it('is one of the API’s own for a code that only a newer machine knows', async () => {
    const { answer } = await through(send('GET', '/panes'), {
      ok: false,
      code: 'of_tomorrow',
      message: 'new',
    });
    expect([answer.status, codeOf(answer)]).toEqual([500, 'internal']);
  });
});

describe('the terminals of a machine', () => {
  const pane = {
    target: PANE,
    backend: 'tmux',
    session: 'build',
    title: '',
    program: 'bash',
    directory: '/code',
    size: { columns: 80, rows: 24 },
    state: 'shell',
    agent: null,
    ours: true,
    shown: 'live',
  };

  it('are what it shows, and nothing that it adds', async () => {
    const listed = { panes: [pane], watch: true, drive: false };
    const { answer } = await through(send('GET', '/panes'), {
      ok: true,
      value: { ...listed, environment: 'sentinel' },
    });
    expect([answer.status, answer.body]).toEqual([200, listed]);
  });

  it.each([
    ['POST', '/panes/drive', { target: 'build' }],
    ['POST', '/panes/drive', {}],
    ['POST', '/panes/drive', { target: PANE, force: 'yes' }],
    ['POST', '/panes/let-go', { target: '%3' }],
    ['POST', '/panes/let-go', { target: PANE, key: 5 }],
  ])('are named by an id of a list alone: %s %s %j', async (method, path, body) => {
    const answer = await send(method, path, body);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request']);
  });

  it.each([null, 'a key that opens nothing'])(
    'that nobody drives are let go of by nobody: with the key %j',
    async (key) => {
      const answer = await send('POST', '/panes/let-go', { target: PANE, key, force: true });
      expect([answer.status, codeOf(answer)]).toEqual([409, 'terminal_not_driven']);
    },
  );

  it('have no record before somebody looks at one, and pages of it like every list', async () => {
    const answer = await send('GET', '/panes/records?limit=5');
    expect([answer.status, answer.body]).toEqual([200, { items: [], nextCursor: null }]);
    for (const query of ['?limit=0', '?target=build', '?cursor=x'])
      expect(codeOf(await send('GET', `/panes/records${query}`))).toBe('bad_request');
    expect(codeOf(await send('GET', '/panes/records', undefined, 'run_nowhere'))).toBe(
      'runner_not_found',
    );
  });

  it('are opened by an upgrade alone', async () => {
    const answer = await send('GET', `/panes/socket?target=${encodeURIComponent(PANE)}`);
    expect([answer.status, contextOf(answer)]).toEqual([
      400,
      { detail: 'this address is a WebSocket' },
    ]);
  });
});
