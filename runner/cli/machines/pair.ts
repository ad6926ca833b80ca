import { hostname } from 'node:os';
import type { Command } from 'commander';
import { claimedPairing } from '../../../protocol/pairing.ts';
import { EXIT, Failure } from '../../failure.ts';
import { readIdentity } from '../../host/instance.ts';
import { type DataLayout, dataDirectoryOf, layoutOf } from '../../host/layout.ts';
import { readPairing, writePairing } from '../../pairing.ts';
import { parseAnswer, refusal, send } from '../api.ts';
import { readSecret } from '../brain-keys/read-secret.ts';
import { note, print } from '../output.ts';

const CODE = {
  variable: 'PILOTHOUSE_PAIRING_CODE',
  what: 'pairing code',
  command: 'pilothouse runner pair ADDRESS',
};
const CLAIM = '/v1/pairings/claim';
/** Longest that the answer may take, in ms. */
const ANSWER_MS = 30_000;

const ABOUT = `
“Pair a machine” in the console, or \`pilothouse runner invite\`, gives the address and the code. The
code is asked for here, or read from a pipe or from ${CODE.variable}: never from an argument.

Example:
  pilothouse runner pair https://laptop.example.ts.net`;

type PairOptions = { name: string; data?: string; json?: true };

/** `pilothouse runner pair`: lets this machine run sessions of a Pilothouse elsewhere. */
export function addPair(runner: Command): void {
  runner
    .command('pair')
    .description('let this machine run sessions for the Pilothouse at an address')
    .argument('<address>', 'address of the console, such as https://laptop.example.ts.net')
    .option('--name <name>', 'what this machine is called there', hostname())
    .option('--data <directory>', 'data directory for its sessions')
    .option('--json', 'print JSON, errors included')
    .addHelpText('after', ABOUT)
    .action(async (address: string, options: PairOptions) => {
      const url = parseAddress(address);
      const layout = layoutOf(dataDirectoryOf(options.data, process.env));
      const known = whoIs(layout, url);
      const code = await readSecret(process.env, process.stdin, note, CODE);
      const body = { code, name: options.name, runnerId: known };
      const response = await send(url, '', 'POST', CLAIM, body, AbortSignal.timeout(ANSWER_MS));
      const text = await response.text();
      if (!response.ok) throw refusal(response.status, text);
      const { runnerId, token } = parseAnswer(claimedPairing, text, CLAIM);
      writePairing(layout, { url, runnerId, token });
      const start = `pilothouse runner start${options.data ? ` --data ${options.data}` : ''}`;
      print(options.json, { runnerId, url, name: options.name }, () =>
        [
          `This machine is paired with ${url} as ${options.name} (${runnerId}).`,
          `Start it with \`${start}\`. What sessions may do here is said in limits.toml, and nowhere else.`,
        ].join('\n'),
      );
    });
}

function parseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Failure(
    EXIT.usage,
    'usage',
    'Give the address of the console with http:// or https://, as the browser shows it.',
  );
}

/** As whom a directory is paired with this address already; null for nobody. */
function whoIs(layout: DataLayout, url: string): string | null {
  const paired = readPairing(layout);
  const where = paired?.url ?? null;
  if (readIdentity(layout.identityFile).runnerId === null && (where === null || where === url))
    return paired?.runnerId ?? null;
  throw new Failure(
    EXIT.refused,
    'data_in_use',
    `${layout.root} holds the sessions of ${where ?? 'the Pilothouse that runs on this machine'}, and one directory is of one instance. Pair into another one: --data ${layout.root}-2.`,
  );
}
