import type { VisitorObject } from 'oxc-parser';
import type { Node } from './js-nodes.ts';

type Value = Node | null | undefined;

export type Values = {
  /** A value that is given a name. */
  alias(target: Node | undefined, value: Value): void;
  /** Values that go where this file's names do not tell what becomes of them. */
  handedOn(...values: Value[]): void;
};

/** Tells where a program hands values on: under another name, or as parts of something else. */
export function valuesVisitor({ alias, handedOn }: Values): VisitorObject {
  return {
    VariableDeclarator: (given) => alias((given as Node).id, (given as Node).init),
    AssignmentExpression: (given) => alias((given as Node).left, (given as Node).right),
    AssignmentPattern: (given) => alias((given as Node).left, (given as Node).right),
    CallExpression: (given) => handedOn(...((given as Node).arguments ?? [])),
    NewExpression: (given) => handedOn(...((given as Node).arguments ?? [])),
    ReturnStatement: (node) => handedOn(node.argument as Value),
    YieldExpression: (node) => handedOn(node.argument as Value),
    AwaitExpression: (node) => handedOn(node.argument as Value),
    SpreadElement: (node) => handedOn(node.argument as Value),
    ArrowFunctionExpression: ({ body }) => handedOn(body as Value),
    ArrayExpression: ({ elements }) => handedOn(...(elements as Value[])),
    SequenceExpression: ({ expressions }) => handedOn(...(expressions as Value[])),
    ConditionalExpression: (node) => handedOn(node.consequent as Value, node.alternate as Value),
    LogicalExpression: (node) => handedOn(node.left as Value, node.right as Value),
    PropertyDefinition: (node) => handedOn(node.value as Value),
    ExportDefaultDeclaration: (node) => handedOn(node.declaration as Value),
    ExportNamedDeclaration: (node) => {
      if (!node.source) handedOn(...node.specifiers.map(({ local }) => local as Value));
    },
    ObjectExpression: (given) => {
      const { properties } = given as { properties: { value?: Node }[] };
      handedOn(...properties.map((property) => property.value));
    },
  };
}
