// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../protocol/engine-event.ts';
import { launchId, LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { wholeText } from '../../../protocol/text.ts';
import { describeNote } from '../../../console/transcript/describe-note.ts';

const LAUNCH = launchId.parse('lau_a');

const exited = (over: Partial<EventOf<'engine/exited'>>) =>
  describeNote({
    type: 'engine/exited',
    launchId: LAUNCH,
    exitCode: 1,
    signal: null,
    expected: false,
    stderrTail: ['last words'],
    ...over,
  });

describe('the line that an event leaves', () => {
  it('tells a process that ended by itself, how, and its last words', () => {
    expect(exited({})).toMatchObject({ tone: 'failed', detail: ['last words'] });
    expect(exited({})?.text).toContain('exit code 1');
    expect(exited({ signal: 'SIGKILL', exitCode: null })?.text).toContain('signal SIGKILL');
  });

  it('tells what a retry may no more, where the policy became stricter', () => {
    const retry = { type: 'action/requested', action: 'retry', actorId: LOCAL_ACTOR } as const;
    expect(describeNote(retry)?.text).toBe('Retry was asked for.');
    const policy = { policy: { ...DEFAULT_POLICY, mode: 'none' as const }, sources: [] };
    expect(describeNote({ ...retry, policy })?.text).toContain(
      'Retry was asked for. The merge policy is stricter than at the launch: May not open pull requests.',
    );
  });

  it('is none for a process that we ended', () => {
    expect(exited({ expected: true })).toBeNull();
  });

  it('is none for information, and quiet for a warning', () => {
    const notice = (level: 'info' | 'warning' | 'error') =>
      describeNote({ type: 'notice/raised', level, code: 'x', message: 'Said.' });
    expect(notice('info')).toBeNull();
    expect(notice('warning')).toMatchObject({ tone: 'quiet', text: 'Said.' });
    expect(notice('error')).toMatchObject({ tone: 'failed' });
  });

  it('counts what was brought back, and what is not committed', () => {
    const note = describeNote({
      type: 'checkout/broughtBack',
      turnId: null,
      branch: 'b',
      commit: 'c',
      commits: 1,
      uncommittedFiles: 2,
    });
    expect(note?.text).toBe('Brought back: 1 commit on b, 2 files not committed.');
  });

  it('fails with a set-up that failed', () => {
    const setup = (exitCode: number | null) =>
      describeNote({
        type: 'setup/ran',
        command: 'npm ci',
        exitCode,
        output: wholeText('no'),
        durationMs: 1,
      });
    expect(setup(0)).toMatchObject({ tone: 'quiet' });
    expect(setup(2)).toMatchObject({ tone: 'failed', detail: ['no'] });
  });

  it('says of an end whether it was one to worry about', () => {
    const end = (how: 'stopped' | 'lost') =>
      describeNote({ type: 'session/ended', end: how, reason: 'why' });
    expect(end('stopped')).toMatchObject({ tone: 'quiet', text: 'Stopped: why' });
    expect(end('lost')).toMatchObject({ tone: 'failed' });
  });

  it('is none while the provider allows, and a failure once it does not', () => {
    const limit = (status: string) =>
      describeNote({ type: 'rateLimit/reported', status, resetsAt: null });
    expect(limit('allowed_warning')).toBeNull();
    expect(limit('rejected')).toMatchObject({ tone: 'failed' });
  });
});
