import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { instanceId } from '../../protocol/ids.ts';
import type { PaneQuestion } from '../../protocol/pane-question.ts';
import { terminalSession } from '../../protocol/terminal.ts';
import { Store } from '../../runner/link/store.ts';
import { QuestionDesk } from '../../runner/questions/question-desk.ts';
import { QuestionStore } from '../../runner/questions/question-store.ts';
import { readTokenKey } from '../../runner/questions/question-token.ts';
import { type HookedEngine, startingWith } from '../../runner/questions/start-agent.ts';
import { executeTerminalCall } from '../../runner/terminal/execute.ts';
import { locateAgent } from '../../runner/terminal/locate-agent.ts';
import { TerminalHouse } from '../support/terminal-house.ts';
import { until } from '../support/until.ts';

/** A real agent takes minutes to begin where others are at work. */
const LONG_MS = 200_000;
const DRIVE = { instanceId: instanceId.parse('ins_1'), callId: 'start' };

/** Real agents in panes of a real tmux, and the runner's desk that takes what they ask. */
export class AskingDesk {
  readonly house = new TerminalHouse();
  /** Where the agents work. */
  readonly work = join(this.house.directory, 'work');
  readonly home = this.house.env['HOME'] ?? '';
  readonly desk: QuestionDesk;
  readonly sent: PaneQuestion[] = [];
  now = Date.now();

  constructor(hooked: HookedEngine) {
    mkdirSync(this.work);
    const store = new Store(join(this.house.directory, 'runner.db'));
    const log = () => undefined;
    this.desk = new QuestionDesk({
      store: new QuestionStore(store, log),
      socketPath: join(this.house.root, 'ask.sock'),
      agentsRoot: join(this.house.root, 'agents'),
      key: readTokenKey(this.house.root),
      secrets: () => [],
      locate: (pids) => locateAgent(this.house.terminals, { backends: ['tmux'] }, pids),
      hooked: () => [hooked],
      send: (question) => void this.sent.push(question),
      log,
      now: () => this.now,
    });
    this.desk.start();
  }

  close(): void {
    this.desk.stop();
    this.house.close();
  }

  isMade(name: string): boolean {
    return existsSync(join(this.work, name));
  }

  /** Starts an agent as an operator's call does; answers its pane. */
  async start(name: string, argv: readonly string[]): Promise<string> {
    const { house, work } = this;
    const params = { name, argv: ['env', '-C', work, ...argv], directory: work };
    const call = { tool: 'tmux_create_session', params };
    const begin = startingWith(this.desk.hookingFor({ drive: DRIVE, rules: [] }));
    const made = await executeTerminalCall(call, house.limits, house.terminals, null, begin);
    if (!made.ok) throw new Error(made.message);
    return terminalSession.parse(made.value).panes[0]?.target ?? '';
  }

  /** The question of the agent in a pane in which some words stand. */
  asked(target: string, words: string): Promise<PaneQuestion> {
    let screen = '';
    return until(
      'the question',
      async () => {
        screen = await this.house.screen(target);
        return this.sent.find(({ permission }) => permission.input.includes(words));
      },
      { withinMs: LONG_MS, tell: () => screen },
    );
  }

  /** How a question ended. */
  ended({ id }: PaneQuestion) {
    const its = () => this.sent.find((each) => each.id === id && each.end !== null)?.end;
    return until('its end', its, { withinMs: LONG_MS });
  }

  /** Waits until a pane shows something, for as long as a loaded machine may take. */
  shows(target: string, what: RegExp): Promise<unknown> {
    let screen = '';
    const is = async () => what.test((screen = await this.house.screen(target)));
    return until(String(what), is, { withinMs: LONG_MS, tell: () => screen });
  }
}
