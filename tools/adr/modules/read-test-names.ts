import { parseSync, Visitor } from 'oxc-parser';
import { constantText } from './js-calls.ts';
import { languageOf } from './languages.ts';
import { readExports } from './read-exports.ts';

const RUNNERS = new Set(['it', 'test', 'describe', 'suite', 'bench']);

/**
 * The names of a file's tests: first arguments of `it`, `test` and `describe` (also `it.each(…)`
 * and the like, but not one that is skipped), `test_*` of Python, `Test*` of Go. Throws when the file does
 * not parse.
 */
export function readTestNames(path: string, text: string): string[] {
  const language = languageOf(path);
  switch (language) {
    case 'python':
      return readExports(path, text).filter((name) => /^test|^Test/.test(name));
    case 'go':
      return readExports(path, text).filter((name) => /^(Test|Fuzz|Example)/.test(name));
    case 'js':
    case 'ts':
      return titlesOf(path, text);
    case null:
      throw new Error('no parser here knows the tests of this kind of file');
    default:
      return language satisfies never;
  }
}

function titlesOf(path: string, text: string): string[] {
  const parsed = parseSync(path, text);
  if (parsed.errors[0]) throw new Error(parsed.errors[0].message);
  const titles: string[] = [];
  new Visitor({
    CallExpression: (node) => {
      const title = constantText(node.arguments[0]);
      if (title !== null && isRunner(node.callee)) titles.push(title);
    },
  }).visit(parsed.program);
  return titles;
}

/** A test that is switched off is a test that is not there. */
function isRunner(given: unknown): boolean {
  const node = given as {
    type: string;
    name?: unknown;
    object?: unknown;
    callee?: unknown;
    property?: { name?: unknown };
  };
  if (node.type === 'Identifier') return RUNNERS.has(String(node.name));
  if (node.type === 'CallExpression') return isRunner(node.callee);
  if (node.type !== 'MemberExpression') return false;
  return node.property?.name !== 'skip' && node.property?.name !== 'todo' && isRunner(node.object);
}
