/**
 * `npm run bench`: what a session costs on its way from the engine to a viewer, against a bare
 * relay in the same run. Ends with 1 when anything was lost or came out of order.
 */
import { parseArgs } from 'node:util';
import { measureAdoption } from './adoption.ts';
import { measureBurst } from './burst.ts';
import { measureClosedMemory } from './closed-memory.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { measureParsers } from './parsers.ts';
import { Paths } from './paths.ts';
import { type BenchReport, describeReport } from './report.ts';

const HELP = `Usage: npm run bench -- [options] [latency] [burst] [memory] [closed] [adoption] [parsers]

Measures a real installation on this machine; without names, every part.
  latency  engine line to viewer socket at 200 a second, against a bare relay
  burst    events and deltas as fast as they go, against a bare relay
  memory   runner and workerd with and without idle sessions
  closed   what stands beside idle sessions that are kept to their model
  adoption kill -9 of the runner until sessions at work are seen again, one and many
  parsers  recorded output of each engine: its JSON alone, parsed, and redacted

Options:
  --quick  small sizes: shows that it works, and figures that are worth little
  --json   the report as JSON
  --help   this text

Ends with 1 when anything is lost or comes out of order.`;

const PARTS = ['latency', 'burst', 'memory', 'closed', 'adoption', 'parsers'] as const;
const FULL = {
  latency: { rounds: 10, perRound: 400 },
  burst: { rounds: 3, count: 100_000 },
  memory: 50,
  closed: [1, 10, 30],
  adoption: 50,
  parsers: { rounds: 5, bytes: 2_000_000 },
};
const QUICK = {
  latency: { rounds: 2, perRound: 200 },
  burst: { rounds: 1, count: 10_000 },
  memory: 5,
  closed: [1, 3],
  adoption: 5,
  parsers: { rounds: 2, bytes: 1_000_000 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function measure(): Promise<BenchReport> {
  const size = values.quick ? QUICK : FULL;
  const wants = (part: string) => positionals.length === 0 || positionals.includes(part);
  const say = (what: string) => console.error(`bench: ${what}`);
  const report: { -readonly [K in keyof BenchReport]: BenchReport[K] } = {
    latency: [],
    burst: [],
    memory: [],
    closed: [],
    adoption: [],
    parsers: [],
  };
  if (wants('latency') || wants('burst')) {
    say('starting an installation');
    const paths = await Paths.open();
    try {
      for (const content of ['events', 'deltas'] as const) {
        if (!wants('latency')) break;
        say(`latency of ${content}`);
        report.latency = [...report.latency, await measureLatency(paths, content, size.latency)];
      }
      for (const content of ['events', 'deltas'] as const) {
        if (!wants('burst')) break;
        say(`burst of ${content}`);
        report.burst = [...report.burst, await measureBurst(paths, content, size.burst)];
      }
    } finally {
      await paths.close();
    }
  }
  if (wants('memory')) {
    say(`memory with ${size.memory} sessions`);
    report.memory = [await measureMemory(size.memory)];
  }
  if (wants('closed')) {
    say(`memory beside ${size.closed.join(', ')} closed sessions`);
    report.closed = await measureClosedMemory(size.closed);
  }
  if (wants('adoption')) {
    say(`adoption of ${size.adoption} sessions`);
    report.adoption = [await measureAdoption(size.adoption)];
  }
  if (wants('parsers')) {
    say('parsers');
    report.parsers = measureParsers(size.parsers);
  }
  return report;
}

const unknown = positionals.filter((name) => !PARTS.some((part) => part === name));
if (values.help) console.log(HELP);
else if (unknown.length > 0) {
  console.error(`bench: there is no part called ${unknown.join(', ')}. --help lists them.`);
  process.exitCode = 2;
} else {
  try {
    const report = await measure();
    console.log(values.json ? JSON.stringify(report, null, 2) : describeReport(report));
  } catch (error) {
    console.error('bench: the measurement is void:', error);
    process.exitCode = 1;
  }
}
