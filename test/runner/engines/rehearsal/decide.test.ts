import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideNext } from '../../../../runner/engines/rehearsal/decide.ts';
import { scriptSchema } from '../../../../runner/engines/rehearsal/script.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-decide-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const script = (decisions?: unknown[]) => scriptSchema.parse({ turns: [[]], decisions });

describe('a rehearsal as the brain of its own Pilot', () => {
  it('says what the checks say where nothing is scripted', () => {
    const failing =
      'PASSES: Lint (`npm run lint`, exit code 0)\n\nFAILS: Tests (`npm test`, exit code 1)';
    expect(decideNext(script(), failing, directory)).toMatchObject({
      next: 'instruct',
      instruction: 'Make this check pass: Tests',
    });
    expect(decideNext(script(), 'PASSES: Tests (`npm test`)', directory)).toMatchObject({
      next: 'finish',
      instruction: null,
    });
  });

  it('plays its answers one after another over all processes, and the last again and again', () => {
    const played = script(['No decision.', { next: 'finish', reason: 'Done.' }]);
    const answers = [0, 1, 2].map(() => decideNext(played, '', directory));
    const done = { next: 'finish', reason: 'Done.', instruction: null, waitMinutes: null };
    expect(answers).toEqual(['No decision.', done, done]);
  });
});
