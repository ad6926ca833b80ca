import { z } from 'zod';

/**
 * The content policy allows no code made from text, and zod would try it when the first schema is
 * defined: so this is imported before any module that defines one.
 */
z.config({ jitless: true });
