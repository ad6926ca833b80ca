import { describe, expect, it } from 'vitest';
import {
  blindForecast,
  capForecast,
  capPolicy,
  CAPPED_SENTENCE,
  capSnapshot,
  policyOfSession,
  tellsOf,
} from '../../protocol/engine-authority.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { DEFAULT_POLICY, POLICY_MODES, policySnapshot } from '../../protocol/merge-policy.ts';
import { describeSnapshot } from '../../protocol/policy-words.ts';
import { aPreset } from '../support/preset-builders.ts';

const OBSERVED = { usage: 'tokens', acts: 'structured' } as const;
const UNOBSERVED = [
  ['whose cost nobody knows', { usage: 'none', acts: 'structured' }],
  ['that tells nothing of what it does', { usage: 'tokens', acts: 'none' }],
  ['that is any command', { usage: 'none', acts: 'none' }],
] as const;
const policyOf = (mode: (typeof POLICY_MODES)[number]) => ({ ...DEFAULT_POLICY, mode });

describe.each(UNOBSERVED)('an engine %s', (_name, tells) => {
  it.each([
    ['none', 'none'],
    ['pr', 'pr'],
    ['ask', 'pr'],
    ['merge', 'pr'],
  ] as const)('under a policy of %s has %s, and nothing else of it is changed', (mode, left) => {
    const wide = { ...policyOf(mode), force: 'never' as const, tags: 'new' as const };
    expect(capPolicy(wide, tells)).toEqual({ ...wide, mode: left });
  });

  it('has it said where the policy would have allowed more, and only there', () => {
    const wider = capSnapshot({ policy: policyOf('merge'), sources: [] }, tells);
    expect(wider).toMatchObject({ policy: { mode: 'pr' }, capped: true });
    expect(describeSnapshot(wider)).toContain(CAPPED_SENTENCE);
    const narrow = { policy: policyOf('none'), sources: [] };
    expect(capSnapshot(narrow, tells)).toEqual(narrow);
    expect(describeSnapshot(narrow)).not.toContain(CAPPED_SENTENCE);
  });

  it('is held to it by its runner, whatever the launch brought along', () => {
    expect(policyOfSession({ policy: policyOf('merge'), sources: [] }, tells).mode).toBe('pr');
    expect(policyOfSession(null, tells)).toEqual(DEFAULT_POLICY);
  });
});

describe('an engine that tells its cost and its acts', () => {
  it.each(POLICY_MODES)('has the whole of a policy of %s', (mode) => {
    const snapshot = { policy: policyOf(mode), sources: [] };
    expect(capSnapshot(snapshot, OBSERVED)).toEqual(snapshot);
    expect(policyOfSession(snapshot, OBSERVED)).toEqual(snapshot.policy);
  });
});

describe('how much an engine tells', () => {
  const reads = { unmetered: ['ask' as const] };

  it('is what its preset’s parser can see, whatever a machine says of it', () => {
    expect(tellsOf(aPreset(), undefined, 'ask')).toMatchObject({ usage: 'none', acts: 'none' });
    const known = aPreset({ parser: 'claude-stream-json', command: ['claude'] });
    expect(tellsOf(known, reads, 'ask')).toMatchObject({ usage: 'dollars', acts: 'structured' });
  });

  it('is otherwise what the machine says of the approvals mode', () => {
    expect(tellsOf(null, reads, 'ask')).toMatchObject({ usage: 'none' });
    expect(tellsOf(null, reads, 'bypass')).toEqual(OBSERVED);
  });

  it('is left to the runner where nobody has said anything', () => {
    expect(tellsOf(null, undefined, 'ask')).toEqual(OBSERVED);
  });

  it('is told in the launch form before it matters', () => {
    expect(capForecast(reads, 'ask')).toMatch(/pull requests at most/);
    expect(capForecast(reads, 'bypass')).toBe('');
    expect(capForecast({}, 'ask')).toBe('');
  });
});

describe('a snapshot', () => {
  it('of an earlier version, which says nothing of it, is still one', () => {
    const old = { policy: policyOf('merge'), sources: [] };
    expect(policySnapshot.parse(old)).toEqual(old);
    expect(describeSnapshot(old)).not.toContain(CAPPED_SENTENCE);
    expect(describeSnapshot(null)).toContain('May open pull requests.');
  });

  it('keeps what was taken away on its way through a launch', () => {
    const capped = capSnapshot({ policy: policyOf('ask'), sources: [] }, UNOBSERVED[0][1]);
    const spec = launchSpec.parse({
      engineId: 'gemini',
      directory: null,
      objective: 'Go',
      policy: capped,
    });
    expect(spec.policy).toEqual(capped);
  });
});

describe('what nobody sees of an engine', () => {
  it.each(['open', 'fenced'] as const)('that tells no acts is said where it is %s', (grade) => {
    expect(blindForecast({ acts: 'none' }, grade)).toContain(
      `this session is ${grade}: a deploy, a publication or a call to a forge past the guard is neither prevented nor seen`,
    );
  });

  it('is nothing where a seal holds the logins back, or where it tells its acts', () => {
    expect(blindForecast({ acts: 'none' }, 'sealed')).toBe('');
    expect(blindForecast({ acts: 'structured' }, 'open')).toBe('');
  });
});
