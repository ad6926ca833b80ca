/** From this share on a budget is about to stop work. */
const NEAR = 0.8;

/** The colour of a bar that shows how much of a budget is used, from 0 to 1. */
export function toneOf(share: number): string {
  if (share >= 1) return 'bg-red';
  return share >= NEAR ? 'bg-amber' : 'bg-accent';
}
