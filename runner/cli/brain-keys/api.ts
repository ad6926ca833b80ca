import {
  type AddBrainKey,
  brainKey,
  type BrainKey,
  brainKeyList,
} from '../../../protocol/brain-keys.ts';
import type { OwnPrice } from '../../../protocol/own-price.ts';
import { accepted } from '../../../protocol/http.ts';
import type { Call } from '../api.ts';

/** The part of the API that is about keys of model APIs. */
export type BrainKeysApi = {
  addBrainKey(request: AddBrainKey): Promise<BrainKey>;
  listBrainKeys(): Promise<BrainKey[]>;
  priceBrainKey(keyId: string, price: OwnPrice | null): Promise<BrainKey>;
  removeBrainKey(keyId: string): Promise<void>;
};

/** The keys’ part of a client whose requests go through `call`. */
export function createBrainKeysApi(call: Call): BrainKeysApi {
  return {
    addBrainKey: (request) => call('POST', '/v1/brain-keys', brainKey, request),
    listBrainKeys: async () => (await call('GET', '/v1/brain-keys', brainKeyList)).items,
    priceBrainKey: (keyId, price) =>
      call('POST', `/v1/brain-keys/${encodeURIComponent(keyId)}/price`, brainKey, { price }),
    async removeBrainKey(keyId) {
      await call('POST', `/v1/brain-keys/${encodeURIComponent(keyId)}/remove`, accepted, {});
    },
  };
}
