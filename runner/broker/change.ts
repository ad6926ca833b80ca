import type { PolicyMode } from '../../protocol/merge-policy.ts';
import { writeBody } from './body.ts';
import { type BranchFacts, sayBaseFault } from './decide.ts';
import type { ChangeAsk } from './forge-ask.ts';
import type { ForgeAccess, ForgeAnswer } from './github.ts';
import type { PullRequest } from './open.ts';
import { commentOn, editPull, readPull } from './pulls.ts';
import { reachForge, type Reach } from './reach.ts';
import { findWhich, type OwnWork } from './which.ts';

/** What a change is judged by, and what the machine has to make it. */
export type Changer = Reach & {
  mode: PolicyMode;
  facts(): Promise<BranchFacts>;
  work(): Promise<OwnWork>;
  /** Takes the session's secrets out of its words. */
  redact(text: string): string;
};

/**
 * Decides whether a session may write on a pull request: where the policy lets it open any, and on
 * one that it opened. Null is no objection. Pure.
 */
export function judgeChange(
  number: number,
  opened: readonly number[],
  mode: PolicyMode,
): string | null {
  if (mode === 'none')
    return 'the policy lets this session open no pull requests, and write on none; tell the person what to say there';
  if (opened.includes(number)) return null;
  const own =
    opened.length === 0
      ? 'it has opened none'
      : `it opened ${opened.map((each) => `#${each}`).join(', ')}`;
  return `this session did not open #${number}, and writes on those alone that it opened (${own}); tell the person what to say there`;
}

/** Changes a pull request of a session's own, or writes a comment there; nothing else is done. */
export async function changePullRequest(ask: ChangeAsk, changer: Changer): Promise<PullRequest> {
  const { mode, redact } = changer;
  const [work, facts] = [await changer.work(), await changer.facts()];
  const refuse = (reason: string, by: PullRequest['by'] = 'policy', number: number | null = null) =>
    told(ask, { outcome: 'not_done', by, reason, number });
  if (ask.do === 'edit' && ask.title === null && ask.body === null && ask.base === null)
    return refuse('say what to change: --title, --body or --base');
  if (mode === 'none') return refuse(judgeChange(0, [], mode) ?? '');
  const reached = await reachForge(changer, ask.repository);
  if (!reached.ok) return refuse(reached.reason);
  const { forge } = reached;
  const which = await findWhich(ask, work, forge);
  if (which.kind !== 'ok')
    return refuse(which.reason, which.kind === 'silent' ? 'forge' : 'policy');
  const number = which.value;
  const fault = judgeChange(number, work.opened, mode);
  if (fault !== null) return refuse(fault, 'policy', number);
  const pull = await readPull(forge, number);
  if (pull.kind === 'late') return refuse(pull.reason, 'policy', number);
  if (pull.kind !== 'ok') return refuse(`${forge.host}: ${pull.reason}`, 'forge', number);
  const head = pull.value.head.ref;
  if (ask.do === 'edit' && ask.base !== null) {
    const baseFault = sayBaseFault(head, ask.base, facts);
    if (baseFault !== null) return refuse(baseFault, 'policy', number);
  }
  const answer = await write(ask, forge, number, redact);
  if (answer.kind === 'ok')
    return told(ask, {
      outcome: 'done',
      by: 'forge',
      reason: null,
      number,
      head,
      url: answer.value,
    });
  if (answer.kind === 'late') return refuse(answer.reason, 'policy', number);
  const { host } = forge;
  if (answer.kind === 'refused') return refuse(`${host}: ${answer.reason}`, 'forge', number);
  const reason = `${host}: ${answer.reason}, so that it is not known whether it was written; gh pr view ${number} --comments shows it if it was`;
  return told(ask, { outcome: 'unknown', by: 'forge', reason, number, head });
}

async function write(
  ask: ChangeAsk,
  forge: ForgeAccess,
  number: number,
  redact: (text: string) => string,
): Promise<ForgeAnswer<string>> {
  const answer =
    ask.do === 'comment'
      ? await commentOn(forge, number, writeBody(redact(ask.body), 'agent', 'Written'))
      : await editPull(forge, number, {
          ...(ask.title !== null && { title: redact(ask.title) }),
          ...(ask.body !== null && { body: writeBody(redact(ask.body)) }),
          ...(ask.base !== null && { base: ask.base }),
        });
  return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.html_url } : answer;
}

function told(
  ask: ChangeAsk,
  said: Pick<PullRequest, 'outcome' | 'by' | 'reason'> & {
    number: number | null;
    head?: string;
    url?: string;
  },
): PullRequest {
  const { number, head = null, url = null, ...rest } = said;
  const base = ask.do === 'edit' ? ask.base : null;
  return { head, base, ...rest, url, change: { kind: ask.do, number } };
}
