import { type Expression, PatternFault } from './expression.ts';
import { explore, type Node, STATES_MAX, type Table } from './explore.ts';

/** One state of the machine that may be in several at once: `empty` moves read nothing. */
type Place = { codes: ReadonlySet<number>; to: number; empty: readonly number[] };

/** The table of what an expression matches as it is written. State 1 is where it begins. */
export function tableOfBytes(expression: Expression): Table {
  const places: Place[] = [{ codes: new Set(), to: 0, empty: [] }];
  const add = (place: Place): number => {
    if (places.length > STATES_MAX)
      throw new PatternFault('holds too much: shorten it, or split it into several');
    return places.push(place) - 1;
  };
  const begin = build(expression, 0, add);
  return explore([nodeOf(closure([begin], places), places)]);
}

/** Adds the places of an expression that is followed by `then`, and returns where it begins. */
function build(expression: Expression, then: number, add: (place: Place) => number): number {
  switch (expression.kind) {
    case 'set':
      return add({ codes: new Set(expression.codes), to: then, empty: [] });
    case 'sequence':
      return expression.parts.reduceRight((next, part) => build(part, next, add), then);
    case 'choice': {
      const empty = expression.parts.map((part) => build(part, then, add));
      return add({ codes: new Set(), to: 0, empty });
    }
    case 'repeat': {
      let next = then;
      for (let times = expression.max; times > 0; times--) {
        const once = build(expression.part, next, add);
        const optional = times > expression.min;
        next = optional ? add({ codes: new Set(), to: 0, empty: [once, then] }) : once;
      }
      return next;
    }
    default:
      return expression satisfies never;
  }
}

function closure(from: readonly number[], places: readonly Place[]): number[] {
  const seen = new Set(from);
  for (const place of seen) for (const next of places[place]?.empty ?? []) seen.add(next);
  return [...seen].toSorted((a, b) => a - b);
}

function nodeOf(set: readonly number[], places: readonly Place[]): Node {
  return {
    key: set.join(),
    accepts: set.includes(0),
    edges: () => {
      const targets = new Map<number, Set<number>>();
      for (const { codes, to } of set.map((place) => places[place] as Place))
        for (const code of codes) {
          const known = targets.get(code);
          if (known) known.add(to);
          else targets.set(code, new Set([to]));
        }
      const made = new Map<string, Node>();
      return new Map(
        [...targets].map(([code, to]) => {
          const key = [...to].join();
          const node = made.get(key) ?? nodeOf(closure([...to], places), places);
          made.set(key, node);
          return [code, node];
        }),
      );
    },
  };
}
