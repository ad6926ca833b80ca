import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { awaitAnswer, makePlace, takeOutput } from '../../../runner/brain/ask-process.ts';
import type { AskProcess } from '../../../runner/brain/ask-store.ts';
import { identifyProcess } from '../../../runner/process/process-table.ts';
import { aDirectory } from '../guard/repositories.ts';
import { aSpool } from '../../support/runner-builders.ts';

const MORE_THAN_AN_ANSWER_BYTES = 16 * 1024 * 1024 + 1;

describe('the place of a question', () => {
  it('has the files that the engine needs, for nobody else, and nothing of before', () => {
    const directory = join(aDirectory(), 'aside', 'ses_one');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'left'), 'of the last question');
    makePlace(directory, { files: { 'schema.json': '{}' } });
    expect(readdirSync(directory)).toEqual(['schema.json']);
    expect(readFileSync(join(directory, 'schema.json'), 'utf8')).toBe('{}');
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'schema.json')).mode & 0o777).toBe(0o600);
  });

  it('is empty for an engine that needs none', () => {
    const directory = join(aDirectory(), 'aside');
    makePlace(directory, {});
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('what a process said', () => {
  it('is its lines without the empty ones, its status and its last complaints, and is kept nowhere', () => {
    const paths = aSpool(aDirectory());
    writeFileSync(paths.out, 'one\n\n  \ntwo\n');
    writeFileSync(paths.err, 'a complaint\n');
    writeFileSync(paths.exit, '3\n');
    writeFileSync(paths.input, 'the question');
    expect(takeOutput({ paths }, null)).toEqual({
      lines: ['one', 'two'],
      exit: { exitCode: 3, signal: null, expected: false, stderrTail: ['a complaint'] },
    });
    expect(Object.values(paths).filter((path) => existsSync(path))).toEqual([]);
  });

  it('is nothing where it left nothing, as after a power cut', () => {
    expect(takeOutput({ paths: aSpool(aDirectory()) }, null)).toEqual({
      lines: [],
      exit: { exitCode: null, signal: null, expected: false, stderrTail: [] },
    });
  });

  it('is not read where it is more than an answer can be', () => {
    const paths = aSpool(aDirectory());
    writeFileSync(paths.out, 'begin\n');
    truncateSync(paths.out, MORE_THAN_AN_ANSWER_BYTES);
    expect(takeOutput({ paths }, 'too_long')).toMatchObject({
      lines: [],
      exit: { expected: true },
    });
    expect(existsSync(paths.out)).toBe(false);
  });

  it.each([
    ['late', true],
    ['stopped', true],
    [null, false],
  ] as const)('after it ended as %s is an end that we made: %s', (ended, expected) => {
    const { exit } = takeOutput({ paths: aSpool(aDirectory()) }, ended);
    expect(exit.expected).toBe(expected);
  });
});

describe('a process that answers', () => {
  /** One that runs for so long, in seconds, and how often it was looked at. */
  function aProcess(seconds: number) {
    const child = spawn('sleep', [String(seconds)], { stdio: 'ignore' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const { err, ...paths } = aSpool(aDirectory());
    let looks = 0;
    const counted = Object.defineProperty(paths, 'err', { get: () => (looks++, err) });
    const identity = identifyProcess(child.pid ?? -1);
    const deadlineAt = Date.now() + 60_000;
    const process = { identity, paths: counted, sealed: false, deadlineAt } as unknown;
    return { process: process as AskProcess, exited, looks: () => looks };
  }
  const never = new AbortController().signal;

  it('is hardly looked at while its end is told', async () => {
    const { process, exited, looks } = aProcess(1);
    expect(await awaitAnswer(process, 'brain.ses_none', never, { exited })).toBeNull();
    expect(looks()).toBeGreaterThan(0);
    expect(looks()).toBeLessThan(6);
  });

  it('is looked at until its end where nobody tells it', async () => {
    expect(await awaitAnswer(aProcess(0.3).process, 'brain.ses_none', never)).toBeNull();
  });

  it.each([true, false])('is ended when it is withdrawn, its end told: %s', async (tells) => {
    const { process, exited } = aProcess(600);
    const stop = new AbortController();
    const told = tells ? { exited } : {};
    const waiting = awaitAnswer(process, 'brain.ses_none', stop.signal, told);
    stop.abort();
    expect(await waiting).toBe('stopped');
    await exited;
  });
});

describe('a process that is gone', () => {
  it('is waited for no longer, whatever its time or its length', async () => {
    const paths = aSpool(aDirectory());
    const process = {
      identity: { pid: 2 ** 22 + 1, startedAt: '1' },
      paths,
      sealed: false,
      deadlineAt: 0,
    } as unknown as AskProcess;
    const stop = new AbortController();
    stop.abort();
    expect(await awaitAnswer(process, 'brain.ses_none', stop.signal)).toBeNull();
  });
});
