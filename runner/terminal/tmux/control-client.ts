import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { PilothouseError } from '../../../protocol/errors.ts';
import { ControlParser, type ControlEvent } from './control-parser.ts';
import { asLine } from './words.ts';

/** Longest that tmux may take to answer, in ms: it answers in one, so that more is a wedged server. */
const ANSWER_MS = 5_000;

export type ControlOptions = {
  /** The command line up to the command: `tmux -S …`. */
  argv: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  /** Id of the session to attach to (`$3`). */
  session: string;
  /** Whether output of its panes is wanted. */
  output: boolean;
};

type Waiting = { resolve(lines: Buffer[]): void; reject(error: Error): void };
export type OutputListener = (pane: string, data: Buffer) => void;

/**
 * A client in control mode: commands go in by lines and are answered in order, output of panes
 * comes as it is written. It never changes a size. Its stream is always read, whoever listens: a
 * client that does not read would hold up the programs in its session.
 */
export class ControlClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #parser = new ControlParser();
  readonly #waiting: Waiting[] = [];
  readonly #listeners = new Set<OutputListener>();
  readonly #notices = new Set<(name: string, rest: string) => void>();
  readonly closed: Promise<string>;
  #end: (reason: string) => void = () => undefined;
  #ended: string | null = null;
  #attached: Waiting | null = null;

  private constructor({ argv, env, session, output }: ControlOptions) {
    const flags = output ? 'ignore-size' : 'ignore-size,no-output';
    const [file, ...before] = argv;
    const words = [...before, '-u', '-C', 'attach-session', '-t', session, '-f', flags];
    this.#child = spawn(file, words, { env, stdio: 'pipe' });
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.#child.stdout.on('data', (chunk: Buffer) => {
      for (const event of this.#parser.feed(chunk)) this.#receive(event);
    });
    // A pipe that broke is told by the exit.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.resume();
    this.#child.once('error', (error) => this.#fail(error.message));
    this.#child.once('exit', () => this.#fail('the client has ended'));
  }

  /** Attaches. Throws `terminal_failed` where tmux does not let it. */
  static async attach(options: ControlOptions): Promise<ControlClient> {
    const client = new ControlClient(options);
    await client.#answered((waiting) => (client.#attached = waiting));
    return client;
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  /**
   * Gives a command. Answers its lines; throws `terminal_failed` with tmux's own words. `answered`
   * is called at the answer's own place in the stream: output before it has been heard, and none
   * after it.
   */
  run(words: readonly string[], answered?: () => void): Promise<Buffer[]> {
    const line = asLine(words);
    return this.#answered(({ resolve, reject }) => {
      const settled = (lines: Buffer[]) => {
        answered?.();
        resolve(lines);
      };
      this.#waiting.push({ resolve: settled, reject });
      this.#child.stdin.write(`${line}\n`);
    });
  }

  /** Gives commands of which tmux carries out one after the other with nothing between them. */
  runAll(commands: readonly (readonly string[])[], answered: () => void): Promise<Buffer[][]> {
    const last = commands.length - 1;
    // What arrives at once is carried out at once.
    this.#child.stdin.cork();
    const answers = commands.map((words, index) =>
      index === last ? this.run(words, answered) : this.run(words),
    );
    this.#child.stdin.uncork();
    return Promise.all(answers);
  }

  onOutput(listener: OutputListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onNotice(listener: (name: string, rest: string) => void): () => void {
    this.#notices.add(listener);
    return () => void this.#notices.delete(listener);
  }

  /** Detaches; the session stays. */
  close(): void {
    this.#fail('closed');
  }

  async #answered(ask: (waiting: Waiting) => void): Promise<Buffer[]> {
    if (this.#ended !== null) throw failed(this.#ended);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Buffer[]>((resolve, reject) => {
        timer = setTimeout(() => this.#fail('it did not answer in time'), ANSWER_MS);
        ask({ resolve, reject });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #receive(event: ControlEvent): void {
    switch (event.kind) {
      case 'output':
        for (const listener of this.#listeners) listener(event.pane, event.data);
        return;
      case 'reply': {
        // The first answer is the attaching itself, which was asked for on the command line.
        const waiting = event.own ? this.#waiting.shift() : this.#attached;
        if (!event.own) this.#attached = null;
        if (event.ok) return waiting?.resolve(event.lines);
        return waiting?.reject(failed(Buffer.concat(event.lines).toString()));
      }
      case 'notice':
        for (const listener of this.#notices) listener(event.name, event.rest);
        return;
      case 'broken':
        return this.#fail(event.reason);
      default:
        return event satisfies never;
    }
  }

  #fail(reason: string): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#child.kill('SIGTERM');
    for (const waiting of [this.#attached, ...this.#waiting.splice(0)])
      waiting?.reject(failed(reason));
    this.#end(reason);
  }
}

const failed = (detail: string): PilothouseError =>
  new PilothouseError('terminal_failed', { detail: `tmux: ${detail.trim()}` });
