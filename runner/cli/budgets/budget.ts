import { type Command, Option } from 'commander';
import {
  BUDGET_COUNTS,
  BUDGET_UNITS,
  type BudgetKey,
  type BudgetStanding,
  type BudgetVersion,
  sayAmount,
  sayBudget,
  sayRenewal,
  sayScope,
  saveBudgetRequest,
} from '../../../protocol/shared-budget.ts';
import { forecastBudget, sayForecast } from '../../../protocol/budget-forecast.ts';
import { EXIT, Failure } from '../../failure.ts';
import { formatAgo, formatTable } from '../format.ts';
import { parseDollars } from '../options.ts';
import { print } from '../output.ts';
import { MINUTES, TOKENS, TURNS } from './options.ts';
import { connectToPlace, type PlaceOptions, withPlace } from '../policy/place.ts';

type Which = PlaceOptions & { daily?: true };
type Set = Which & {
  dollars?: number;
  tokens?: number;
  turns?: number;
  minutes?: number;
  counts?: BudgetVersion['counts'];
  zone?: string;
  clear?: BudgetKey['unit'];
};

const ABOUT = `
A budget without --daily is for all time: raise it to go on. Each turn is granted a share of what
is left before it is handed over, so that sessions beside one another never get the same dollar;
one that nothing is left for is refused with budget_exhausted. Notional dollars (list prices of a
subscription) count, unless --counts paid.

Examples:
  pilothouse budget set --daily --dollars 20 --zone Europe/Berlin
  pilothouse budget set --directory ~/code/toy --daily --turns 30
  pilothouse budget set --daily --tokens 20M
  pilothouse budget set --daily --minutes 240
  pilothouse budget set --daily --clear dollars`;

/** `pilothouse budget …`: what sessions may use together. */
export function addBudget(program: Command): void {
  const budget = program
    .command('budget')
    .description('show and set what sessions may use together, by day and by repository');
  withPlace(budget.command('show'))
    .description('show every budget, what is used of it, and when it renews')
    .addHelpText('after', '\nExamples:\n  pilothouse budget show\n  pilothouse budget show --json')
    .action(runShow);
  withPlace(budget.command('set'))
    .description('save a budget as its next version; it holds from the next instruction on')
    .option('--daily', 'begins anew each day (default: never)')
    .option('--dollars <usd>', 'US dollars', parseDollars)
    .option('--tokens <count>', 'tokens however they are read, as 500k or 2M', TOKENS)
    .option('--turns <count>', 'turns', TURNS)
    .option('--minutes <minutes>', 'time that turns take, whoever they wait for', MINUTES)
    .addOption(
      new Option('--counts <which>', 'dollars that count: all, or paid').choices(BUDGET_COUNTS),
    )
    .option('--zone <zone>', 'where its day begins, as Europe/Berlin (default: UTC)')
    .addOption(new Option('--clear <unit>', 'have none any more').choices(BUDGET_UNITS))
    .addHelpText('after', ABOUT)
    .action(runSet);
  withPlace(budget.command('history'))
    .description('show what a budget was, the newest version first')
    .option('--daily', 'of the daily one')
    .addOption(new Option('--unit <unit>', 'of which one').choices(BUDGET_UNITS).default('dollars'))
    .action(runHistory);
}

async function runShow(options: PlaceOptions): Promise<void> {
  const { api, place } = await connectToPlace(options);
  const all = await api.listBudgets();
  const items = all.filter(
    ({ scope }) =>
      !place ||
      (scope.kind === 'repository' &&
        scope.runnerId === place.runnerId &&
        scope.directory === place.directory),
  );
  print(options.json, { items }, () => describe(items));
}

function describe(items: readonly BudgetStanding[]): string {
  if (items.length === 0)
    return 'There is no budget. `pilothouse budget set --daily --dollars 20` sets one.';
  const rows = items.map((budget) => [
    sayScope(budget.scope),
    sayAmount(budget.unit, budget.limit) + (budget.renews === 'daily' ? ' a day' : ' in all'),
    sayAmount(budget.unit, budget.used),
    sayAmount(budget.unit, budget.reserved),
    budget.unit !== 'dollars' ? '' : budget.counts === 'all' ? 'notional too' : 'paid alone',
    sayRenewal(budget),
  ]);
  const table = formatTable(['OF', 'LIMIT', 'USED', 'GRANTED', 'COUNTS', 'RENEWS'], rows);
  return [table, ...items.flatMap((budget) => describeForecast(budget))].join('\n');
}

function describeForecast(budget: BudgetStanding): string[] {
  const forecast = forecastBudget(budget, Date.now());
  return forecast ? [`Of ${sayBudget(budget)}: ${sayForecast(budget, forecast)}.`] : [];
}

async function runSet(options: Set): Promise<void> {
  const { clear } = options;
  const amounts = amountsOf(options);
  const given = [...amounts, ...(clear ? [clear] : [])];
  if (given.length !== 1)
    throw new Failure(
      EXIT.usage,
      'usage',
      'Name one of --dollars, --tokens, --turns, --minutes and --clear. `pilothouse budget set --help` has examples.',
    );
  const [unit, limit] = amounts[0] ?? [clear ?? 'dollars', null];
  const { api, place } = await connectToPlace(options);
  const key = { ...keyOf(place, options.daily), unit } as const;
  const [newest] = await api.listBudgetVersions(key);
  const request = saveBudgetRequest.safeParse({
    ...key,
    limit,
    counts: options.counts ?? newest?.counts ?? 'all',
    zone: options.zone ?? newest?.zone ?? 'UTC',
    basedOn: newest?.version ?? 0,
  });
  if (!request.success)
    throw new Failure(EXIT.usage, 'usage', `--zone ${request.error.issues[0]?.message}.`);
  const saved = await api.saveBudget(request.data);
  print(options.json, saved, () => `Saved version ${saved.version}: ${sayVersion(saved)}.`);
}

/** Which of the amounts were named, with their units. */
function amountsOf({ dollars, tokens, turns, minutes }: Set): [BudgetKey['unit'], number][] {
  const named = { dollars, tokens, turns, time: minutes };
  return BUDGET_UNITS.flatMap((unit): [BudgetKey['unit'], number][] => {
    const amount = named[unit];
    return amount === undefined ? [] : [[unit, amount]];
  });
}

async function runHistory(options: Which & { unit: BudgetKey['unit'] }): Promise<void> {
  const { api, place } = await connectToPlace(options);
  const key = { ...keyOf(place, options.daily), unit: options.unit };
  const items = await api.listBudgetVersions(key);
  print(options.json, { items }, () =>
    items.length === 0
      ? 'There never was such a budget.'
      : formatTable(
          ['VERSION', 'WHEN', 'BY', 'IS'],
          items.map((version) => [
            String(version.version),
            formatAgo(version.savedAt, Date.now()),
            version.savedBy === 'cli' ? 'command line' : 'console',
            sayVersion(version),
          ]),
        ),
  );
}

const sayVersion = (version: BudgetVersion): string =>
  version.limit === null
    ? `no budget in ${version.unit} any more`
    : sayBudget({ ...version, limit: version.limit });

function keyOf(place: Awaited<ReturnType<typeof connectToPlace>>['place'], daily?: true) {
  const scope = place
    ? ({ kind: 'repository', ...place } as BudgetKey['scope'])
    : { kind: 'account' as const };
  return { scope, renews: daily ? ('daily' as const) : ('never' as const) };
}
