import { parseAddress } from './address.ts';
import { findHead, type OwnBranch } from './decide.ts';
import type { Which } from './forge-ask.ts';
import type { ForgeAccess, ForgeAnswer } from './github.ts';
import { listPulls } from './pulls.ts';

/** What was named: a pull request by its number, or the one of a branch. */
export type Selector =
  | { kind: 'number'; number: number }
  | { kind: 'branch'; name: string }
  | { kind: 'wrong'; reason: string };

/**
 * Parses what names a pull request, as `gh` takes it: a number, `#` and a number, an address, or a
 * branch with or without its owner. Pure.
 */
export function parseSelector(
  text: string,
  { host, repository }: Pick<ForgeAccess, 'host' | 'repository'>,
): Selector {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return { kind: 'number', number: Number(number) };
  if (/^https?:\/\//.test(text)) {
    const address = parseAddress(text);
    const [owner = '', name = '', noun = '', digits = ''] = address?.path.split('/') ?? [];
    const here =
      address?.host === host.toLowerCase() &&
      `${owner}/${name}`.toLowerCase() === repository.toLowerCase();
    if (here && noun === 'pull' && /^\d{1,9}$/.test(digits))
      return { kind: 'number', number: Number(digits) };
    return {
      kind: 'wrong',
      reason: `${text} is no pull request of ${repository}, the repository of this session`,
    };
  }
  const [owner = ''] = repository.split('/');
  const prefix = `${owner}:`;
  const name = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (name.includes(':'))
    return { kind: 'wrong', reason: `${text} is a branch of somebody else’s; give a number` };
  return { kind: 'branch', name };
}

/** What a session pushed, and which pull requests it opened. */
export type OwnWork = { own: readonly OwnBranch[]; opened: readonly number[] };

/**
 * Finds the pull request that is meant. Without a name it is the one of the branch that is checked
 * out, by whatever name it was pushed, or the only one that the session opened.
 */
export async function findWhich(
  { which, local, commit }: Which,
  { own, opened }: OwnWork,
  forge: ForgeAccess,
): Promise<ForgeAnswer<number>> {
  const none = (reason: string): ForgeAnswer<number> => ({ kind: 'refused', status: 404, reason });
  const head = which === null ? (findHead({ head: null, local, commit }, own) ?? local) : null;
  const selector: Selector | null =
    which !== null
      ? parseSelector(which, forge)
      : head !== null
        ? { kind: 'branch', name: head }
        : null;
  if (selector?.kind === 'wrong') return none(selector.reason);
  if (selector?.kind === 'number') return { kind: 'ok', value: selector.number };
  if (selector) {
    const found = await listPulls(forge, { state: 'all', head: selector.name });
    if (found.kind !== 'ok') return found;
    const pull = found.value.find(({ state }) => state === 'open') ?? found.value[0];
    if (pull) return { kind: 'ok', value: pull.number };
  }
  const [only] = opened;
  if (which === null && opened.length === 1 && only !== undefined)
    return { kind: 'ok', value: only };
  return none(`no pull requests found for branch "${selector?.name ?? 'HEAD'}"`);
}
