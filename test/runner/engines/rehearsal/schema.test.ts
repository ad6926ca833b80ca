import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SCRATCH_SCRIPT, VISITOR_SCRIPT } from '../../../../runner/engines/rehearsal/builtin.ts';
import {
  readScript,
  scriptSchema,
  type Step,
} from '../../../../runner/engines/rehearsal/script.ts';
import {
  noUsage,
  readTranscript,
  writeTranscript,
} from '../../../../runner/engines/rehearsal/transcript.ts';
import { byModel, lifecycle } from '../../../../runner/engines/rehearsal/turn.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-rehearsal-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const parsed = (step: Record<string, unknown>) => scriptSchema.safeParse({ turns: [[step]] });
const MINIMAL: Record<Step['do'], Record<string, unknown>> = {
  text: { text: 'hi' },
  thinking: { text: 'hm' },
  bash: { command: 'ls' },
  read: { path: 'a' },
  write: { path: 'a', content: '' },
  edit: { path: 'a', find: 'x', replace: '' },
  question: { question: 'Which?', options: [{ label: 'Red' }] },
  subagent: { description: 'd', text: 't', command: 'ls' },
  wait: { ms: 1 },
  usage: {},
  crash: {},
  silence: {},
  garbage: {},
  raw: { line: {} },
  flood: { count: 1 },
  failure: { error: 'overloaded' },
  daemon: {},
  output: { bytes: 1 },
};

describe('a step', () => {
  test.each(Object.entries(MINIMAL))('%s needs no more than %j', (name, shape) => {
    expect(parsed({ do: name, ...shape }).success).toBe(true);
  });

  test.each(Object.entries(MINIMAL))('%s with a word misspelt is refused', (name, shape) => {
    expect(parsed({ do: name, ...shape, evreyMs: 1 }).success).toBe(false);
  });

  test.each(Object.entries(MINIMAL).filter(([, shape]) => Object.keys(shape).length > 0))(
    '%s without what it needs is refused',
    (name) => {
      expect(parsed({ do: name }).success).toBe(false);
    },
  );

  test.each(['allowed', 'denied'])('may be played only when the last request was %s', (when) => {
    expect(parsed({ do: 'text', text: 'x', when }).success).toBe(true);
  });

  test.each([
    [{ do: 'text', text: 'x', when: 'maybe' }],
    [{ do: 'text', text: 'x', chunkChars: 0 }],
    [{ do: 'bash', command: 'ls', timeoutMs: -1 }],
    [{ do: 'question', question: 'Which?', options: [] }],
    [{ do: 'usage', costUsd: -1 }],
    [{ do: 'usage', inputTokens: 0.5 }],
    [{ do: 'crash', exitCode: 256 }],
    [{ do: 'flood', count: 0 }],
    [{ do: 'flood', count: 1, kind: 'frogs' }],
    [{ do: 'output', bytes: 0 }],
    [{ do: 'daemon', seconds: 0 }],
    [{ do: 'failure', error: 'x', retries: -1 }],
    [{ do: 'wait', ms: 24 * 3600 * 1000 + 1 }],
  ])('%j is refused', (step) => {
    expect(parsed(step).success).toBe(false);
  });
});

describe('a script', () => {
  test('on a file is read with its defaults', () => {
    const path = join(directory, 'script.json');
    writeFileSync(path, JSON.stringify({ turns: [[{ do: 'garbage' }]] }));
    expect(readScript(path)).toEqual({ turns: [[{ do: 'garbage', line: 'this is not JSON' }]] });
  });

  test('with a mistake is refused with its file and its place', () => {
    const path = join(directory, 'script.json');
    writeFileSync(
      path,
      JSON.stringify({
        turns: [
          [
            { do: 'text', text: 'a' },
            { do: 'wait', ms: 'x' },
          ],
        ],
      }),
    );
    expect(() => readScript(path)).toThrow(`${path}: turns.0.1.ms`);
  });

  test('that is no JSON is refused', () => {
    const path = join(directory, 'script.json');
    writeFileSync(path, 'turns: []');
    expect(() => readScript(path)).toThrow(SyntaxError);
  });

  test.each([
    ['that a person sees in the scratch repository', SCRATCH_SCRIPT],
    ['that a person sees in a repository of their own', VISITOR_SCRIPT],
  ])('%s is of its own form', (_which, script) => {
    expect(scriptSchema.safeParse(script).success).toBe(true);
  });

  test('that a person sees asks before it pushes, and pushes nowhere else', () => {
    const pushes = SCRATCH_SCRIPT.turns
      .flat()
      .filter((step) => step.do === 'bash' && step.command.includes('push'));
    expect(pushes).toMatchObject([{ ask: true }]);
    expect(JSON.stringify(VISITOR_SCRIPT)).not.toContain('push origin');
  });
});

describe('what survives a rehearsal', () => {
  const transcript = { turns: 2, usage: { ...noUsage(), inputTokens: 7, costUSD: 0.5 } };

  test('is read back as it was written', () => {
    writeTranscript(join(directory, 'new', 'place'), 'one', transcript);
    expect(readTranscript(join(directory, 'new', 'place'), 'one')).toEqual(transcript);
  });

  test('of a conversation that never was is nothing', () => {
    expect(readTranscript(directory, 'never')).toBeNull();
  });

  test('leaves no half of itself, and only its owner can read it', () => {
    writeTranscript(directory, 'one', transcript);
    writeTranscript(directory, 'one', { ...transcript, turns: 3 });
    expect(readdirSync(directory)).toEqual(['one.json']);
    expect(statSync(join(directory, 'one.json')).mode & 0o777).toBe(0o600);
    expect(readTranscript(directory, 'one')?.turns).toBe(3);
  });

  test('that is damaged is an error, not a new beginning', () => {
    writeFileSync(join(directory, 'one.json'), '{"turns":');
    expect(() => readTranscript(directory, 'one')).toThrow(SyntaxError);
  });
});

describe('the lines of a rehearsal', () => {
  test('name no model before something was used, as the real engine does', () => {
    expect(byModel(noUsage())).toEqual({});
    expect(byModel({ ...noUsage(), outputTokens: 1 })).toMatchObject({
      rehearsal: { outputTokens: 1 },
    });
  });

  test('about an instruction name it', () => {
    expect(lifecycle('u-1', 'started')).toMatchObject({
      type: 'command_lifecycle',
      command_uuid: 'u-1',
      state: 'started',
    });
  });
});
