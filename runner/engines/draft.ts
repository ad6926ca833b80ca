import type { EngineEvent } from '../../protocol/engine-event.ts';
import { BLIND, type Look } from '../acts/sight.ts';
import type { EngineItem, EngineStep } from './engine.ts';

/** One step in the making. It never leaves the function that made it: parsing stays pure. */
export type Draft<State> = { state: State; items: EngineItem[]; at: number; look: Look };

/** Runs `change` on a draft of `state`; returns what came of it. `look` shows what it may look through. */
export function step<State>(
  state: State,
  at: number,
  change: (draft: Draft<State>) => void,
  look: Look = BLIND,
): EngineStep<State> {
  const draft: Draft<State> = { state, items: [], at, look };
  change(draft);
  return { state: draft.state, items: draft.items };
}

export function patch<State>(draft: Draft<State>, change: Partial<State>): void {
  draft.state = { ...draft.state, ...change };
}

export function emit(draft: Draft<unknown>, event: EngineEvent): void {
  draft.items.push({ kind: 'event', event });
}

export function notice(
  draft: Draft<unknown>,
  level: 'info' | 'warning' | 'error',
  code: string,
  message: string,
): void {
  emit(draft, { type: 'notice/raised', level, code, message });
}

/** A record without one key. */
export function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  const { [key]: _removed, ...rest } = record;
  return rest;
}
