import type { VisitorObject } from 'oxc-parser';
import { type Node, propertyKey } from './js-nodes.ts';

/** What the names of a file stand for, as far as they stand for one thing only. */
export type Bindings = {
  visitor: VisitorObject;
  /** The value of a `const` whose name is given once in the whole file; known after the visit. */
  valueOf(name: string): Node | undefined;
};

/** Collects every place that gives a name, so that one that is given twice is trusted nowhere. */
export function collectBindings(): Bindings {
  const times = new Map<string, number>();
  const values = new Map<string, Node>();
  const bind = (pattern: Node | null | undefined): void => {
    for (const name of namesOf(pattern)) times.set(name, (times.get(name) ?? 0) + 1);
  };
  const takes = (given: unknown): void => (given as Node).params?.forEach(bind);
  const named = (given: unknown): void => bind((given as Node).id);
  const both = (given: unknown): void => {
    takes(given);
    named(given);
  };
  return {
    visitor: {
      VariableDeclaration: (given) => {
        const { kind, declarations } = given as unknown as Declaration;
        for (const { id, init } of declarations) {
          bind(id);
          if (kind === 'const' && id?.type === 'Identifier' && init)
            values.set(String(id.name), init);
        }
      },
      FunctionDeclaration: both,
      FunctionExpression: both,
      ArrowFunctionExpression: takes,
      ClassDeclaration: named,
      ClassExpression: named,
      CatchClause: ({ param }) => bind(param as Node | null),
      ImportSpecifier: ({ local }) => bind(local),
      ImportDefaultSpecifier: ({ local }) => bind(local),
      ImportNamespaceSpecifier: ({ local }) => bind(local),
    },
    valueOf: (name) => (times.get(name) === 1 ? values.get(name) : undefined),
  };
}

type Declaration = { kind: string; declarations: Node[] };

/** The names that a pattern gives. */
function namesOf(pattern: Node | null | undefined): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [String(pattern.name)];
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    case 'TSParameterProperty':
      return namesOf(pattern.parameter);
    case 'ArrayPattern':
      return (pattern.elements ?? []).flatMap(namesOf);
    case 'ObjectPattern':
      return (pattern.properties ?? []).flatMap((one) => namesOf(one.value ?? one));
    default:
      return [];
  }
}

/** The names that a pattern takes from an object, each with the name that it gets here. */
export function takenFrom(pattern: Node | undefined): { from: string; to: string }[] {
  return (pattern?.properties ?? []).flatMap((property) => {
    const from = propertyKey(property);
    const [to] = namesOf(property.value);
    return from === null || to === undefined ? [] : [{ from, to }];
  });
}
