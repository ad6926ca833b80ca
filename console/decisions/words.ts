import type { AdrStatus } from '../../protocol/adr-report.ts';
import type { RecordVerdict, RuleVerdict } from '../../protocol/decision-results.ts';

export type Verdict = RecordVerdict | RuleVerdict;
/** How a verdict is named, drawn and explained. Green is for what is proven and for nothing else. */
export type VerdictLook = { word: string; glyph: string; className: string; meaning: string };

export const VERDICTS: Record<Verdict, VerdictLook> = {
  passed: {
    word: 'holds',
    glyph: '✓',
    className: 'text-green',
    meaning: 'It was checked and it holds.',
  },
  violated: {
    word: 'violated',
    glyph: '✕',
    className: 'text-red font-medium',
    meaning: 'It was checked and something breaks it. The build fails.',
  },
  could_not_check: {
    word: 'could not check',
    glyph: '?',
    className: 'text-amber font-medium',
    meaning: 'The check itself failed, so whether it holds is not known. That is no pass.',
  },
  empty: {
    word: 'examined nothing',
    glyph: '?',
    className: 'text-amber font-medium',
    meaning: 'The rule found nothing to look at, so it proves nothing.',
  },
  skipped: {
    word: 'not looked at',
    glyph: '–',
    className: 'text-soft',
    meaning: 'This run left it out, as a change-only run does with what did not change.',
  },
  noted: {
    word: 'advice not followed',
    glyph: 'i',
    className: 'text-ink',
    meaning: 'It is told and fails no build.',
  },
  unenforced: {
    word: 'nothing enforces it',
    glyph: '–',
    className: 'text-soft',
    meaning: 'No rule of this record fails a build: people have to remember it.',
  },
};

/** What a whole run came to, by its exit code. */
export const RESULTS: Record<0 | 1 | 2, VerdictLook> = {
  0: { ...VERDICTS.passed, word: 'clean', meaning: 'Every enforced rule that was checked holds.' },
  1: { ...VERDICTS.violated, word: 'violations' },
  2: { ...VERDICTS.could_not_check, meaning: 'The check could not look at everything it should.' },
};

export const STATUS_WORDS: Record<AdrStatus, string> = {
  proposed: 'proposed',
  accepted: 'accepted',
  rejected: 'rejected',
  deprecated: 'deprecated',
  superseded: 'superseded',
  unknown: 'status not known',
};
