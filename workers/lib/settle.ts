/** Waits for all of them and throws the first fault then: one that fails cuts no other one short. */
export async function settleAll(steps: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(steps);
  const lost = settled.find(({ status }) => status === 'rejected');
  if (lost?.status === 'rejected') throw lost.reason;
}
