import { queryOptions } from '@tanstack/react-query';
import { type ConnectGithub, githubChannel, githubChannelList } from '../../protocol/github.ts';
import { accepted } from '../../protocol/http.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** Everything that a connection which is made or removed changes. */
export const GITHUB_KEY = ['github'] as const;

/** The repositories whose issues start sessions, newest first, without their secrets. */
export const githubQuery = queryOptions({
  queryKey: GITHUB_KEY,
  queryFn: ({ signal }) => read(githubChannelList, api.github, { signal }),
  select: ({ items }) => items,
});

/** Connects a repository; its token goes there once and comes back never. */
export const connectGithub = (request: ConnectGithub) => send(githubChannel, api.github, request);

export const removeGithub = (channelId: string) => send(accepted, api.removeGithub(channelId));
