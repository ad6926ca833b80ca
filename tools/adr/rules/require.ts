import { type Finding, found, undecided } from '../finding.ts';
import { messageOf } from '../failure.ts';
import { readExports } from '../modules/read-exports.ts';
import { readTestNames } from '../modules/read-test-names.ts';
import { matcherOf } from '../tree/globs.ts';
import { readText } from '../tree/tree.ts';
import { type RuleContext, type RuleOutcome, examinedAll } from './context.ts';
import { parseManifest } from './manifests.ts';
import { checkForEach } from './require-each.ts';
import type { RuleOf } from './schema.ts';

/** What a check of one demand gives: how many demands it was, and what is missing. */
export type Demands = { count: number; findings: Finding[] };

/** Files, exports, tests and dependencies that must be there. */
export function checkRequire(rule: RuleOf<'require'>, context: RuleContext): RuleOutcome {
  const parts: Demands[] = [
    demandFiles(rule, context),
    demandNames(rule, context),
    demandTests(rule, context),
    demandDependencies(rule, context),
    rule.forEach ? checkForEach(rule.forEach, rule.reason, context.tree.files) : NONE,
  ];
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return examinedAll(
    count,
    'demands',
    parts.flatMap((part) => part.findings),
  );
}

const NONE: Demands = { count: 0, findings: [] };

function demandFiles(rule: RuleOf<'require'>, context: RuleContext): Demands {
  const globs = rule.files ?? [];
  const missing = globs.filter((glob) => !context.tree.files.some(matcherOf([glob])));
  const findings = missing.map((glob) =>
    found(null, `No file is ${glob}, and one must be there. ${rule.reason}`),
  );
  return { count: globs.length, findings };
}

/** Reads something of a file, and makes a finding of what keeps it from being read. */
function attempt<Value>(path: string, read: () => Value): Value | Finding {
  try {
    return read();
  } catch (error) {
    return undecided(
      { path },
      `${path} cannot be read (${messageOf(error)}), so it is not known whether it has what it must.`,
    );
  }
}

const isFinding = (value: unknown): value is Finding =>
  typeof value === 'object' && value !== null && 'certain' in value;

function demandNames(rule: RuleOf<'require'>, context: RuleContext): Demands {
  const demands = (rule.exports ?? []).flatMap(({ file, names }) =>
    names.map((name) => ({ file, name })),
  );
  const findings = demands.flatMap(({ file, name }): Finding[] => {
    if (!context.tree.has(file)) {
      return [
        found({ path: file }, `${file} is not there, and must export ${name}. ${rule.reason}`),
      ];
    }
    const exported = attempt(file, () => readExports(file, readText(context.tree, file)));
    if (isFinding(exported)) return [exported];
    return exported.includes(name)
      ? []
      : [found({ path: file }, `${file} does not export ${name}, and must. ${rule.reason}`)];
  });
  return { count: demands.length, findings };
}

function demandTests(rule: RuleOf<'require'>, context: RuleContext): Demands {
  const findings: Finding[] = [];
  let count = 0;
  for (const { files, names } of rule.tests ?? []) {
    const chosen = context.tree.files.filter(matcherOf(files));
    const read = chosen.map((path) =>
      attempt(path, () => readTestNames(path, readText(context.tree, path))),
    );
    findings.push(...read.filter(isFinding));
    const known = new Set(read.flatMap((value) => (isFinding(value) ? [] : value)));
    for (const name of names) {
      count++;
      if (known.has(name)) continue;
      findings.push(
        found(
          null,
          `No test in ${files.join(', ')} is called "${name}", and one must be. ${rule.reason}`,
        ),
      );
    }
  }
  return { count, findings };
}

function demandDependencies(rule: RuleOf<'require'>, context: RuleContext): Demands {
  const demands = (rule.dependencies ?? []).flatMap(({ manifest, names }) =>
    names.map((name) => ({ manifest, name })),
  );
  const findings = demands.flatMap(({ manifest, name }): Finding[] => {
    if (!context.tree.has(manifest)) {
      return [
        found(
          { path: manifest },
          `${manifest} is not there, and must declare ${name}. ${rule.reason}`,
        ),
      ];
    }
    const declared = attempt(manifest, () =>
      parseManifest(manifest, readText(context.tree, manifest)),
    );
    if (isFinding(declared)) return [declared];
    return declared.some((one) => one.name === name)
      ? []
      : [
          found(
            { path: manifest },
            `${manifest} does not declare ${name}, and must. ${rule.reason}`,
          ),
        ];
  });
  return { count: demands.length, findings };
}
