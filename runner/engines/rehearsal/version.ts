/** The version that the rehearsal engine says it has. */
export const VERSION = '1.0.0';
