import { writeDecimal } from '../../protocol/amounts.ts';
import { forkTerms, type ForkRequest } from '../../protocol/fork.ts';
import type { SessionDetail } from '../../protocol/http.ts';
import { turnId } from '../../protocol/ids.ts';
import { decimalMark } from '../format/locale.ts';
import { EMPTY_DRAFT, type LaunchDraft } from './draft.ts';

/** What a link to the launch page asks to fork; null where it asks for nothing that can be. */
export function forkOfLink(fork: string | undefined): ForkRequest | null {
  if (fork === undefined) return null;
  const parsed = turnId.safeParse(fork);
  return { turnId: parsed.success ? parsed.data : null };
}

const typed = (value: number | null | undefined, unit = 1): string =>
  value ? writeDecimal(value / unit, decimalMark()) : '';

/** The form as a fork of a session begins with it: its own terms, and no words yet. Pure. */
export function forkDraft({ view, summary }: SessionDetail): LaunchDraft {
  const terms = forkTerms(view);
  const { limits } = terms;
  return {
    ...EMPTY_DRAFT,
    runnerId: summary.runnerId,
    directory: terms.directory ?? '',
    engineId: terms.engineId,
    approvals: terms.approvals,
    model: terms.model ?? '',
    budget: typed(terms.budgetMicroUsd, 1_000_000),
    tokens: typed(limits?.tokens),
    turns: typed(limits?.turns),
    minutes: typed(limits?.timeMs, 60_000),
    silence: typed(terms.noOutputMs, 60_000),
    answerHours: typed(terms.answerMs, 3_600_000),
    grade: terms.grade,
    network: terms.network ?? null,
  };
}
