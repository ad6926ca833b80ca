import { useQueryClient } from '@tanstack/react-query';
import { runnersQuery } from '../api/queries.ts';
import { runDoctor } from '../api/requests.ts';
import { usePress } from '../lib/use-press.ts';

/** Has a machine looked at; what its engines need now is read with everything else of it. */
export function useDoctor(runnerId: string) {
  const client = useQueryClient();
  return usePress({
    mutationFn: () => runDoctor(runnerId),
    onSuccess: () => client.invalidateQueries({ queryKey: runnersQuery.queryKey }),
  });
}
