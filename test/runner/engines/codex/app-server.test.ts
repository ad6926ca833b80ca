import { expect, test } from 'vitest';
import { turnId } from '../../../../protocol/ids.ts';
import { codexAppServer } from '../../../../runner/engines/codex/app-server/preset.ts';
import type { EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { anEngineLaunch } from '../harness.ts';

type State = ReturnType<typeof codexAppServer.open>['state'];

/** A thread that has worked one turn, of 1 060 tokens, and is in the middle of its second. */
class Thread {
  items: EngineItem[] = [];
  #state: State;
  #turn = 0;

  constructor({ open = true } = {}) {
    const launch = anEngineLaunch({}, { engineId: 'codex', model: 'gpt-5.5', approvals: 'ask' });
    this.#state = codexAppServer.open(launch).state;
    this.#read({ id: 'initialize', result: {} });
    if (!open) return;
    this.opens().begin();
    this.says('Whole.').completes('Whole.').tells(1_000, 60).ends('completed');
    this.begin();
    this.items = [];
  }

  #take(step: EngineStep<State>): void {
    this.#state = step.state;
    this.items.push(...step.items);
  }
  #read(line: object): this {
    this.#take(codexAppServer.parse(this.#state, JSON.stringify({ jsonrpc: '2.0', ...line }), 1));
    return this;
  }
  #notify = (method: string, params: object): this =>
    this.#read({ method, params: { threadId: 'th', turnId: `e${this.#turn}`, ...params } });

  opens(): this {
    return this.#read({ id: 'thread', result: { thread: { id: 'th' }, model: 'gpt-5.5' } });
  }
  instruct(): this {
    this.#turn++;
    const instruction = { turnId: turnId.parse(`trn_${this.#turn}`), text: 'go' };
    this.#take(codexAppServer.encodeInstruction(this.#state, instruction, 1));
    return this;
  }
  starts(): this {
    return this.#notify('turn/started', { turn: { id: `e${this.#turn}` } });
  }
  begin(): this {
    return this.instruct().starts();
  }
  says(delta: string): this {
    return this.#notify('item/agentMessage/delta', { itemId: `m${this.#turn}`, delta });
  }
  completes(text: string): this {
    const item = { type: 'agentMessage', id: `m${this.#turn}`, text };
    return this.#notify('item/completed', { item });
  }
  runs(stage: 'started' | 'completed', status = 'inProgress'): this {
    const item = { type: 'commandExecution', id: 'c', command: 'make', cwd: '/', status };
    return this.#notify(`item/${stage}`, { item });
  }
  /** Its running total, of which no token was cached. */
  tells(inputTokens: number, outputTokens: number): this {
    const total = { inputTokens, outputTokens, cachedInputTokens: 0, cacheWriteInputTokens: 0 };
    return this.#notify('thread/tokenUsage/updated', { tokenUsage: { total } });
  }
  interrupt(): this {
    this.#take(codexAppServer.encodeInterrupt(this.#state, 1));
    return this;
  }
  ends(status: string): this {
    return this.#notify('turn/completed', { turn: { id: `e${this.#turn}`, status } });
  }
  /** What was written to it with this method. */
  written(method: string): object[] {
    return this.items
      .flatMap((item) =>
        item.kind === 'write' ? [JSON.parse(item.line) as { method?: string }] : [],
      )
      .filter((line) => line.method === method);
  }
  dies(): this {
    const exit = { exitCode: null, signal: 'SIGKILL', expected: false, stderrTail: [] };
    this.#take(codexAppServer.exit(this.#state, exit, 1));
    return this;
  }

  get ended() {
    return this.items.flatMap((item) =>
      item.kind === 'event' && item.event.type === 'turn/ended' ? [item.event] : [],
    );
  }
  get usage() {
    return this.ended.map(({ usage }) => usage);
  }
  get texts() {
    return this.items.flatMap((item) =>
      item.kind === 'event' && item.event.type === 'text/completed' ? [item.event.text.text] : [],
    );
  }
}

test('an answer that is cut off is owed, though the engine repeats what it had told before', () => {
  const cut = new Thread().says('Half ').interrupt().tells(1_000, 60).ends('interrupted');
  expect(cut.usage).toEqual(['unsettled']);
});

test('a command that is cut off owes nothing, when its answer’s figures were told', () => {
  const thread = new Thread().runs('started').tells(1_500, 90).interrupt();
  thread.runs('completed', 'failed').tells(1_500, 90).ends('interrupted');
  expect(thread.usage).toEqual(['recorded']);
});

test('the answer behind a command is owed, when it was cut off before it said a word', () => {
  const thread = new Thread().runs('started').tells(1_500, 90).runs('completed', 'completed');
  thread.interrupt().tells(1_500, 90).ends('interrupted');
  expect(thread.usage).toEqual(['unsettled']);
});

test('what was said up to an interrupt, or to a crash, stays in the record', () => {
  const interrupted = new Thread().says('Half ').says('a word').interrupt().ends('interrupted');
  expect(interrupted.texts).toEqual(['Half a word']);
  expect(new Thread().says('Half ').dies().texts).toEqual(['Half ']);
});

test('a text that was told whole is not told again', () => {
  const thread = new Thread().says('Whole').completes('Whole.').tells(2_000, 90).ends('completed');
  expect(thread.texts).toEqual(['Whole.']);
});

test('of a long text that is cut off the beginning is kept, and the rest counted', () => {
  const [text = ''] = new Thread().says('x'.repeat(15_999)).says('yz').dies().texts;
  expect(text).toMatch(/^x{15999}y\n… 1 more characters were not kept …\n$/);
});

test.each([false, true])(
  'a thread may only read, or codex would write down that its directory is trusted: resumed %s',
  (resume) => {
    const launch = anEngineLaunch({ resume }, { engineId: 'codex', approvals: 'ask' });
    const instruction = { turnId: turnId.parse('trn_1'), text: 'go' };
    let { state } = codexAppServer.open(launch);
    ({ state } = codexAppServer.encodeInstruction(state, instruction, 1));
    const written = ['initialize', 'thread'].flatMap((id) => {
      const result = { thread: { id: 'th' }, model: 'gpt-5.5' };
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
      const step = codexAppServer.parse(state, answer, 1);
      ({ state } = step);
      return step.items.flatMap((item) => (item.kind === 'write' ? [JSON.parse(item.line)] : []));
    });
    const asked = Object.fromEntries(written.map(({ method, params }) => [method, params]));
    expect(asked[resume ? 'thread/resume' : 'thread/start']).toMatchObject({
      sandbox: 'read-only',
    });
    expect(asked['turn/start']).toMatchObject({ sandboxPolicy: { type: 'dangerFullAccess' } });
  },
);

test('an instruction that is interrupted before its thread is open is never handed over', () => {
  const thread = new Thread({ open: false }).instruct().interrupt().opens();
  expect(thread.written('turn/start')).toEqual([]);
  expect(thread.written('turn/interrupt')).toEqual([]);
  expect(thread.ended).toMatchObject([{ turnId: 'trn_1', outcome: 'interrupted', usage: 'none' }]);
  expect(thread.instruct().written('turn/start')).toHaveLength(1);
});

test('an interrupt that comes before the turn has a name is made once it has', () => {
  const thread = new Thread({ open: false }).opens().instruct().interrupt();
  expect(thread.written('turn/interrupt')).toEqual([]);
  thread.starts();
  expect(thread.written('turn/interrupt')).toMatchObject([
    { params: { threadId: 'th', turnId: 'e1' } },
  ]);
});
