import { type BreachView, describeBreach, undoLines } from '../../../protocol/breach.ts';
import type { BreachRow } from '../../../protocol/http.ts';
import { formatAgo, oneLine, plainText } from '../format.ts';
import type { Paint } from '../output.ts';

/** Breaches one below the other: what, by which command, what forbids it, how to undo it. */
export function describeBreaches(rows: readonly BreachRow[], nowMs: number, paint: Paint): string {
  if (rows.length === 0) return 'Nothing was done that the policy forbids.';
  return rows
    .map((row) => {
      const title = `${oneLine(row.sessionTitle, 50)}  ${row.sessionId}  ${formatAgo(row.at, nowMs)}`;
      const where = row.drive?.target
        ? [`  terminal  ${row.drive.target}, call ${row.drive.callId}`]
        : [];
      return [paint('bold', title), ...breachLines(row.sessionId, row, paint), ...where].join('\n');
    })
    .join('\n\n');
}

/** The lines of one breach. The commands are as they are, for a person to copy whole. */
export function breachLines(doerId: string, breach: BreachView, paint: Paint): string[] {
  const { actId, command, rule, undo, override } = breach;
  const { note } = undo;
  const lines = undoLines(undo);
  const word = override
    ? [paint('dim', `  answered for by ${override.actorId}: ${oneLine(override.reason, 200)}`)]
    : [`  to go on  pilothouse breaches override ${doerId} ${actId} --reason "…"`];
  return [
    `  ${paint(override ? 'dim' : 'red', plainText(describeBreach(breach)))}`,
    `  by        ${oneLine(command, 200)}`,
    `  rule      ${plainText(rule)}`,
    ...(lines.length > 0 ? ['  undo:'] : []),
    ...lines.map((each) => `    ${plainText(each)}`),
    ...(note === '' ? [] : [`  ${plainText(note)}`]),
    ...word,
  ];
}
