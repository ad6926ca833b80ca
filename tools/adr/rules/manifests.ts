import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import { MANIFEST_SECTIONS } from '../modules/packages.ts';

/** A dependency as a manifest declares it; `section` is empty where the format has none. */
export type Declared = { name: string; section: string };

const names = z.record(z.string(), z.unknown()).optional();
const packageJson = z.object({
  dependencies: names,
  devDependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
});
const pyproject = z.object({
  project: z
    .object({
      dependencies: z.array(z.string()).optional(),
      'optional-dependencies': z.record(z.string(), z.array(z.string())).optional(),
    })
    .optional(),
  'dependency-groups': z.record(z.string(), z.array(z.unknown())).optional(),
  tool: z
    .object({ poetry: z.object({ dependencies: names, 'dev-dependencies': names }).optional() })
    .optional(),
});

/**
 * Reads the dependencies of a manifest: package.json, pyproject.toml, requirements files, go.mod.
 * Throws with a reason when the text is not what its name says, or the name is none of these.
 */
export function parseManifest(path: string, text: string): Declared[] {
  const name = posix.basename(path);
  if (name === 'package.json') {
    const parsed = packageJson.parse(JSON.parse(text));
    return MANIFEST_SECTIONS.flatMap((section) =>
      Object.entries(parsed[section] ?? {}).flatMap(([dependency, version]) => {
        // `"clock": "npm:moment@2"` installs moment under another name.
        const installed = /^npm:(@?[^@]+)/.exec(String(version))?.[1];
        return [dependency, ...(installed ? [installed] : [])].map((name) => ({ name, section }));
      }),
    );
  }
  if (name === 'go.mod') return parseGoMod(text);
  if (name === 'pyproject.toml') return parsePyproject(text);
  if (/^requirements.*\.txt$/.test(name)) {
    return text.split('\n').flatMap((line) => pythonName(line, ''));
  }
  throw new Error(
    'only package.json, pyproject.toml, requirements*.txt and go.mod can be read as manifests',
  );
}

/** The name before version, extras and markers (PEP 508), normalised as PEP 503 says. */
function pythonName(line: string, section: string): Declared[] {
  const egg = /#egg=([\w.-]+)/.exec(line)?.[1];
  const name = egg ?? /^\s*(?:-e\s+)?([A-Za-z0-9][\w.-]*)/.exec(line)?.[1];
  return name ? [{ name: name.toLowerCase().replaceAll(/[-_.]+/g, '-'), section }] : [];
}

function parsePyproject(text: string): Declared[] {
  const parsed = pyproject.parse(parseToml(text));
  const poetry = parsed.tool?.poetry;
  const groups = [
    ...Object.entries(parsed.project?.['optional-dependencies'] ?? {}),
    ...Object.entries(parsed['dependency-groups'] ?? {}),
    ['dependencies', parsed.project?.dependencies ?? []] as const,
    [
      'dependencies',
      Object.keys(poetry?.dependencies ?? {}).filter((one) => one !== 'python'),
    ] as const,
    ['dev-dependencies', Object.keys(poetry?.['dev-dependencies'] ?? {})] as const,
  ];
  return groups.flatMap(([section, lines]) =>
    lines.flatMap((line) => (typeof line === 'string' ? pythonName(line, section) : [])),
  );
}

function parseGoMod(text: string): Declared[] {
  const found: Declared[] = [];
  let block: string | null = null;
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\/\/.*$/, '').trim();
    const opened = /^(require|replace)\s*\($/.exec(line)?.[1];
    if (opened !== undefined) block = opened;
    else if (line === ')') block = null;
    else {
      const [, word = block, rest = ''] = /^(?:(require|replace)\s+)?(.*)$/.exec(line) ?? [];
      // What a module is replaced by is what is built in.
      const name = /^(\S+)\s+v/.exec(
        word === 'replace' ? (rest.split('=>')[1]?.trim() ?? '') : rest,
      );
      if (name?.[1] && word !== null) found.push({ name: name[1], section: word });
    }
  }
  return found;
}
