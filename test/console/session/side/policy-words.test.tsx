import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../../protocol/merge-policy.ts';
import { PolicyWords } from '../../../../console/session/side/policy-words.tsx';

afterEach(cleanup);

describe('the policy on a session’s page', () => {
  it('is the one of its launch, in sentences', () => {
    const policy = { ...DEFAULT_POLICY, mode: 'none' as const, protectedBranches: ['release/*'] };
    render(<PolicyWords policy={{ policy, sources: [] }} />);
    expect(screen.getByText('May not open pull requests.')).toBeTruthy();
    expect(screen.getByText(/May not push to the default branch, release/)).toBeTruthy();
  });

  it('says where the engine may use less of it than it allows', () => {
    render(<PolicyWords policy={{ policy: DEFAULT_POLICY, sources: [], capped: true }} />);
    expect(screen.getByText(/cannot be metered or watched like others/)).toBeTruthy();
  });

  it('is the usual one where nobody has changed it', () => {
    render(<PolicyWords policy={null} />);
    expect(screen.getByText('May open pull requests.')).toBeTruthy();
  });
});
