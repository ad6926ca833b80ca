/** How branches are held against globs, on the machine and at the gate alike. */
export const BRANCH_GLOB = { nocase: true, dot: true } as const;

/** Names under which projects keep what others build on; the policy knows a repository's own. */
export const TRUNKS: ReadonlySet<string> = new Set([
  'main',
  'master',
  'trunk',
  'production',
  'prod',
  'release',
  'stable',
]);

/**
 * What is wrong with a glob that would be saved and protect nothing, or null. A glob that matches
 * nothing looks like protection. Pure; `of` says what it is meant to name.
 */
export function findGlobFault(text: string, of: 'branch' | 'path'): string | null {
  const plain = text.replaceAll(/\\./g, '');
  if (/[()]/.test(plain)) return 'write \\( and \\) for parentheses that belong to a name';
  if (!isPaired(plain, '[', ']') || !isPaired(plain, '{', '}'))
    return 'a bracket or a brace is open; write \\[ or \\{ for one that belongs to a name';
  if (text.startsWith('/') || text.startsWith('./'))
    return `begin with the name itself, as in ${EXAMPLES[of]}`;
  if (text.endsWith('/')) return `say what is inside it: ${text}**`;
  if (of === 'branch' && text.startsWith('refs/'))
    return 'write the branch without refs/heads/, as in release/*';
  return null;
}

const EXAMPLES = { branch: 'release/*', path: '.github/workflows/**' } as const;

/** Whether each `open` is closed later, and none is closed that was not open. */
function isPaired(text: string, open: string, close: string): boolean {
  let depth = 0;
  for (const each of text) {
    if (each === open) depth += 1;
    if (each === close) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
