import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GateRequest } from '../../../../protocol/gate.ts';
import { CHAT_TEXT_MAX, type ChatEvent } from '../../../../protocol/operator-chat.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { aUsage } from '../../../support/protocol-builders.ts';
import { until } from '../../../support/until.ts';

const ANSWERED: ChatEvent = {
  type: 'answered',
  text: 'It runs.',
  calls: [{ callId: 'c', toolCallId: 't', name: 'tmux_capture_pane', input: { history: 0 } }],
  usage: aUsage({}),
  upTo: 1,
};

let cloud: FakeCloud;
let id: string;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_laptop', 'laptop'));
  const made = (await jsonOf(cloud, 'operators', 'make', 'opr_tmux', '--name', 'watcher')) as {
    instance: { id: string };
  };
  id = made.instance.id;
});
afterEach(() => cloud.close());

const run = (...args: string[]) => runOn(cloud, 'operators', ...args);
/** What was sent since the instance was made. */
const sent = () => cloud.requests('POST').slice(1);
/** A conversation as it is told each time that somebody looks. */
const put = (over: object, ...events: ChatEvent[]) =>
  cloud.garble(
    /\/chat$/,
    JSON.stringify({
      seq: 1,
      state: 'idle',
      waiting: null,
      entries: events.map((event, index) => ({ seq: index + 2, at: 1, event })),
      last: events.length + 1,
      spentMicroUsd: 1_200,
      unpriced: 0,
      budgetMicroUsd: null,
      ...over,
    }),
  );

describe('pilothouse operators say', () => {
  it('is sent and left alone where nobody waits', async () => {
    const { exitCode, stdout } = await run('say', 'watcher', 'watch the build', '--no-wait');
    expect(exitCode).toBe(EXIT.ok);
    expect(sent()).toEqual([
      { path: `/v1/instances/${id}/chat`, body: { text: 'watch the build' } },
    ]);
    expect(stdout).toContain(`pilothouse operators decisions ${id}`);
    expect(await jsonOf(cloud, 'operators', 'say', id, 'more', '--no-wait')).toEqual({
      instanceId: id,
      seq: 2,
    });
  });

  it.each(['', '   ', 'x'.repeat(CHAT_TEXT_MAX + 1)])('is not %j', async (words) => {
    const { exitCode, stderr } = await run('say', 'watcher', words);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining('Say something')]);
    expect(sent()).toEqual([]);
  });

  it('fails where there is no such instance', async () => {
    expect((await run('say', 'nobody', 'go')).exitCode).toBe(EXIT.refused);
    expect(sent()).toEqual([]);
  });

  it('waits for what comes, shows it once, and says what it came to', async () => {
    // The stand-in tells all of it at the first look, and nothing new at the next.
    put({}, ANSWERED);
    const looked = () => cloud.requests('GET').some(({ path }) => path.endsWith('/chat'));
    const later = async () => {
      await until('the first look', looked);
      cloud.mend();
      put({ entries: [] });
    };
    const [{ stdout, exitCode }] = await Promise.all([run('say', 'watcher', 'go'), later()]);
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout.match(/It runs\./g)).toHaveLength(1);
    expect(stdout).toContain('→ tmux_capture_pane {"history":0}');
    expect(stdout).toContain('estimated < $0.01 for its model');
  });
});

const aRequest = (instanceId: string): GateRequest => ({
  callId: 'chat.2.0',
  instanceId,
  actor: { kind: 'agent', id: instanceId },
  tool: 'tmux_run_command',
  risk: 'run',
  target: null,
  params: {},
  rule: 'consent',
  reason: 'asked before run',
  at: 1,
  expiresAt: 2,
});

