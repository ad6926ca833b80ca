import { queryOptions } from '@tanstack/react-query';
import { type AddBrainKey, brainKey, brainKeyList } from '../../protocol/brain-keys.ts';
import { accepted } from '../../protocol/http.ts';
import type { OwnPrice } from '../../protocol/own-price.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** Everything that a key which is added or removed changes. */
export const BRAIN_KEYS_KEY = ['brain-keys'] as const;

/** The keys of model APIs, newest first, without their secrets. */
export const brainKeysQuery = queryOptions({
  queryKey: BRAIN_KEYS_KEY,
  queryFn: ({ signal }) => read(brainKeyList, api.brainKeys, { signal }),
  select: ({ items }) => items,
});

/** Keeps a key; its secret goes there once and comes back never. */
export const addBrainKey = (request: AddBrainKey) => send(brainKey, api.brainKeys, request);

/** Says what its models cost; null is their list prices. */
export const priceBrainKey = (keyId: string, price: OwnPrice | null) =>
  send(brainKey, api.priceBrainKey(keyId), { price });

export const removeBrainKey = (keyId: string) => send(accepted, api.removeBrainKey(keyId));
