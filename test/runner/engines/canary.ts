import type { ApprovalsMode } from '../../../protocol/launch.ts';

/** A value that must appear in no argument, whatever the launch. */
export const CANARY = 'canary-7f3a';

export const APPROVALS_FOR_TESTS: readonly ApprovalsMode[] = [
  'ask',
  'accept_edits',
  'plan',
  'bypass',
];
