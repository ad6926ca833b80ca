import { nameHere } from '../lib/command-name.ts';

/** A sentence in which what stands between backticks is code. */
export function Words({ text }: { text: string }) {
  return nameHere(text)
    .split(/`([^`]+)`/)
    .map((part, index) =>
      index % 2 === 1 ? (
        <code key={index} className="rounded-sm bg-sunken px-1 text-[0.92em]">
          {part}
        </code>
      ) : (
        part
      ),
    );
}

/** What to copy of a sentence: its command when it names one, else all of it. */
export function commandIn(text: string): string {
  return /`([^`]+)`/.exec(nameHere(text))?.[1] ?? text;
}
