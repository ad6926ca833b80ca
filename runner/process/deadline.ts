/** One moment by which several things must be over. */
export type Deadline = {
  /** What `work` comes to; throws {@link TooLate} when that is not known by then. */
  within<T>(work: Promise<T>, what: string): Promise<T>;
  /** Nothing waits any more. */
  end(): void;
};

/** `what` was not over in time. It is not ended by this. */
export class TooLate extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`${what} was not over in time`);
    this.name = 'TooLate';
    this.what = what;
  }
}

export function createDeadline(withinMs: number): Deadline {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(() => late.resolve(), withinMs);
  return {
    async within(work, what) {
      const first = await Promise.race([work.then((value) => ({ value })), late.promise]);
      if (!first) throw new TooLate(what);
      return first.value;
    },
    end: () => clearTimeout(timer),
  };
}
