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
