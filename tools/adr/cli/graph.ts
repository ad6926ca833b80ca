import { type Command, Option } from 'commander';
import { graphOf, toDot, toMermaid } from '../records/graph.ts';
import { type CommonOptions, load, print, withCommon } from './output.ts';

/** `adr graph`: how the records are connected. */
export function addGraph(program: Command): void {
  withCommon(program.command('graph'))
    .description('draw the records and how they follow each other, as Mermaid or DOT')
    .addOption(
      new Option('--as <language>', 'what to draw in')
        .choices(['mermaid', 'dot'])
        .default('mermaid'),
    )
    .action((options: CommonOptions & { as: 'mermaid' | 'dot' }) => {
      const graph = graphOf(load(options).records);
      print(options.json, graph, () => (options.as === 'dot' ? toDot(graph) : toMermaid(graph)));
    });
}
