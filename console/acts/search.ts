import { z } from 'zod';
import { actKind, witness } from '../../protocol/act.ts';
import { ACT_ENDS, type ActsFilter, doerId } from '../../protocol/http.ts';
import { actorId, runnerId } from '../../protocol/ids.ts';
import type { Window } from '../api/queries.ts';
import { periodSearch } from '../ledger/window.ts';

/** What the page shows: each is a ledger of its own. */
export const SHOWN = ['acts', 'breaches', 'approvals', 'access'] as const;
export type Shown = (typeof SHOWN)[number];

/** What the address of the page says; a word that is none reads as unsaid. */
export const actsSearch = z.object({
  ...periodSearch.shape,
  show: z.enum(SHOWN).optional().catch(undefined),
  kind: actKind.optional().catch(undefined),
  witness: witness.optional().catch(undefined),
  outcome: z.enum(ACT_ENDS).optional().catch(undefined),
  /** Words, because the router reads `true` as what is no text. */
  breach: z.enum(['yes', 'no']).optional().catch(undefined),
  session: doerId.optional().catch(undefined),
  machine: runnerId.optional().catch(undefined),
  by: actorId.optional().catch(undefined),
});
export type ActsSearch = z.infer<typeof actsSearch>;

/** The words of an address that select acts, as the API names them. */
export function filterOf(
  { kind, witness: seenBy, outcome, breach, session, machine, by }: ActsSearch,
  window: Window,
): Record<keyof ActsFilter, string | number | undefined> {
  return {
    sessionId: session,
    runnerId: machine,
    actorId: by,
    kind,
    witness: seenBy,
    outcome,
    breach: breach && String(breach === 'yes'),
    from: window.from,
    to: window.to,
  };
}

/** Whether an address leaves anything out. */
export const isFiltered = ({ show: _show, ...search }: ActsSearch): boolean =>
  Object.values(search).some((value) => value !== undefined);
