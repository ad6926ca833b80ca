import type { Command } from 'commander';
import { formatBytes } from '../../../protocol/bytes.ts';
import type { CheckoutFacts } from '../../../protocol/checkout.ts';
import { formatAgo, formatTable, oneLine, plainText } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { connectToRunner, listEveryCheckout, type CheckoutOptions } from './read.ts';

const ABOUT = `
A checkout is open while its session is not over, safe when nothing would be lost with it, and
unsaved when work would be. Those that are safe go by themselves 30 days after their engine last
started.

Examples:
  pilothouse checkouts list
  pilothouse checkouts list --runner build-server --json`;

/** `pilothouse checkouts list`: what lies on a machine's disk, and what may go. */
export function addListCheckouts(checkouts: Command): void {
  withConnection(checkouts.command('list'))
    .description('list checkouts with their size, age and what removing each would lose')
    .option('--runner <runner>', 'machine to look at: its id or name (default: this one)')
    .addHelpText('after', ABOUT)
    .action(async (options: CheckoutOptions) => {
      const { api, runner } = await connectToRunner(options);
      const items = await listEveryCheckout(api, runner.runnerId);
      print(options.json, { items, nextCursor: null }, () => describe(items, Date.now()));
    });
}

function describe(checkouts: readonly CheckoutFacts[], nowMs: number): string {
  if (checkouts.length === 0) return 'No session has a checkout on this machine.';
  const table = formatTable(
    ['SESSION', 'STATE', 'SIZE', 'STARTED', 'BRANCH', 'REPOSITORY'],
    checkouts.map((checkout) => [
      checkout.sessionId,
      checkout.standing,
      sizeOf(checkout.bytes),
      formatAgo(checkout.startedAt, nowMs),
      oneLine(checkout.branch, 40),
      oneLine(checkout.repository, 60),
    ]),
  );
  return [table, ...describeLosses(checkouts), '', summaryOf(checkouts)].join('\n');
}

function describeLosses(checkouts: readonly CheckoutFacts[]): string[] {
  const unsaved = checkouts.filter(({ standing }) => standing === 'unsaved');
  if (unsaved.length === 0) return [];
  return [
    '',
    'Would be lost:',
    ...unsaved.flatMap(({ sessionId, losses, directory }) => [
      `  ${sessionId}: ${plainText(losses.join(' '))}`,
      `    ${plainText(directory)}`,
    ]),
  ];
}

function summaryOf(checkouts: readonly CheckoutFacts[]): string {
  const safe = checkouts.filter(({ standing }) => standing === 'safe');
  const what = checkouts.length === 1 ? '1 checkout' : `${checkouts.length} checkouts`;
  const all = `${what}, ${totalSize(checkouts)}.`;
  if (safe.length === 0) return `${all} None of them may go now.`;
  return `${all} ${safe.length} may go, ${totalSize(safe)}: pilothouse checkouts remove --all`;
}

/** The size of one checkout, in words where it took too long to measure. */
export const sizeOf = (bytes: number | null): string =>
  bytes === null ? 'not measured' : formatBytes(bytes);

/** What some checkouts hold together; at least so much where one could not be measured. */
export function totalSize(checkouts: readonly { bytes: number | null }[]): string {
  const sum = checkouts.reduce((total, { bytes }) => total + (bytes ?? 0), 0);
  const whole = checkouts.every(({ bytes }) => bytes !== null);
  return whole ? formatBytes(sum) : `at least ${formatBytes(sum)}`;
}
