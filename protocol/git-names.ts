import { z } from 'zod';

/** The name of a branch as git takes it, which is also no option and no way out of a URL. */
export const branchText = z
  .string()
  .regex(/^(?!-)[^\s~^:?*[\\\p{Cc}]{1,250}$/u, 'is no name of a branch');
