import { accepted } from '../../../protocol/http.ts';
import {
  instanceDetail,
  instancePage,
  operatorDetail,
  operatorEntry,
  operatorList,
  type InstanceChange,
  type InstanceDetail,
  type MakeInstanceRequest,
  type OperatorDetail,
  type OperatorEntry,
  type OperatorList,
  type PublishOperatorRequest,
  type UnreadableInstance,
} from '../../../protocol/operator-http.ts';
import { paneList, type PaneList } from '../../../protocol/panes.ts';
import { withQuery, type Call } from '../api.ts';
import { readEveryPage } from '../pages.ts';

/** The part of the API that is about operators and their instances. */
export type OperatorsApi = {
  /** The terminals of a machine, as its own limits open them. */
  listPanes(runnerId: string): Promise<PaneList>;
  listOperators(): Promise<OperatorList>;
  readOperator(operatorId: string): Promise<OperatorDetail>;
  publishOperator(request: PublishOperatorRequest): Promise<OperatorEntry>;
  withdrawOperator(operatorId: string): Promise<void>;
  listInstances(): Promise<{ items: InstanceDetail[]; unreadable: UnreadableInstance[] }>;
  makeInstance(request: MakeInstanceRequest): Promise<InstanceDetail>;
  changeInstance(instanceId: string, change: InstanceChange): Promise<InstanceDetail>;
};

/** Instances in one answer. */
const PAGE_SIZE = 200;

/** The operators' part of a client whose requests go through `call`. */
export function createOperatorsApi(call: Call): OperatorsApi {
  const operator = (id: string, rest = '') => `/v1/operators/${encodeURIComponent(id)}${rest}`;
  const instance = (id: string, rest = '') => `/v1/instances/${encodeURIComponent(id)}${rest}`;
  return {
    listPanes: (id) => call('GET', `/v1/runners/${encodeURIComponent(id)}/panes`, paneList),
    listOperators: () => call('GET', '/v1/operators', operatorList),
    readOperator: (id) => call('GET', operator(id), operatorDetail),
    publishOperator: (request) => call('POST', '/v1/operators', operatorEntry, request),
    async withdrawOperator(id) {
      await call('POST', operator(id, '/withdraw'), accepted, {});
    },
    async listInstances() {
      const unreadable: UnreadableInstance[] = [];
      const items = await readEveryPage(async (cursor) => {
        const query = { limit: PAGE_SIZE, cursor };
        const page = await call('GET', withQuery('/v1/instances', query), instancePage);
        unreadable.push(...page.unreadable);
        return page;
      });
      return { items, unreadable };
    },
    makeInstance: (request) => call('POST', '/v1/instances', instanceDetail, request),
    changeInstance: (id, change) => call('POST', instance(id, '/changes'), instanceDetail, change),
  };
}
