const SLUG_MAX_CHARS = 40;

/** A branch's last part from a session's title: letters, digits and dashes, cut at a word. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (words.length <= SLUG_MAX_CHARS) return words || 'session';
  const cut = words.slice(0, SLUG_MAX_CHARS + 1);
  const end = cut.lastIndexOf('-');
  return cut.slice(0, end > SLUG_MAX_CHARS / 2 ? end : SLUG_MAX_CHARS);
}

/**
 * Where another branch of the session's checkout goes in the person's repository: beside the
 * session's own, since a branch cannot be both a name and a folder of names.
 */
export function besideName(sessionBranch: string, other: string): string {
  const part = other
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return `${sessionBranch}--${
    part
      .slice(0, 80)
      .replace(/(\.lock)+$/, '')
      .replace(/[-.]+$/, '') || 'other'
  }`;
}
