import { type Breach, describeBreach } from '../../protocol/breach.ts';
import { halt } from './halt.ts';
import { emit, patch, type Draft } from './session-io.ts';
import { goOn } from './session-steps.ts';

/** Puts breaches on record, and halts a session that is not over or halted already. */
export function haltForBreaches(draft: Draft, breaches: readonly Breach[]): void {
  const [first] = breaches;
  if (!first) return;
  for (const breach of breaches) emit(draft, { type: 'breach/found', breach });
  if (draft.state.halted || draft.state.phase.kind === 'over') return;
  patch(draft, { haltedBy: 'breach' });
  halt(draft, 'breach', sentenceOf(first, breaches.length - 1));
}

/** A person has answered for every breach: it takes instructions again. Another halt stays. */
export function resumeHalted(draft: Draft): void {
  if (!draft.state.halted || draft.state.haltedBy !== 'breach') return;
  const { haltedBy: _, ...state } = draft.state;
  draft.state = { ...state, halted: false };
  emit(draft, { type: 'session/resumed' });
  goOn(draft);
}

function sentenceOf(first: Breach, more: number): string {
  const others = more > 0 ? ` ${more} more of its acts are forbidden too.` : '';
  return `Its policy forbids what it did: ${describeBreach(first)}. ${first.rule}${others} It takes no further instruction until a person says why it may go on; how to undo it is shown with it.`;
}
