import { queryOptions } from '@tanstack/react-query';
import {
  chainPage,
  type ChainTally,
  type SessionChain,
  tallyChains,
} from '../../protocol/chain.ts';
import { api } from '../paths.ts';
import { read } from './client.ts';

/** Every session compared with its chain, page by page, and what came of it. */
export const chainsQuery = queryOptions({
  queryKey: [api.chains],
  queryFn: async ({ signal }): Promise<ChainTally> => {
    const chains: SessionChain[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(chainPage, api.chains, { signal, query: { cursor } });
      chains.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return tallyChains(chains);
  },
  staleTime: Infinity,
});
