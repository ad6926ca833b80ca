import { describe, expect, it, vi } from 'vitest';
import { EMPTY_DRAFT } from '../../../console/launch/draft.ts';
import {
  readDirectories,
  readDraft,
  rememberLaunch,
  writeDraft,
} from '../../../console/launch/remembered.ts';
import '../support/dom.ts';

const launched = (directory: string, runnerId = 'run_a') =>
  rememberLaunch({ ...EMPTY_DRAFT, runnerId, directory });

describe('what a launch form remembers', () => {
  it('is nothing at first', () => {
    expect(readDraft()).toEqual(EMPTY_DRAFT);
    expect(readDirectories('run_a')).toEqual([]);
  });

  it('is the form as it was left, words and all', () => {
    const draft = { ...EMPTY_DRAFT, objective: 'Half a plan', budget: '2,5x' };
    expect(writeDraft(draft)).toBe(true);
    expect(readDraft()).toEqual(draft);
  });

  it('is after a launch its choices, and nothing that was meant for that one alone', () => {
    rememberLaunch({
      ...EMPTY_DRAFT,
      runnerId: 'run_a',
      directory: '/code/shop',
      engineId: 'claude',
      approvals: 'plan',
      budget: '5',
      objective: 'Mend it',
      baseRef: 'v1',
      fromUncommitted: true,
    });
    expect(readDraft()).toEqual({
      ...EMPTY_DRAFT,
      runnerId: 'run_a',
      directory: '/code/shop',
      engineId: 'claude',
      approvals: 'plan',
      budget: '5',
    });
  });

  it.each(['{', '[]', '{"objective":7}'])('is nothing where %j stands in its place', (stored) => {
    localStorage.setItem('pilothouse:launch-draft', stored);
    localStorage.setItem('pilothouse:launch-directories:run_a', stored.replace('[]', '[1]'));
    expect(readDraft()).toEqual(EMPTY_DRAFT);
    expect(readDirectories('run_a')).toEqual([]);
  });

  it('is nothing, and no failure, in a browser that keeps nothing', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    expect(writeDraft(EMPTY_DRAFT)).toBe(false);
    expect(() => launched('/code')).not.toThrow();
    vi.unstubAllGlobals();
  });
});

describe('the directories of earlier launches', () => {
  it('are kept for each machine, the latest first, each once', () => {
    for (const directory of ['/a', '/b', ' /a ']) launched(directory);
    launched('/c', 'run_b');
    expect(readDirectories('run_a')).toEqual(['/a', '/b']);
    expect(readDirectories('run_b')).toEqual(['/c']);
  });

  it('are the last eight', () => {
    for (let nth = 1; nth <= 10; nth++) launched(`/code/${nth}`);
    expect(readDirectories('run_a')).toHaveLength(8);
    expect(readDirectories('run_a')[0]).toBe('/code/10');
    expect(readDirectories('run_a').at(-1)).toBe('/code/3');
  });

  it('leave out a launch that had none', () => {
    launched('  ');
    expect(readDirectories('run_a')).toEqual([]);
  });
});
