import { z } from 'zod';

export const engineId = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);
