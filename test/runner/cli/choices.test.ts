import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../protocol/approval.ts';
import { runnerSummary } from '../../../protocol/http.ts';
import { requestId } from '../../../protocol/ids.ts';
import { wholeText } from '../../../protocol/text.ts';
import { chooseEngine, chooseRunner } from '../../../runner/cli/launch.ts';
import { answersOf, choosePending } from '../../../runner/cli/sessions/answer.ts';

const engine = (engineId: string, ready: boolean) => ({
  engineId,
  label: engineId,
  ready,
  version: null,
  payer: 'unknown',
  credential: null,
  approvals: [],
  problem: ready ? null : 'no',
  remedy: null,
});
const machine = (id: string, name: string, engines: ReturnType<typeof engine>[] = []) =>
  runnerSummary.parse({
    runnerId: id,
    name,
    presence: 'online',
    lastSeenAt: null,
    machine: {
      hostname: name,
      platform: 'linux',
      arch: 'x64',
      nodeVersion: 'v24',
      pilothouseVersion: '0.1.0',
      homeDirectory: '/home/a',
      limits: { source: null, directories: [], engines: [], bypass: false },
      engines,
    },
  });

describe('choosing the machine', () => {
  const laptop = machine('run_1', 'laptop');
  const server = machine('run_2', 'server');

  it('takes the local one', () => {
    expect(chooseRunner([server, laptop], undefined, 'run_1')).toBe(laptop);
  });

  it('takes the one asked for, by id or name', () => {
    expect(chooseRunner([server, laptop], 'server', 'run_1')).toBe(server);
    expect(chooseRunner([server, laptop], 'run_2', 'run_1')).toBe(server);
  });

  it('takes the only one there is', () => {
    expect(chooseRunner([server], undefined, null)).toBe(server);
  });

  it('asks when it cannot know, and names the machines', () => {
    expect(() => chooseRunner([server, laptop], undefined, null)).toThrow(
      /--runner.*server \(run_2\), laptop/,
    );
    expect(() => chooseRunner([server], 'laptop', null)).toThrow(/no one machine called laptop/);
    expect(() => chooseRunner([server, machine('run_3', 'server')], 'server', null)).toThrow(
      /no one machine/,
    );
  });
});

describe('choosing the engine', () => {
  it('takes the first that is ready, and never the rehearsal by itself', () => {
    const engines = [engine('rehearsal', true), engine('codex', false), engine('claude', true)];
    expect(chooseEngine(machine('run_1', 'a', engines))).toBe('claude');
  });

  it('says what to do when none is', () => {
    expect(() => chooseEngine(machine('run_1', 'a', [engine('rehearsal', true)]))).toThrow(
      /`pilothouse runner doctor` says what each needs; --engine rehearsal works/,
    );
  });
});

describe('answering', () => {
  const request = (id: string, questions: string[] = []): ApprovalRequest => ({
    requestId: requestId.parse(id),
    turnId: null,
    toolId: null,
    kind: questions.length > 0 ? 'question' : 'tool',
    toolName: 'Bash',
    input: wholeText(''),
    summary: 'git push',
    acts: [],
    questions: questions.map((question) => ({
      question,
      header: null,
      options: [],
      multiSelect: false,
    })),
    suggestions: [],
    requestedAt: 1,
    expiresAt: null,
  });

  it('means the only approval that waits', () => {
    const only = request('apr_1');
    expect(choosePending([only], undefined)).toBe(only);
    expect(choosePending([], undefined)).toBeNull();
  });

  it('never guesses among several', () => {
    expect(() => choosePending([request('apr_1'), request('apr_2')], undefined)).toThrow(
      /say which:\n\s+apr_1/,
    );
    expect(choosePending([request('apr_1'), request('apr_2')], 'apr_2')?.requestId).toBe('apr_2');
  });

  it('gives each question its answer, in their order', () => {
    expect(answersOf(request('apr_1', ['Which?', 'When?']), ['A', 'Now'])).toEqual({
      'Which?': 'A',
      'When?': 'Now',
    });
    expect(() => answersOf(request('apr_1', ['Which?']), [])).toThrow(
      /1 questions wait, and 0 answers/,
    );
  });
});
