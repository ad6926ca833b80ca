import { queryOptions } from '@tanstack/react-query';
import { accepted } from '../../protocol/http.ts';
import {
  type InstanceChange,
  instanceDetail,
  instancePage,
  type MakeInstanceRequest,
  operatorEntry,
  operatorList,
  type PublishOperatorRequest,
} from '../../protocol/operator-http.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** Everything that a published operator or a changed instance changes. */
export const OPERATORS_KEY = ['operators'] as const;
/** An instance may be changed from a terminal beside this page: read again now and then, in ms. */
const EVERY_MS = 5_000;
const PAGE_SIZE = 200;

export const operatorsQuery = queryOptions({
  queryKey: [...OPERATORS_KEY, 'all'],
  queryFn: ({ signal }) => read(operatorList, api.operators, { signal }),
});

export const instancesQuery = queryOptions({
  queryKey: [...OPERATORS_KEY, 'instances'],
  queryFn: ({ signal }) =>
    read(instancePage, api.instances, { signal, query: { limit: PAGE_SIZE } }),
  refetchInterval: EVERY_MS,
});

export const instanceQuery = (instanceId: string) =>
  queryOptions({
    queryKey: [...OPERATORS_KEY, 'instance', instanceId],
    queryFn: ({ signal }) => read(instanceDetail, api.instance(instanceId), { signal }),
    refetchInterval: EVERY_MS,
  });

export const publishOperator = (request: PublishOperatorRequest) =>
  send(operatorEntry, api.operators, request);
export const withdrawOperator = (operatorId: string) =>
  send(accepted, api.withdrawOperator(operatorId));
export const makeInstance = (request: MakeInstanceRequest) =>
  send(instanceDetail, api.instances, request);
export const changeInstance = (instanceId: string, change: InstanceChange) =>
  send(instanceDetail, api.changeInstance(instanceId), change);
