import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { PolicyScope } from '../../../protocol/merge-policy.ts';
import { type PolicyVersion } from '../../../protocol/policy-http.ts';
import type { Api } from '../api.ts';
import { connectToRunner, type CheckoutOptions } from '../checkouts/read.ts';
import { connect } from '../connect.ts';
import { withConnection, withDirectory } from '../options.ts';

export type PlaceOptions = CheckoutOptions & { directory?: string };
export type Place = { runnerId: string; directory: string } | null;

/** Gives a command the options that name what a policy is of. */
export function withPlace(command: Command): Command {
  return withDirectory(
    withConnection(command),
    'of launches in this repository (default: of all launches)',
  ).option('--runner <runner>', 'machine of the directory: its id or name (default: this one)');
}

/**
 * The instance, and the directory of a machine that is meant; null is the whole account. `isHere`:
 * this machine is one that it holds for.
 */
export async function connectToPlace(
  options: PlaceOptions,
): Promise<{ api: Api; place: Place; isHere: boolean }> {
  if (options.directory === undefined)
    return { api: connect(options, process.env).api, place: null, isHere: true };
  const { api, runner, localRunnerId } = await connectToRunner(options);
  const isHere = runner.runnerId === localRunnerId;
  return {
    api,
    isHere,
    place: { runnerId: runner.runnerId, directory: resolve(options.directory) },
  };
}

/** A scope as a person calls it. */
export function nameScope(scope: PolicyScope): string {
  switch (scope.kind) {
    case 'account':
      return 'all launches';
    case 'repository':
      return scope.directory;
    case 'session':
      return `session ${scope.sessionId}`;
    default:
      return scope satisfies never;
  }
}

/** What one version says, on one line. */
export function describeVersion({ part, widens }: PolicyVersion): string {
  const said = Object.entries(part).map(([key, value]) =>
    Array.isArray(value) ? `${key} (${value.length})` : `${key} ${String(value)}`,
  );
  const what = said.length === 0 ? 'nothing of its own' : said.join(', ');
  return widens === null ? what : `${what}; may say more: ${widens}`;
}
