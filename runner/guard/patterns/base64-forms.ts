import { explore, type Node, type Table } from './explore.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Each letter of base64 with its six bits, the alphabet for addresses included. */
const SEXTETS: readonly (readonly [code: number, bits: number])[] = [
  ...LETTERS.split('').map((letter, bits) => [letter.charCodeAt(0), bits] as const),
  ['-'.charCodeAt(0), 62],
  ['_'.charCodeAt(0), 63],
];

/** Where the machine is for each value of the bits that the next letter begins with. */
type After = { places: readonly number[]; key: string; live: boolean };

/**
 * The table of what `bytes` matches, in base64 at each of the three places where it can stand in a
 * longer text. The letters that hold bits of what stands beside belong to the match.
 */
export function tableOfBase64(bytes: Table): Table {
  const step = (state: number, byte: number): number =>
    byte < bytes.classOf.length
      ? (bytes.next[state * bytes.classes + (bytes.classOf[byte] as number)] ?? 0)
      : 0;
  const ended = new Map<string, After>();
  /** Where each end of the byte under way leads that begins with the low `known` bits of `bits`. */
  const endings = (state: number, bits: number, known: number): After => {
    const begun = (bits & ((1 << known) - 1)) << (8 - known);
    const key = `${state}/${known}/${begun}`;
    const before = ended.get(key);
    if (before) return before;
    const places = Array.from({ length: 1 << (8 - known) }, (_, rest) => step(state, begun | rest));
    const made = { places, key: places.join(), live: places.some((to) => to !== 0) };
    ended.set(key, made);
    return made;
  };
  const whole = (state: number): After => ({ places: [state], key: `${state}`, live: true });
  const nodeOf = ({ places, key }: After, accepts: boolean, skipped = 0): Node => ({
    key: `${skipped}/${accepts}/${key}`,
    accepts,
    edges: () => {
      const wanted = Math.log2(places.length);
      const edges = new Map<number, Node>();
      for (const [code, bits] of SEXTETS) {
        const state = places[bits >> (6 - wanted)] ?? 0;
        if (state === 0) continue;
        const known = 6 - wanted - skipped;
        const ends = wanted > 0 && bytes.accepts[state] === 1;
        const next = known === 0 ? whole(state) : endings(state, bits, known);
        if (ends || next.live) edges.set(code, nodeOf(next, ends));
      }
      return edges;
    },
  });
  const starts = bytes.starts.flatMap((state) =>
    [0, 2, 4].map((skipped) => nodeOf(whole(state), false, skipped)),
  );
  return explore(starts);
}
