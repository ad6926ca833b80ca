import { describe, expect, it } from 'vitest';
import { listFiles, readSources, type SourceFile } from './source-files.ts';

/**
 * What went wrong for people who used systems of this kind, one line each. A test that holds one
 * names it at the end of its title, as in `(L4)`: that is how it is found when it breaks.
 */
const CASES: Readonly<Record<string, string>> = {
  D1: 'the first message arrives while the engine is still starting: it runs once',
  D2: 'the link drops and comes back: nothing that is mirrored becomes a new prompt',
  D3: 'the engine fails before it accepted an instruction: retried, bounded, then undelivered',
  D4: 'the end of a turn while the console is away: no spinner afterwards',
  D5: 'one handshake hangs: given up in time, and everything else goes on',
  D6: 'a reconnect in mid-stream: each event once, in order',
  D7: 'an instruction for a machine that is away: delivered once when it returns',
  D8: 'a link that dies without a word: presence says so, and what is sent waits or is refused',
  D9: 'a short drop in mid-turn: nothing fails and nothing is repeated',
  L1: 'the engine dies while the runner is disconnected: reported as ended',
  L2: 'the runner is stopped, or its machine, in mid-turn: each outcome is reported',
  L3: 'start-up work is slow: heartbeats go on',
  L4: 'the engine hangs before its first output: the launch stalls, with its last words',
  L5: 'a reaper runs before the process id is recorded: a healthy run is kept',
  L6: 'a child does not answer for a while: it is neither replaced nor killed',
  L7: 'the runner is restarted or upgraded: sessions are adopted or clearly ended',
  P1: 'stop, resume, stop again: no descendant remains',
  P2: 'the same engine, run by hand: never signalled',
  P3: 'a hundred thousand deltas: within a stated bound',
  A1: 'a decision after its approval expired: told so, and nothing runs',
  A2: 'a policy that cannot be applied: denied, with that reason',
  R1: 'the agent’s own output or comment: does not wake it',
  R2: 'the same schedule registered again at each wake: one schedule',
  S1: 'a merge through a script or a code-execution tool with a shared token: gated or witnessed, and its session’s',
  S2: 'an override without a reason, or with a flag in its place: refused; a given one: recorded',
  M1: 'cumulative totals: the ledger adds differences',
  M2: 'usage in the per-model block alone: recorded',
  M3: 'counters that come again, or a history that forks: nothing counts twice',
  T1: 'somebody’s words on a line: neither joined to ours nor told as sent',
  T2: 'a pane that is gone, or a flag that tmux refuses: an error, never success',
  M4: 'negative, backward or absurd figures: refused and flagged',
  S3: 'an ambient token beside the scoped one: the one of the session’s own environment counts',
};

/** The cases that titles of tests name, each with the files that hold it. */
function findCases(files: readonly SourceFile[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const [, id] of text.matchAll(/\(([DLPAMRST][1-9])\)['`],/g))
      found.set(id ?? '', [...(found.get(id ?? '') ?? []), path]);
  return found;
}

const tests = readSources(listFiles().filter((path) => /^test\/.*\.test\.tsx?$/.test(path)));

describe('a case from the field', () => {
  it('is held by a test that names it', () => {
    expect(tests.length).toBeGreaterThan(100);
    const found = findCases(tests);
    expect(Object.keys(CASES).filter((id) => !found.has(id))).toEqual([]);
  });

  it('would be missed if no title named it, and a word in passing is no title', () => {
    const file = (text: string) => [{ path: 'a.test.ts', text }];
    expect(findCases(file("it('waits (L4)', () => {})")).get('L4')).toEqual(['a.test.ts']);
    expect(findCases(file('// as in (L4) of the list')).size).toBe(0);
    expect(findCases(file("it('D1 is a database', () => {})")).size).toBe(0);
  });
});
