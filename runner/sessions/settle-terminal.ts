import type { Engine } from '../engines/engine.ts';
import type { Settlement } from '../engines/terminal-books.ts';
import { lookThrough } from './books-look.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionRow } from './session-store.ts';

/** What the engine's own books say of the session's conversation now; null where it keeps none. */
export async function readBooks(
  { ports, env }: Pick<SessionDeps, 'ports' | 'env'>,
  engine: Engine,
  { state, checkout }: SessionRow,
): Promise<unknown> {
  const { engineSessionId } = state;
  if (!engine.terminalBooks || !checkout || engineSessionId === null) return null;
  const look = lookThrough((path) => ports.whereLies(path, engine, checkout));
  const conversation = { engineSessionId, directory: checkout.directory };
  return engine.terminalBooks.read(look, conversation, env);
}

/** What the terminal that opened last has cost by now, when it is gone; null where nobody can know. */
export function settleTerminal(
  engine: Engine,
  { state, carried }: SessionRow,
  now: unknown,
): Settlement<unknown> | null {
  const { takeover } = state;
  if (!engine.terminalBooks || !takeover || takeover.openedAt === null) return null;
  return engine.terminalBooks.settle(carried ?? null, takeover.books ?? null, now);
}
