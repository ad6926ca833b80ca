import type { EventOf, FeedEntry, FileDiff } from './engine-event.ts';
import type { RunAct, RunApproval, RunFile } from './run-report.ts';
import { TOLD_MAX_CHARS } from './run-report.ts';
import { ActCollector } from './run-acts.ts';

/** What a report needs of a record beside its view. */
export type Collected = {
  claim: { at: number; turnId: EventOf<'text/completed'>['turnId']; text: string } | null;
  acts: RunAct[];
  files: RunFile[];
  approvals: RunApproval[];
};

/** Collects from a record, page by page, what was claimed, done, changed and answered. */
export class RunCollector {
  readonly #acts = new ActCollector();
  readonly #files = new Map<string, RunFile>();
  readonly #approvals = new Map<string, RunApproval>();
  #claim: Collected['claim'] = null;

  add(entries: readonly FeedEntry[]): void {
    for (const entry of entries) this.#entry(entry);
  }

  get collected(): Collected {
    return {
      claim: this.#claim,
      acts: this.#acts.list(),
      files: [...this.#files.values()],
      approvals: [...this.#approvals.values()],
    };
  }

  #entry({ event, at }: FeedEntry): void {
    switch (event.type) {
      case 'text/completed':
        // A subagent's words and thoughts claim nothing for the session.
        if (event.kind !== 'answer' || event.parentToolId !== null) return;
        this.#claim = { at, turnId: event.turnId, text: endOf(event.text.text) };
        return;
      case 'tool/ended':
        for (const file of event.files) this.#file(file);
        return;
      case 'act/seen':
      case 'act/ended':
      case 'act/witnessed':
        this.#acts.hear(event, at);
        return;
      case 'approval/requested': {
        const { requestId, turnId, kind, summary, acts } = event.request;
        const asked = { requestId, at, turnId, kind, summary, acts };
        this.#approvals.set(requestId, { ...asked, answer: null, resolution: null });
        return;
      }
      case 'approval/decided': {
        const { actorId, channel, answer } = event;
        const said = { decision: answer.decision, actorId, channel, at };
        this.#approval(event.requestId, { answer: said });
        return;
      }
      case 'approval/resolved':
        this.#approval(event.requestId, { resolution: event.resolution });
        return;
      default:
        return;
    }
  }

  #approval(requestId: string, learned: Partial<RunApproval>): void {
    const held = this.#approvals.get(requestId);
    if (held) this.#approvals.set(requestId, { ...held, ...learned });
  }

  #file({ path, change, additions, deletions }: FileDiff): void {
    const held = this.#files.get(path);
    this.#files.set(path, {
      path,
      // A file that this session made is new however often it is edited afterwards.
      change: held?.change === 'created' && change === 'edited' ? 'created' : change,
      additions: (held?.additions ?? 0) + additions,
      deletions: (held?.deletions ?? 0) + deletions,
    });
  }
}

/** The end of a long text: what is said last is what is claimed. */
const endOf = (text: string): string =>
  text.length <= TOLD_MAX_CHARS ? text : `…${text.slice(1 - TOLD_MAX_CHARS)}`;
