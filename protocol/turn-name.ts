import type { TurnView } from './session-view.ts';

/** What a turn is called in a list: its instruction, or who began it where nobody gave one. */
export function nameOfTurn({ text, origin }: Pick<TurnView, 'text' | 'origin'>): string {
  return text ?? (origin === 'terminal' ? 'driven in the terminal' : 'begun by the engine itself');
}
