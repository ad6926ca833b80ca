import type { Command } from 'commander';
import {
  chainPage,
  type ChainTally,
  sayFinding,
  type SessionChain,
  tallyChains,
} from '../../../protocol/chain.ts';
import { plural } from '../../../protocol/figures.ts';
import { EXIT } from '../../failure.ts';
import { type Call, withQuery } from '../api.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { type Paint, paintFor, print, QuietFailure } from '../output.ts';
import { findSession } from '../sessions/find.ts';

type Page = { items: SessionChain[]; nextCursor: string | null };
type Query = { sessionId?: string | undefined; cursor?: string | undefined };

/** The part of the API that compares ledgers with their chains. */
export type ChainApi = { listChains(query: Query): Promise<Page> };

export function createChainApi(call: Call): ChainApi {
  return { listChains: (query) => call('GET', withQuery('/v1/chains', query), chainPage) };
}

const HELP = `
Exit code 1 when a row or a link is not what was recorded.

Examples:
  pilothouse audit verify
  pilothouse audit verify --session ses_01k… --json`;

/** `pilothouse audit verify`: whether the ledgers are what was recorded. */
export function addVerify(audit: Command): void {
  withConnection(audit.command('verify'))
    .description('compare the ledgers with the chain that each session wrote of its rows')
    .option('--session <session>', 'of one session alone')
    .addHelpText('after', HELP)
    .action(async (options: ConnectionOptions & { json?: boolean; session?: string }) => {
      const { api } = connect(options, process.env);
      const found = options.session === undefined ? null : await findSession(api, options.session);
      const chains = await readChains(api, found?.sessionId);
      const tally = tallyChains(chains);
      const value = { ...tally, holds: tally.broken.length === 0, items: chains };
      print(options.json, value, () => describeChains(tally, paintFor(process.stdout)));
      if (tally.broken.length > 0)
        throw new QuietFailure(
          EXIT.failed,
          'chain_broken',
          'The ledgers are not what was recorded.',
        );
    });
}

async function readChains(api: ChainApi, sessionId: string | undefined): Promise<SessionChain[]> {
  const chains: SessionChain[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.listChains({ sessionId, cursor });
    chains.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return chains;
}

/** What was compared and what was found. Nothing compared is said as such. */
export function describeChains(tally: ChainTally, paint: Paint): string {
  const { sessions, rows, earlier, broken } = tally;
  const older =
    earlier > 0
      ? [`${plural(earlier, 'row')} from before there were chains could not be compared.`]
      : [];
  if (sessions === 0)
    return ['Nothing to compare: no session has a chain yet.', ...older].join('\n');
  const compared = `${plural(rows, 'row')} of ${plural(sessions, 'session')}`;
  if (broken.length === 0)
    return [
      `${paint('green', 'The ledgers hold')}: ${compared} are what was recorded.`,
      ...older,
    ].join('\n');
  return [
    `${paint('red', 'The ledgers were changed')}: of ${compared}, ${plural(broken.length, 'session')} no longer hold.`,
    ...broken.flatMap(({ sessionId, sessionTitle, findings, faults }) => [
      '',
      `${sessionId}  ${oneLine(sessionTitle ?? '(its row is gone)', 60)}`,
      ...findings.map((finding) => `  ${sayFinding(finding)}`),
      ...(faults > findings.length ? [`  … and ${faults - findings.length} more`] : []),
    ]),
    '',
    ...older,
    'Keep a copy of the data directory as it is, and compare with an export or a backup.',
  ].join('\n');
}
