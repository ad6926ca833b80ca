import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readChecklist } from '../../../../runner/cli/pilot/checklist.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-checklist-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(text: string): string {
  const path = join(root, 'done.yaml');
  writeFileSync(path, text);
  return path;
}
const GOOD = 'steps:\n  - title: The tests pass\n    check: npm test\n    seconds: 90\n';

describe('a checklist', () => {
  test('is read from YAML and from JSON', () => {
    const steps = [{ title: 'The tests pass', check: 'npm test', timeoutMs: 90_000 }];
    expect(readChecklist(write(GOOD))).toEqual(steps);
    const json = JSON.stringify({
      steps: [{ title: 'The tests pass', check: 'npm test', seconds: 90 }],
    });
    expect(readChecklist(write(json))).toEqual(steps);
  });

  test.each([
    ['no steps', 'steps: []'],
    ['an unknown field', `${GOOD}extra: 1`],
    ['a check of two lines', 'steps:\n  - title: T\n    check: "a\\nb"'],
    ['a check without words', 'steps:\n  - title: T\n    check: " "'],
    ['no YAML', 'steps: [}'],
  ])('with %s is refused, and one that works is shown', (_, text) => {
    expect(() => readChecklist(write(text))).toThrow(/is no checklist[\s\S]*check: npm test/);
  });

  test('that is not there is refused by name', () => {
    expect(() => readChecklist(join(root, 'none.yaml'))).toThrow('none.yaml');
  });
  test('comes in through a pipe where a dash stands for the file', () => {
    const module = new URL('../../../../runner/cli/pilot/checklist.ts', import.meta.url).href;
    const script = `import { readChecklist } from '${module}'; console.log(readChecklist('-')[0].check)`;
    const args = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { input: GOOD, encoding: 'utf8' })).toBe(
      'npm test\n',
    );
  });
});
