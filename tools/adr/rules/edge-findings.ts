import { type Finding, found, undecided } from '../finding.ts';
import type { Edge, FileEdges } from '../modules/types.ts';

/** What keeps a file's imports from being judged: it does not parse. */
export function faultsOfFile(file: FileEdges): Finding[] {
  return file.faults
    .slice(0, 1)
    .map((fault) =>
      undecided(
        { path: file.path, line: fault.line },
        `${file.path} cannot be parsed (${fault.message}), so its imports are not known. Correct the file, or leave it out with \`except\` and a reason.`,
      ),
    );
}

/** A rule that lets everybody do what it is about says nothing, whatever it looked at. */
export const allowsEverything = (allow: readonly string[]): Finding =>
  undecided(
    null,
    `\`allow: [${allow.join(', ')}]\` lets everything through, so the rule forbids nothing. Name those that may.`,
  );

/** What keeps one import from being judged: computed at run time, or meaning nothing known. */
export function undecidedEdge(edge: Edge): Finding | null {
  if (edge.specifier === null) {
    return undecided(
      placeOf(edge),
      'The module is computed at run time, so the rule cannot tell which one it is. Write the path out, or waive this place in the record.',
      edge.excerpt,
    );
  }
  if (edge.known) return null;
  return undecided(
    placeOf(edge),
    `\`${edge.specifier}\` names neither a file nor a package that a package.json declares, so the rule cannot tell what it is. Declare it, or say the alias in tsconfig \`paths\` or package.json \`imports\`.`,
    edge.excerpt,
  );
}

export function violation(edge: Edge, message: string): Finding {
  return found(placeOf(edge), message, edge.excerpt);
}

const placeOf = (edge: Edge) => ({ path: edge.from, line: edge.line, column: edge.column });

const VERBS: Record<Edge['kind'], string> = {
  static: 'imports',
  dynamic: 'imports at run time',
  require: 'requires',
  're-export': 're-exports',
  'type-only': 'imports types of',
  resolve: 'resolves the path of',
};

/** How a file mentions a module, as a verb. */
export const verbOf = (edge: Edge): string => VERBS[edge.kind];
