import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  recordText,
} from '../../../support/decision-repository.ts';

const MAIN = fileURLToPath(new URL('../../../../tools/adr/main.ts', import.meta.url));
const WAIT = { timeout: 30_000, interval: 100 };
const FIRST = 'What may later code do or not do';
const SECOND = 'How would a reasonable editor';
const THIRD = 'Why would neither types nor tests';

let repository: Repository;
let socket: string;
const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
const type = (...keys: string[]): string => tmux('send-keys', ...keys);
const shown = (): string => tmux('capture-pane', '-p', '-J');
const until = (words: string | RegExp) => vi.waitFor(() => expect(shown()).toMatch(words), WAIT);

/** A real terminal in which the command asks; its pane stays after the command's end. */
beforeEach(() => {
  repository = makeRepository({ [RECORD_PATH]: recordText() });
  socket = `adr-new-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const line = `'${process.execPath}' '${MAIN}' new 'One door'; echo "code=$?"; exec sleep 600`;
  tmux('new-session', '-d', '-x', '120', '-y', '30', '-c', repository.root, 'sh', '-c', line);
});
afterEach(() => {
  tmux('kill-server');
  repository.dispose();
});

const records = (): string[] => readdirSync(join(repository.root, 'docs/adr')).sort();

describe('adr new at a terminal', { timeout: 120_000 }, () => {
  it('asks its three questions, the empty answers again, and writes the record', async () => {
    await until(FIRST);
    type('Enter');
    await until(/Say it in a few words, or "no"\./);
    type('no second door', 'Enter');
    await until(SECOND);
    type('an import', 'Enter');
    await until(THIRD);
    type('it compiles', 'Enter');
    await until(/Wrote docs\/adr\/0002-one-door\.md\s+code=0/);
    expect(repository.read('docs/adr/0002-one-door.md')).toMatch(
      /no second door[\s\S]*an import[\s\S]*it compiles/,
    );
  });

  it('asks no more once an answer is no, and says what would do', async () => {
    await until(FIRST);
    type('no', 'Enter');
    await until(/No record was written\. .*code says it already\. [\s\S]*code=2/);
    expect(shown()).not.toContain(SECOND);
    expect(records()).toHaveLength(1);
  });

  it.each(['C-c', 'C-d'])('is left with %s, without a record and without a trace', async (key) => {
    await until(FIRST);
    type(key);
    await until(/No record was written, because the questions were left\. [\s\S]*code=2/);
    expect(shown()).not.toMatch(/Error|at \[/);
    expect(records()).toHaveLength(1);
  });

  it('gives back what was answered before it was left, to be run as it stands', async () => {
    await until(FIRST);
    type("it's one door", 'Enter');
    await until(SECOND);
    type('C-c');
    await until(/code=2/);
    expect(shown()).toContain(
      String.raw`with what you have answered: --constrains 'it'\''s one door'`,
    );
    expect(records()).toHaveLength(1);
  });
});
