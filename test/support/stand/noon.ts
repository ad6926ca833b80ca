/** When everybody looks at the harbour, in Unix ms. */
export const NOON = Date.parse('2026-11-30T12:00:00Z');
