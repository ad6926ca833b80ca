const MARK = '<!-- pilothouse';

/** The mark that a comment of ours begins with; it says what it tells of. */
export const markOf = (tellKey: string): string => `${MARK} ${tellKey} -->`;

/** Whether a comment was written by an instance of Pilothouse, or says so. */
export const isMarked = (body: string): boolean => body.includes(MARK);
