import { formatTokens, plural } from '../format/count.ts';

const WIDTH = 88;
const HEIGHT = 20;

/** The points of a line from the first to the last value, the highest at the top. */
export function linePoints(values: readonly number[]): string {
  const top = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      const y = HEIGHT - 1 - (value / top) * (HEIGHT - 2);
      return `${Math.round(index * step * 10) / 10},${Math.round(y * 10) / 10}`;
    })
    .join(' ');
}

/**
 * How much each turn of a session read, its conversation again and what was new: a line that rises
 * is a conversation that grows. Two turns at least, or there is nothing to compare.
 */
export function Reads({ readTokens }: { readTokens: readonly number[] }) {
  const [first, last] = [readTokens[0], readTokens.at(-1)];
  if (readTokens.length < 2 || first === undefined || last === undefined)
    return <span className="text-faint">—</span>;
  const words = `${formatTokens(first)} to ${formatTokens(last)} tokens read in a turn, over ${plural(readTokens.length, 'turn')}`;
  return (
    <span className="inline-flex items-center gap-2" title={words}>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        className="text-accent"
      >
        <polyline
          points={linePoints(readTokens)}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      </svg>
      <span aria-hidden className="figure text-soft">
        {formatTokens(last)}
      </span>
    </span>
  );
}
