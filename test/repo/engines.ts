/** What must be there for every engine that the runner's own code has. */
export type Proofs = {
  /** Paths of all files of the repository. */
  files: readonly string[];
  /** Ids of the suite's records, of whatever kind. */
  records: readonly string[];
  /** Ids whose record says that they ask no model: they have no transcripts to record. */
  withoutModel: readonly string[];
};

/** What registered engines lack, a sentence each; empty when nothing does. */
export function findLacks(engineIds: readonly string[], proofs: Proofs): string[] {
  return [...new Set(engineIds)].flatMap((id) => lacksOf(id, proofs));
}

function lacksOf(id: string, { files, records, withoutModel }: Proofs): string[] {
  const has = (pattern: RegExp) => files.some((path) => pattern.test(path));
  const lacks: string[] = [];
  if (!records.includes(id)) lacks.push(`${id} has no record in test/engines/conformance`);
  if (!has(new RegExp(`^test/runner/engines/(${id}/[^/]+|${id}-oracles)\\.test\\.ts$`)))
    lacks.push(`${id} has no tests in test/runner/engines/${id}`);
  if (withoutModel.includes(id)) return lacks;
  if (!has(new RegExp(`^test/fixtures/engines/${id}-[^/]+/[^/]+$`)))
    lacks.push(`${id} has no transcripts in test/fixtures/engines/${id}-VERSION`);
  return lacks;
}

/** Where an engine is named in the product and its suite beside what is its own, as the guide says. */
export const PLACES = [
  'protocol/builtin-presets.ts',
  'protocol/parsers.ts',
  'runner/engines/forms.ts',
  'test/engines/conformance/matrix.ts',
  'test/engines/conformance/records.ts',
  'tools/engines/install.ts',
] as const;

/**
 * The files that name an engine and are neither its own nor a test of one thing: those that must be
 * touched for it. `read` gives a file's text; what is said of it in comments does not count.
 */
export function findPlaces(
  id: string,
  files: readonly string[],
  read: (path: string) => string,
): string[] {
  const named = new RegExp(`['"/]${id}['"/-]|\\b${id}[:,]`);
  return files
    .filter(
      (path) =>
        /^(protocol|workers|runner|console|tools)\/.*\.tsx?$/.test(path) || IN_SUITE.test(path),
    )
    .filter((path) => !path.startsWith(`runner/engines/${id}/`))
    .filter((path) => named.test(withoutComments(read(path))))
    .toSorted();
}

const IN_SUITE = /^test\/engines\/conformance\/.*\.ts$/;

const withoutComments = (text: string): string =>
  text.replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
