import { ASCII, PatternFault } from './expression.ts';

/** More states than this are not worth their memory: 4 MB for the widest rows. */
export const STATES_MAX = 20_000;

/**
 * A machine that reads one character at a time. State 0 is the end of all hope; rows are indexed by
 * class of character, whose class 0 leads there too.
 */
export type Table = {
  classOf: Uint8Array;
  classes: number;
  next: Uint16Array;
  /** Of each state: 1 where a match ends. */
  accepts: Uint8Array;
  /** Of each state: 1 where more of a match can follow. */
  goesOn: Uint8Array;
  starts: readonly number[];
};

/** One state of a machine before it has a number. Equal keys are the same state. */
export type Node = {
  key: string;
  accepts: boolean;
  /** What each character leads to; one that is not there leads nowhere. */
  edges(): ReadonlyMap<number, Node>;
};

/** Numbers every state that can be reached. Throws {@link PatternFault} when they are too many. */
export function explore(starts: readonly Node[]): Table {
  const numbers = new Map<string, number>();
  const nodes: Node[] = [];
  const numberOf = (node: Node): number => {
    const known = numbers.get(node.key);
    if (known !== undefined) return known;
    nodes.push(node);
    if (nodes.length > STATES_MAX)
      throw new PatternFault(
        'can begin and go on in too many ways: begin it with characters that are always the same, or make it shorter',
      );
    numbers.set(node.key, nodes.length);
    return nodes.length;
  };
  const begin = starts.map(numberOf);
  const rows: ReadonlyMap<number, number>[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const edges = [...(nodes[at] as Node).edges()];
    rows.push(new Map(edges.map(([code, to]) => [code, numberOf(to)])));
  }
  return tableOf(nodes, rows, begin);
}

function tableOf(
  nodes: readonly Node[],
  rows: readonly ReadonlyMap<number, number>[],
  starts: readonly number[],
): Table {
  const { classOf, classes } = classify(rows);
  const next = new Uint16Array((nodes.length + 1) * classes);
  const accepts = new Uint8Array(nodes.length + 1);
  const goesOn = new Uint8Array(nodes.length + 1);
  for (const [index, row] of rows.entries()) {
    const state = index + 1;
    for (const [code, to] of row) next[state * classes + (classOf[code] as number)] = to;
    accepts[state] = nodes[index]?.accepts ? 1 : 0;
    goesOn[state] = row.size > 0 ? 1 : 0;
  }
  return { classOf, classes, next, accepts, goesOn, starts };
}

/** Characters that every state treats alike are one class, so that rows are short. */
function classify(rows: readonly ReadonlyMap<number, number>[]) {
  const classOf = new Uint8Array(ASCII);
  let classes = 1;
  for (const row of rows) {
    // Splits each class by what this row does with its members: the first of them keep its number.
    const split = new Map<number, number>([[0, 0]]);
    const kept = new Set<number>([0]);
    for (let code = 0; code < ASCII; code++) {
      const before = classOf[code] as number;
      const key = before * (STATES_MAX + 1) + (row.get(code) ?? 0);
      const known = split.get(key);
      const number = known ?? (kept.has(before) ? classes++ : before);
      kept.add(before);
      split.set(key, number);
      classOf[code] = number;
    }
  }
  return { classOf, classes };
}
