import { queryOptions } from '@tanstack/react-query';
import {
  policyDetail,
  policyHistory,
  policyVersion,
  type SavePolicyRequest,
} from '../../protocol/policy-http.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';
import type { Place } from './place.ts';

/** Everything that a saved version changes. */
export const POLICY_KEY = ['policy'] as const;

/** What holds for a launch there, and who says so. */
export const policyQuery = (place: Place) =>
  queryOptions({
    queryKey: [...POLICY_KEY, 'holds', place],
    queryFn: ({ signal }) => read(policyDetail, api.policy, { signal, query: { ...place } }),
  });

/** What exactly this scope said, the newest first. */
export const policyVersionsQuery = (place: Place) =>
  queryOptions({
    queryKey: [...POLICY_KEY, 'versions', place],
    queryFn: ({ signal }) =>
      read(policyHistory, api.policyVersions, { signal, query: { ...place } }),
    select: ({ items }) => items,
  });

/** Saves the next version of one scope. */
export const savePolicy = (request: SavePolicyRequest) => send(policyVersion, api.policy, request);
