export const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long what is not part of a record is kept, in ms. Records and ledgers are kept for good. */
export const KEPT_MS = {
  /** The checkout of a session that is over, after its engine last started. */
  checkout: 30 * DAY_MS,
  /** What a tool printed beyond what the record holds, on the machine. */
  output: 30 * DAY_MS,
  /** An image on its machine, for the hand-over: the record has it. */
  image: 30 * DAY_MS,
  /** An image that no instruction took. */
  unusedImage: 7 * DAY_MS,
  /** A terminal that was begun for an operator and ended, where limits.toml says nothing else. */
  terminal: 30 * 60_000,
} as const;

/** What limits.toml of a machine can say of how long it keeps things, in ms. */
export type MachineKept = { checkout: number; output: number; image: number };
