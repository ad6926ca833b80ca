import { connectGithubRequest, type GithubChannel, githubChannel } from '../../protocol/github.ts';

/** Connections of the stand-in account, as they are listed: their secrets are nowhere. */
export class MockGithub {
  channels: GithubChannel[] = [];

  /** Answers what is asked of connections; null for what is not. */
  answer(method: string, path: string, body: unknown, nowMs: number): unknown {
    const removed = /^\/v1\/github\/channels\/(\w+)\/remove$/.exec(path)?.[1];
    if (removed !== undefined) {
      this.channels = this.channels.filter(({ channelId }) => channelId !== removed);
      return { accepted: true };
    }
    if (path !== '/v1/github/channels') return null;
    if (method === 'GET') return { items: this.channels };
    const { token: _, webhookSecret: __, ...asked } = connectGithubRequest.parse(body);
    const channelId = `ghc_${this.channels.length + 1}`;
    const channel = githubChannel.parse({
      ...asked,
      channelId,
      webhookPath: asked.delivery === 'webhook' ? `/v1/github/webhooks/${channelId}` : null,
      polledAt: nowMs,
      fault: null,
      createdAt: nowMs,
    });
    this.channels = [channel, ...this.channels];
    return channel;
  }
}
