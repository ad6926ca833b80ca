import {
  githubChannel,
  githubChannelList,
  type ConnectGithub,
  type GithubChannel,
} from '../../../protocol/github.ts';
import { accepted } from '../../../protocol/http.ts';
import type { Call } from '../api.ts';

/** The part of the API that is about repositories on GitHub. */
export type GithubApi = {
  connectGithub(request: ConnectGithub): Promise<GithubChannel>;
  listGithub(): Promise<GithubChannel[]>;
  removeGithub(channelId: string): Promise<void>;
};

/** GitHub's part of a client whose requests go through `call`. */
export function createGithubApi(call: Call): GithubApi {
  const path = '/v1/github/channels';
  return {
    connectGithub: (request) => call('POST', path, githubChannel, request),
    listGithub: async () => (await call('GET', path, githubChannelList)).items,
    async removeGithub(channelId) {
      await call('POST', `${path}/${encodeURIComponent(channelId)}/remove`, accepted, {});
    },
  };
}
