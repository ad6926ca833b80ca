import { type Command, Option } from 'commander';
import {
  BRAIN_BASE_URLS,
  BRAIN_PROVIDERS,
  needsAddress,
  type BrainKey,
  type BrainProvider,
  isBrainUrl,
} from '../../../protocol/brain-keys.ts';
import {
  OWN_PRICE_FORM,
  type OwnPrice,
  parseOwnPrice,
  sayOwnPrice,
} from '../../../protocol/own-price.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { note, print } from '../output.ts';
import { findBrainKey } from './find.ts';
import { BRAIN_KEY_VARIABLE, readSecret } from './read-secret.ts';

type AddOptions = ConnectionOptions & { provider: BrainProvider; url?: string; price?: string };

const ADD_HELP = `
The key is never an argument, because every user of a machine can read the arguments of its
processes. It is read from ${BRAIN_KEY_VARIABLE}, else from standard input, else asked for unseen.

Examples:
  pilothouse brain-keys add work --provider anthropic < key.txt
  pilothouse brain-keys add edge --provider workers-ai \\
    --url https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai/v1 < token.txt
  pilothouse brain-keys add local --provider openai-compatible --url http://127.0.0.1:8000/v1 \\
    --price 0
  pilothouse brain-keys price edge 0.29/2.25`;

/** How a price is typed, as it stands in the help. */
const PRICE = OWN_PRICE_FORM.toLowerCase();

/** `pilothouse brain-keys …`: keys of model APIs with which a Pilot may decide. */
export function addBrainKeys(program: Command): void {
  const keys = program
    .command('brain-keys')
    .description('keep keys of model APIs, with which a Pilot may decide; no machine gets them');
  withConnection(keys.command('add'))
    .description('keep a key, encrypted; it is shown to nobody again')
    .argument('<name>', 'what you call it')
    .addOption(
      new Option('--provider <provider>', 'whose form of requests the API takes')
        .choices(BRAIN_PROVIDERS)
        .makeOptionMandatory(),
    )
    .option('--url <address>', 'root of the API (default: the provider’s own)')
    .option(`--price <${PRICE}>`, 'what its models cost, in dollars for a million tokens')
    .addHelpText('after', ADD_HELP)
    .action(runAdd);
  withConnection(keys.command('list'))
    .description('list the keys, newest first, without their secrets')
    .action(async (options: ConnectionOptions) => {
      const items = await connect(options, process.env).api.listBrainKeys();
      print(options.json, { items }, () => describeKeys(items, Date.now()));
    });
  withConnection(keys.command('price'))
    .description('say what the models of a key cost, so that budgets can count them')
    .argument('<key>', 'its id or its name')
    .argument(`<${PRICE}>`, 'dollars for a million tokens, 0 for free, or `list` for list prices')
    .action(async (wanted: string, typed: string, options: ConnectionOptions) => {
      const price = typed === 'list' ? null : priceOf(typed);
      const { api } = connect(options, process.env);
      const { keyId } = findBrainKey(await api.listBrainKeys(), wanted);
      const priced = await api.priceBrainKey(keyId, price);
      print(
        options.json,
        priced,
        () => `${oneLine(priced.name, 40)}, ${keyId}: ${describePrice(priced)}.`,
      );
    });
  withConnection(keys.command('remove'))
    .description('forget a key; a Pilot that decides with it asks a person')
    .argument('<key>', 'its id or its name')
    .action(async (wanted: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { keyId, name } = findBrainKey(await api.listBrainKeys(), wanted);
      await api.removeBrainKey(keyId);
      print(
        options.json,
        { keyId, removed: true },
        () => `Removed ${oneLine(name, 40)}, ${keyId}.`,
      );
    });
}

async function runAdd(name: string, options: AddOptions): Promise<void> {
  const { provider, url, price } = options;
  if (url !== undefined && !isBrainUrl(url))
    throw new Failure(
      EXIT.usage,
      'usage',
      'Give --url an https:// address without a name or a query; http:// only on loopback.',
    );
  if (url === undefined && needsAddress(provider))
    throw new Failure(
      EXIT.usage,
      'usage',
      `Give --url with the id of your account: ${BRAIN_BASE_URLS[provider]}`,
    );
  const { api } = connect(options, process.env);
  const secret = await readSecret(process.env, process.stdin, (asked) => {
    note(asked);
  });
  const added = await api.addBrainKey({
    name,
    provider,
    secret,
    ...(url !== undefined && { baseUrl: url }),
    ...(price !== undefined && { price: priceOf(price) }),
  });
  print(options.json, added, () =>
    [
      `Kept ${oneLine(added.name, 40)} as ${added.keyId}, encrypted. It goes to ${added.baseUrl} alone.`,
      `Launch with it: pilothouse launch --mode pilot --checklist FILE --brain api --brain-key ${added.keyId} --brain-model MODEL "…"`,
    ].join('\n'),
  );
}

/** Throws a {@link Failure} where it is no price. */
function priceOf(typed: string): OwnPrice {
  const price = parseOwnPrice(typed);
  if (price) return price;
  const message = `Give the price as ${OWN_PRICE_FORM}, in dollars for a million tokens, such as 0.15/0.60; or 0.`;
  throw new Failure(EXIT.usage, 'usage', message);
}

const describePrice = ({ price }: Pick<BrainKey, 'price'>): string =>
  price ? sayOwnPrice(price) : 'list prices';

function describeKeys(keys: readonly BrainKey[], nowMs: number): string {
  if (keys.length === 0)
    return 'No key is kept. Add one with: pilothouse brain-keys add NAME --provider PROVIDER';
  return formatTable(
    ['KEY', 'NAME', 'PROVIDER', 'ADDRESS', 'ADDED', 'PRICES'],
    keys.map(({ keyId, name, provider, baseUrl, createdAt, price }) => [
      keyId,
      oneLine(name, 30),
      provider,
      oneLine(baseUrl, 50),
      formatAgo(createdAt, nowMs),
      describePrice({ price }),
    ]),
  );
}
