import { z } from 'zod';

/** Longest instruction accepted, in characters: what a person pastes, not a log file. */
export const INSTRUCTION_MAX_CHARS = 200_000;
export const instructionText = z
  .string()
  .max(INSTRUCTION_MAX_CHARS)
  .refine((text) => text.trim().length > 0, 'an instruction needs words');
