import { type Command, InvalidArgumentError } from 'commander';
import type { Checkpoint, Rewound } from '../../../protocol/checkpoints.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from './find.ts';

const HELP = `
Where it may go back to: \`start\`, the number of a turn (as it left the files), or the id of a
checkpoint, from \`pilothouse sessions checkpoints\`. It is an edit: commits and branches stay, files
that git ignores are not touched, and what the files were before is a checkpoint too.

Examples:
  pilothouse sessions rewind ses_01k… --to 3
  pilothouse sessions rewind ses_01k… --to start`;

/** One session as its turns are numbered there, and its checkpoints. */
type Kept = { sessionId: string; turnIds: readonly string[]; items: readonly Checkpoint[] };

/** `pilothouse sessions checkpoints` and `rewind`: a session's files as they were once. */
export function addRewind(sessions: Command): void {
  withConnection(sessions.command('checkpoints'))
    .description('list what a session’s files can be put back to')
    .argument('<session>', 'id of a session, or a part of it')
    .action(async (text: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const kept = await readKept(api, text);
      print(options.json, { items: kept.items }, () => describeKept(kept, Date.now()));
    });
  withConnection(sessions.command('rewind'))
    .description('put a session’s files back to how they were')
    .argument('<session>', 'id of a session, or a part of it')
    .requiredOption('--to <place>', '`start`, the number of a turn, or a checkpoint', parsePlace)
    .addHelpText('after', HELP)
    .action(async (text: string, { to, ...options }: ConnectionOptions & { to: string }) => {
      const { api } = connect(options, process.env);
      const kept = await readKept(api, text);
      const result = await api.rewind(kept.sessionId, { tree: treeOf(kept, to) });
      print(options.json, result, () => describeRewound(result));
    });
}

async function readKept(api: ReturnType<typeof connect>['api'], text: string): Promise<Kept> {
  const { sessionId } = await findSession(api, text);
  const [{ view }, { items }] = await Promise.all([
    api.readSession(sessionId),
    api.listCheckpoints(sessionId),
  ]);
  return { sessionId, turnIds: view.turns.map(({ turnId }) => turnId), items };
}

function parsePlace(text: string): string {
  if (/^(start|[1-9]\d{0,5}|[0-9a-f]{7,64})$/.test(text)) return text;
  throw new InvalidArgumentError('Say `start`, the number of a turn, or the id of a checkpoint.');
}

/** The newest checkpoint that a person means. Throws `checkpoint_not_found`. Pure. */
export function treeOf({ turnIds, items }: Pick<Kept, 'turnIds' | 'items'>, to: string): string {
  const found = items.find(({ kind, turnId, tree }) => {
    if (to === 'start') return kind === 'start';
    if (to.length < 7) return turnId !== null && turnIds[Number(to) - 1] === turnId;
    return tree.startsWith(to);
  });
  if (found) return found.tree;
  throw new Failure(EXIT.refused, 'checkpoint_not_found', ERRORS.checkpoint_not_found.sentence);
}

function describeKept({ turnIds, items }: Kept, nowMs: number): string {
  if (items.length === 0) return 'Nothing is kept of its files yet: they are kept after each turn.';
  const words = ({ kind, turnId }: Checkpoint): string => {
    if (kind === 'start') return 'where it began';
    if (kind === 'rewind') return 'before the files were put back';
    const turn = turnId === null ? 0 : turnIds.indexOf(turnId) + 1;
    return turn === 0 ? 'after a turn' : `after turn ${turn}`;
  };
  const rows = items.map((item) => [
    item.tree.slice(0, 12),
    formatAgo(item.at, nowMs),
    words(item),
  ]);
  return formatTable(['CHECKPOINT', 'WHEN', 'FILES AS THEY WERE'], rows);
}

const describeRewound = ({ files, was }: Rewound): string =>
  files === 0
    ? 'The files are as they were then: nothing was changed.'
    : `${files} ${files === 1 ? 'file was' : 'files were'} changed. The engine was not told: say it with the next instruction.\nTake it back with --to ${was.slice(0, 12)}.`;
