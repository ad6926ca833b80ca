/** One section of a git configuration file. A name that is used twice gives two values. */
export type ConfigSection = {
  name: string;
  subsection?: string;
  values: readonly (readonly [string, string])[];
};

/**
 * Writes git configuration as text. Written to a file rather than through `git config`, because
 * an address may hold a credential and arguments are seen by every process of the machine.
 * Quoting: git-config(1), "Syntax".
 */
export function configText(sections: readonly ConfigSection[]): string {
  return sections
    .map(({ name, subsection, values }) => {
      const head =
        subsection === undefined
          ? `[${name}]`
          : `[${name} "${subsection.replaceAll(/["\\]/g, '\\$&')}"]`;
      return [head, ...values.map(([key, value]) => `\t${key} = ${quoted(value)}`), ''].join('\n');
    })
    .join('');
}

function quoted(value: string): string {
  const escaped = value
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
