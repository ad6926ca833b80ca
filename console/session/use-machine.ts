import { useQuery } from '@tanstack/react-query';
import type { MachineFacts } from '../../protocol/machine.ts';
import { runnersQuery } from '../api/queries.ts';

/** What a session's machine last said of itself; null before it is known. */
export function useMachine(runnerId: string | null): MachineFacts | null {
  const { data } = useQuery({ ...runnersQuery, refetchInterval: false, staleTime: 60_000 });
  return data?.find((runner) => runner.runnerId === runnerId)?.machine ?? null;
}
