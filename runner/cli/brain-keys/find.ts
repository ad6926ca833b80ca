import type { BrainKey } from '../../../protocol/brain-keys.ts';
import { EXIT, Failure } from '../../failure.ts';
import { oneLine } from '../format.ts';

/** The key that a person means by its id or its name; without either, the only one there is. */
export function findBrainKey(keys: readonly BrainKey[], wanted: string | undefined): BrainKey {
  const found =
    wanted === undefined
      ? keys
      : keys.filter(({ keyId, name }) => keyId === wanted || name === wanted);
  const [first] = found;
  if (first && found.length === 1) return first;
  const words = refusalOf(keys, wanted);
  // Which of several is a matter of how it was asked; that there is none is not.
  if (wanted === undefined && first) throw new Failure(EXIT.usage, 'usage', words);
  throw new Failure(EXIT.refused, 'brain_key_not_found', words);
}

function refusalOf(keys: readonly BrainKey[], wanted: string | undefined): string {
  if (keys.length === 0)
    return 'There is no key for a brain. Add one with `pilothouse brain-keys add NAME --provider PROVIDER`.';
  const known = keys.map(({ keyId, name }) => `${oneLine(name, 40)} (${keyId})`).join(', ');
  return wanted === undefined
    ? `Say which key with --brain-key. There are: ${known}.`
    : `There is no one key called ${oneLine(wanted, 40)}; give its id. There are: ${known}.`;
}
