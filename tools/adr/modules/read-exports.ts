import { parseSync } from 'oxc-parser';
import { faultsOf, parseTree } from './ast.ts';
import { languageOf } from './languages.ts';
import { readCjsExports } from './read-cjs-exports.ts';

/**
 * The names that a file gives to others: exports of a module (`default` included), names at the
 * top of a Python file, capitalised names of a Go file. Throws when the file does not parse.
 */
export function readExports(path: string, text: string): string[] {
  const language = languageOf(path);
  switch (language) {
    case 'js':
    case 'ts':
      return exportsOfModule(path, text);
    case 'python':
      return namesIn('python', text, PYTHON_NAMES);
    case 'go':
      return namesIn('go', text, GO_NAMES).filter((name) => /^\p{Lu}/u.test(name));
    case null:
      throw new Error('no parser here knows the exports of this kind of file');
    default:
      return language satisfies never;
  }
}

function exportsOfModule(path: string, text: string): string[] {
  const parsed = parseSync(path, text);
  if (parsed.errors[0]) throw new Error(parsed.errors[0].message);
  const listed = parsed.module.staticExports.flatMap((item) =>
    item.entries.flatMap(({ exportName }) => {
      const kind: string = exportName.kind;
      return kind === 'Default' ? ['default'] : (exportName.name ?? []);
    }),
  );
  return parsed.module.hasModuleSyntax ? listed : readCjsExports(parsed.program);
}

const PYTHON_NAMES = {
  rule: {
    any: [{ kind: 'function_definition' }, { kind: 'class_definition' }, { kind: 'assignment' }],
  },
};
const GO_NAMES = {
  rule: {
    any: [
      { kind: 'function_declaration' },
      { kind: 'type_spec' },
      { kind: 'const_spec' },
      { kind: 'var_spec' },
    ],
  },
};

/** Nodes between a definition and the top that do not make it less of a name of the file. */
const OPEN = new Set([
  'module',
  'source_file',
  'expression_statement',
  'decorated_definition',
  'type_declaration',
  'const_declaration',
  'var_declaration',
  'var_spec_list',
]);

function namesIn(
  grammar: string,
  text: string,
  query: typeof PYTHON_NAMES | typeof GO_NAMES,
): string[] {
  const root = parseTree(grammar, text);
  const fault = faultsOf(root)[0];
  if (fault) throw new Error(`line ${fault.line}: ${fault.message}`);
  return root
    .findAll(query)
    .filter((node) => node.ancestors().every((above) => OPEN.has(String(above.kind()))))
    .flatMap((node) => node.field('name')?.text() ?? node.field('left')?.text() ?? []);
}
