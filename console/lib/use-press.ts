import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A request that a press sends: pressing again before its answer sends nothing. A double click
 * comes faster than the page draws that the first press is under way.
 */
export function usePress<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
) {
  const mutation = useMutation(options);
  const underWay = useRef(false);
  const mutate = (variables: Variables) => {
    if (underWay.current) return;
    underWay.current = true;
    mutation.mutate(variables, { onSettled: () => void (underWay.current = false) });
  };
  return { ...mutation, mutate };
}
