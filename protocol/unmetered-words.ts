import type { SelfReported } from './drive-report.ts';
import { PLAIN_FORM } from './figure-form.ts';
import { formatMoney, formatTokens, plural, tokensOf } from './figures.ts';
import type { DriveCost } from './gate.ts';
import type { UnmeteredWork } from './http.ts';

/** What operators wrote to terminals, as a sentence: what it cost there cannot be known. */
export function describeUnmetered({ drives, aiCliDrives, instances }: UnmeteredWork): string {
  const written = `${plural(drives, 'write')} to terminals by ${plural(instances, 'operator')}`;
  const agents =
    aiCliDrives === 0
      ? ''
      : `, ${aiCliDrives === drives ? 'all' : plural(aiCliDrives, 'of them', 'of them')} where a coding agent was running`;
  return `${written}${agents}. What the programs there cost is not known, and is in no figure here.`;
}

/** What programs in terminals said of their own cost, as a sentence: nobody measured it. */
export function describeSelfReported(told: SelfReported, form = PLAIN_FORM): string {
  const { drives, microUsd, unpriced } = told;
  const short =
    unpriced === 0
      ? ''
      : `, without ${plural(unpriced, 'report', 'reports', form)} of a model that has none`;
  const cost = `${formatTokens(tokensOf(told), form)} tokens, ${formatMoney(microUsd, form)} at list prices${short}`;
  return `Coding agents in terminals wrote down ${cost}, after ${plural(drives, 'write', 'writes', form)} to them. That is their own word, without what their helper models took, and is in no figure here.`;
}

/** What one write cost, and who says so: the program itself, or nobody. */
export function describeDriveCost(cost: DriveCost, form = PLAIN_FORM): string {
  if (cost.metering === 'unmetered') return 'unmetered';
  const money = cost.microUsd === null ? 'no price known' : formatMoney(cost.microUsd, form);
  return `self-reported: ${formatTokens(cost.tokens, form)} tokens, ${money}`;
}