describe('an agent that needs a person', () => {
  it('says how to answer, once, and ends in refusal where it halted', async () => {
    const waiting = { callId: 'chat.2.0', reason: 'asked before \u001b[2Krun', expiresAt: 2 };
    put({ state: 'waiting', waiting, entries: [] });
    cloud.garble(/gate\/requests$/, JSON.stringify({ items: [aRequest(id)] }));
    const halted: ChatEvent = { type: 'halted', reason: 'The budget is used up.' };
    const looks = () => cloud.requests('GET').filter(({ path }) => path.endsWith('/chat')).length;
    const later = async () => {
      await until('a second look', () => looks() > 1);
      cloud.mend();
      put({ state: 'halted' }, halted);
      await until('another look', () => looks() > 2);
      cloud.mend();
      put({ state: 'halted', entries: [] });
    };
    const [{ exitCode, stderr, stdout }] = await Promise.all([
      run('say', 'watcher', 'go'),
      later(),
    ]);
    expect(stderr.match(/operators answer \S+ chat\.2\.0 once\|instance\|deny/g)).toHaveLength(1);
    expect(stderr).toContain('It waits for you (asked before run)');
    expect(stdout).toContain('The budget is used up.');
    expect([exitCode, stderr]).toEqual([
      EXIT.refused,
      expect.stringMatching(/budget is used up\.\s*$/),
    ]);
  });
});

describe('pilothouse operators answer', () => {
  const answers = (answer: string) => cloud.garble(/\/answer$/, JSON.stringify({ answer }));

  it('sends the word, and says so', async () => {
    answers('once');
    expect((await run('answer', 'watcher', 'chat.2.0', 'once')).stdout).toBe('Noted.\n');
    expect(sent()).toEqual([
      { path: `/v1/instances/${id}/calls/chat.2.0/answer`, body: { answer: 'once' } },
    ]);
  });

  it('tells whoever comes second what stands', async () => {
    answers('deny');
    expect((await run('answer', id, 'c', 'once')).stdout).toContain('answered before: deny');
    expect(await jsonOf(cloud, 'operators', 'answer', id, 'c', 'once')).toMatchObject({
      callId: 'c',
      answer: 'deny',
    });
  });

  it('knows no other word', async () => {
    const { exitCode, stderr } = await run('answer', id, 'c', 'always');
    expect([exitCode, stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('once, instance, deny'),
    ]);
    expect(sent()).toEqual([]);
  });
});

describe('what a person sees of an operator’s calls', () => {
  it('is nothing where it made none', async () => {
    expect((await run('decisions', 'watcher')).stdout).toBe('It has made no call yet.\n');
    expect(cloud.asked.at(-1)?.query).toEqual({ limit: '50' });
    await run('decisions', 'watcher', '--limit', '3');
    expect(cloud.asked.at(-1)?.query).toEqual({ limit: '3' });
    expect((await run('decisions', 'watcher', '--limit', '0')).exitCode).toBe(EXIT.usage);
  });

  it('is each call that waits, for a person and for a program', async () => {
    const request = {
      callId: 'chat.2.0',
      instanceId: id,
      actor: { kind: 'agent', id },
      tool: 'tmux_run_command',
      risk: 'run',
      target: null,
      params: { command: 'npm test' },
      rule: 'consent',
      reason: 'subscriber is asked before run',
      at: 1,
      expiresAt: 2,
    };
    cloud.garble(/\/gate\/requests$/, JSON.stringify({ items: [request] }));
    const { stdout } = await run('requests');
    expect(stdout).toContain(`operators answer ${id} chat.2.0 once|instance|deny`);
    expect(await jsonOf(cloud, 'operators', 'requests')).toEqual({ items: [request] });
  });
});

describe('pilothouse operators stop', () => {
  it('says what goes on all the same', async () => {
    cloud.garble(/\/chat\/stop$/, '{"accepted":true}');
    const { stdout, exitCode } = await run('stop', 'watcher');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('goes on there');
    expect(sent()).toEqual([{ path: `/v1/instances/${id}/chat/stop`, body: {} }]);
  });
});
