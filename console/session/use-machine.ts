import { useQuery } from '@tanstack/react-query';
import type { MachineFacts } from '../../protocol/machine.ts';
import { runnersQuery } from '../api/queries.ts';

/** What a session's machine last said of itself; null before it is known. */
export const useMachine = (runnerId: string | null): MachineFacts | null =>
  useRunner(runnerId)?.machine ?? null;

/** What a session's machine is called; its id before that is known. */
export const useMachineName = (runnerId: string | null): string =>
  useRunner(runnerId)?.name ?? runnerId ?? 'its machine';

function useRunner(runnerId: string | null) {
  const { data } = useQuery({ ...runnersQuery, refetchInterval: false, staleTime: 60_000 });
  return data?.find((runner) => runner.runnerId === runnerId);
}
