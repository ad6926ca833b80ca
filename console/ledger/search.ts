import { z } from 'zod';
import { usageGrouping } from '../../protocol/http.ts';
import { periodSearch } from './window.ts';

/** What the address of the spend page says. */
export const spendSearch = z.object({
  ...periodSearch.shape,
  by: usageGrouping.optional().catch(undefined),
});
export type SpendSearch = z.infer<typeof spendSearch>;
