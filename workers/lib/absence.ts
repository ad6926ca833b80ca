/** Why nothing reaches a machine that is not there: it is away, or it may not come. */
export const codeOfAbsence = (revokedAt: number | null): 'runner_offline' | 'runner_revoked' =>
  revokedAt === null ? 'runner_offline' : 'runner_revoked';

/** Whether a refusal says that nothing reaches the machine, whatever reached it before. */
export const isAbsence = (code: string): boolean =>
  code === 'runner_offline' || code === 'runner_revoked';
