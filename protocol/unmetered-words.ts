import type { SelfReported } from './drive-report.ts';
import { formatMoney, formatTokens, tokensOf } from './figures.ts';
import type { DriveCost } from './gate.ts';
import type { UnmeteredWork } from './http.ts';

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** What operators wrote to terminals, as a sentence: what it cost there cannot be known. */
export function describeUnmetered({ drives, aiCliDrives, instances }: UnmeteredWork): string {
  const written = `${counted(drives, 'write', 'writes')} to terminals by ${counted(instances, 'operator', 'operators')}`;
  const agents =
    aiCliDrives === 0
      ? ''
      : `, ${aiCliDrives === drives ? 'all' : counted(aiCliDrives, 'of them', 'of them')} where a coding agent was running`;
  return `${written}${agents}. What the programs there cost is not known, and is in no figure here.`;
}

/** What programs in terminals said of their own cost, as a sentence: nobody measured it. */
export function describeSelfReported(told: SelfReported): string {
  const { drives, microUsd, unpriced } = told;
  const short =
    unpriced === 0
      ? ''
      : `, without ${counted(unpriced, 'report', 'reports')} of a model that has none`;
  const cost = `${formatTokens(tokensOf(told))} tokens, ${formatMoney(microUsd)} at list prices${short}`;
  return `Coding agents in terminals wrote down ${cost}, after ${counted(drives, 'write', 'writes')} to them. That is their own word, without what their helper models took, and is in no figure here.`;
}

/** What one write cost, and who says so: the program itself, or nobody. */
export function describeDriveCost(cost: DriveCost): string {
  if (cost.metering === 'unmetered') return 'unmetered';
  const money = cost.microUsd === null ? 'no price known' : formatMoney(cost.microUsd);
  return `self-reported: ${formatTokens(cost.tokens)} tokens, ${money}`;
}
