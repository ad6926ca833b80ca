import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configText, type ConfigSection } from '../guard/config-text.ts';
import { LFS_FILTER } from '../lfs/filter.ts';
import type { SealPlaces } from './places.ts';
import { put, putProgram } from './put-program.ts';

const CONNECT = new URL('./gate-connect.ts', import.meta.url);
const ASK = new URL('./gate-ask.ts', import.meta.url);
const LFS = new URL('./gate-lfs.ts', import.meta.url);

/** What a session's git includes: where its only remote is now. */
export const gateConfigOf = ({ gate }: Pick<SealPlaces, 'gate'>): string => join(gate, 'config');

/** The program that asks the gate for a pull request, as `gh pr create` would be called. */
export const askProgramOf = ({ gate }: Pick<SealPlaces, 'gate'>): string => join(gate, 'ask');

/**
 * Writes where the gate is, in a file of the runner's that the checkout's configuration includes:
 * the gate may have another port after a restart, and the runner writes nothing into a checkout
 * that a session has had. git reaches it through a program that knows what to say when it is closed,
 * and so does git-lfs, where the machine has one.
 */
export function writeGateAddress(
  places: Pick<SealPlaces, 'gate'>,
  url: string,
  hasLfs: boolean,
): void {
  const { gate } = places;
  mkdirSync(gate, { recursive: true, mode: 0o700 });
  const program = join(gate, 'connect');
  putProgram(program, 'mjs', CONNECT);
  putProgram(askProgramOf(places), 'mts', ASK);
  const transfer = join(gate, 'lfs');
  if (hasLfs) putProgram(transfer, 'mts', LFS);
  put(join(gate, 'address'), url);
  // git compares with the host and the port of an address (connect.c, git_use_proxy).
  const { host } = new URL(url);
  const text = configText([
    { name: 'remote', subsection: 'origin', values: [['url', url]] },
    { name: 'core', values: [['gitProxy', `${program} for ${host}`]] },
    ...(hasLfs ? lfsSections(transfer) : []),
  ]);
  put(gateConfigOf(places), text);
}

/** git-lfs as it is set up by its own installer, with the gate in the place of a server. */
const lfsSections = (transfer: string): ConfigSection[] => [
  LFS_FILTER,
  {
    name: 'lfs',
    values: [
      ['standaloneTransferAgent', 'pilothouse'],
      // A file that is not to be had stays a pointer, and keeps no other from being checked out.
      ['skipDownloadErrors', 'true'],
      ['locksVerify', 'false'],
      // Whether a push has what it names is the gate's to say.
      ['allowIncompletePush', 'true'],
    ],
  },
  // What the gate does not have now it does not have in a second.
  {
    name: 'lfs',
    subsection: 'transfer',
    values: [
      ['maxRetries', '1'],
      ['maxRetryDelay', '1'],
    ],
  },
  {
    name: 'lfs',
    subsection: 'customtransfer.pilothouse',
    values: [
      ['path', transfer],
      ['concurrent', 'false'],
    ],
  },
];
