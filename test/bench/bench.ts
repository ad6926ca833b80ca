/**
 * `npm run bench`: what a session costs on its way from the engine to a viewer, against a bare
 * relay in the same run. Ends with 1 when anything was lost or came out of order.
 */
import { parseArgs } from 'node:util';
import { measureBurst } from './burst.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { Paths } from './paths.ts';
import { type BenchReport, describeReport } from './report.ts';

const HELP = `Usage: npm run bench -- [options] [latency] [burst] [memory]

Measures a real installation on this machine; without names, all three.
  latency  engine line to viewer socket at 200 a second, against a bare relay
  burst    events and deltas as fast as they go, against a bare relay
  memory   runner and workerd with and without idle sessions

Options:
  --quick  small sizes: shows that it works, and figures that are worth little
  --json   the report as JSON
  --help   this text

Ends with 1 when anything is lost or comes out of order.`;

const PARTS = ['latency', 'burst', 'memory'] as const;
const FULL = {
  latency: { rounds: 10, perRound: 400 },
  burst: { rounds: 3, count: 100_000 },
  memory: 50,
};
const QUICK = {
  latency: { rounds: 2, perRound: 200 },
  burst: { rounds: 1, count: 10_000 },
  memory: 5,
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
