import stripJsonComments from 'strip-json-comments';

/** A JSON text without the comments and trailing commas that engines allow in their settings. */
export const withoutComments = (text: string): string =>
  stripJsonComments(text, { trailingCommas: true });
