import { parseSync, Visitor } from 'oxc-parser';
import { constantText, type Node, propertyName } from './js-nodes.ts';
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
  let off = 0;
  new Visitor({
    CallExpression: (node) => {
      if (isOff(node.callee, node.arguments)) off++;
      const title = constantText(node.arguments[0]);
      if (off === 0 && title !== null && isRunner(node.callee)) titles.push(title);
    },
    'CallExpression:exit': (node) => {
      if (isOff(node.callee, node.arguments)) off--;
    },
  }).visit(parsed.program);
  return titles;
}

/** A function that takes a test, or several: `it`, `test.each(…)`, or `only` of either. */
function isRunner(given: unknown): boolean {
  const node = given as Node;
  if (node.type === 'Identifier') return RUNNERS.has(String(node.name));
  if (node.type === 'CallExpression') return isRunner(node.callee);
  return node.type === 'MemberExpression' && isRunner(node.object);
}

/** A test that is switched off is a test that is not there, and so is what it holds. */
function isOff(callee: unknown, given: readonly unknown[]): boolean {
  const options = given.slice(0, 2).map((one) => one as { type: string; properties?: Option[] });
  const off = options
    .flatMap((one) => (one.type === 'ObjectExpression' ? (one.properties ?? []) : []))
    .some(({ key, value }) => OFF.has(String(key?.name)) && value?.value !== false);
  return isSkipping(callee) || (off && isRunner(callee));
}

type Option = { key?: Node; value?: Node };
const OFF = new Set(['skip', 'todo']);

function isSkipping(given: unknown): boolean {
  const node = given as Node;
  if (node.type === 'Identifier') return /^x(it|test|describe)$/.test(String(node.name));
  if (node.type === 'CallExpression') return isSkipping(node.callee);
  if (node.type !== 'MemberExpression') return false;
  return (OFF.has(propertyName(node) ?? '') && isRunner(node.object)) || isSkipping(node.object);
}
