/** A JSON text without comments on lines of their own, as engines allow them in their settings. */
export const withoutComments = (text: string): string => text.replace(/^\s*\/\/.*$/gm, '');
