/** Characters that turn the direction of text, hide between others, or move what follows. */
const INVISIBLE = /[\p{Cf}\u2028\u2029]|(?![\t\r\n])\p{Cc}/gu;

/**
 * Text of a repository with what cannot be seen in it made visible: a path or a line of code that
 * reads otherwise than it is would be believed.
 */
export function showInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** The first `most` characters, with whether there are more. Cuts no character in two. */
export function cutText(text: string, most: number): { text: string; cut: boolean } {
  if (text.length <= most) return { text, cut: false };
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { text: text.slice(0, end), cut: true };
}

/** A commit as people say it. What is none of git's hashes is cut, too. */
export const shortCommit = (commit: string): string => showInvisible(commit.slice(0, 8));
