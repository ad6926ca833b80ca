import { join } from 'node:path';
import type { SgNode } from '@ast-grep/napi';
import { readUtf8 } from '../tree/read-utf8.ts';
import { parseTree } from './ast.ts';
import { readComments } from './parse-js.ts';
import { codeName } from './scripts.ts';
import type { Span } from './types.ts';

/** One file with what parsers make of it; each is made when it is first asked for, and kept. */
export type Source = {
  path: string;
  /** The name by which its code is read. */
  name: string;
  /** Throws when it cannot be read, and when it is not UTF-8. */
  text(): string;
  /** Where the comments of a script are, in its order; null when it does not parse. */
  comments(): Span[] | null;
  /** Keeps comments that somebody came upon who parsed the file for another reason. */
  keepComments(comments: Span[]): void;
  /** The tree of its text, or of a text in its place. */
  tree(grammar: string, code: string): SgNode;
};

export function openSource(root: string, path: string): Source {
  const name = codeName(root, path);
  let text: string | undefined;
  let comments: Span[] | null | undefined;
  const trees = new Map<string, SgNode>();
  const source: Source = {
    path,
    name,
    text: () => (text ??= readUtf8(join(root, path))),
    comments: () => {
      if (comments === undefined) comments = readComments(name, source.text());
      return comments;
    },
    keepComments: (given) => {
      comments = given;
    },
    tree: (grammar, code) => {
      const known = trees.get(code);
      if (known) return known;
      const made = parseTree(grammar, code);
      trees.set(code, made);
      return made;
    },
  };
  return source;
}
