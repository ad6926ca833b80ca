import {
  type ConnectGithub,
  connectGithubRequest,
  type GithubChannel,
  githubChannel,
} from '../../../protocol/github.ts';

/** What a person asks for when connecting a repository. */
export const aConnection = (over: Partial<ConnectGithub> = {}): ConnectGithub => ({
  repository: 'octo/site',
  token: 'ghp_sentinel',
  launch: {
    runnerId: 'run_laptop',
    engineId: 'claude',
    directory: '/home/dev/site',
    budgetMicroUsd: 5_000_000,
  },
  ...over,
});

/** The connection as it is listed. */
export function aChannel(
  connection: ConnectGithub = aConnection(),
  over: Partial<GithubChannel> = {},
): GithubChannel {
  const { token: _, webhookSecret: __, ...rest } = connectGithubRequest.parse(connection);
  return githubChannel.parse({
    ...rest,
    channelId: 'ghc_1',
    webhookPath: rest.delivery === 'webhook' ? '/v1/github/webhooks/ghc_1' : null,
    polledAt: 1_000,
    fault: null,
    createdAt: 1_000,
    ...over,
  });
}
