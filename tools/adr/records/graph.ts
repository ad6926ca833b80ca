import type { DecisionRecord } from './record.ts';

export type RecordGraph = {
  nodes: { id: string; title: string; status: string; path: string }[];
  edges: { from: string; to: string; kind: 'supersedes' | 'links' }[];
};

/** The records and how they are connected: who replaced whom, and who links to whom. */
export function graphOf(records: readonly DecisionRecord[]): RecordGraph {
  const edges: RecordGraph['edges'] = [];
  for (const record of records) {
    for (const id of record.supersedes) edges.push({ from: record.id, to: id, kind: 'supersedes' });
    const linked = records.filter(
      (other) =>
        other !== record &&
        record.links.some((link) =>
          link.url.split('#')[0]?.endsWith(other.path.split('/').at(-1) ?? ''),
        ),
    );
    for (const other of linked) {
      if (record.supersedes.includes(other.id) || record.supersededBy.includes(other.id)) continue;
      edges.push({ from: record.id, to: other.id, kind: 'links' });
    }
  }
  const nodes = records.map(({ id, title, status, path }) => ({ id, title, status, path }));
  return { nodes, edges };
}

/** Without what would end a quoted label in either language. */
const label = (text: string): string => text.replaceAll(/["\\\n[\]<>]/g, "'");

/** The graph as Mermaid draws it. */
export function toMermaid({ nodes, edges }: RecordGraph): string {
  return [
    'flowchart TD',
    ...nodes.map((node) => `  adr${node.id}["${node.id} ${label(node.title)}<br/>${node.status}"]`),
    ...edges.map((edge) =>
      edge.kind === 'supersedes'
        ? `  adr${edge.from} -->|supersedes| adr${edge.to}`
        : `  adr${edge.from} -.-> adr${edge.to}`,
    ),
  ].join('\n');
}

/** The graph as Graphviz draws it. */
export function toDot({ nodes, edges }: RecordGraph): string {
  return [
    'digraph decisions {',
    '  node [shape=box];',
    ...nodes.map(
      (node) => `  "${node.id}" [label="${node.id} ${label(node.title)}\\n${node.status}"];`,
    ),
    ...edges.map((edge) =>
      edge.kind === 'supersedes'
        ? `  "${edge.from}" -> "${edge.to}" [label="supersedes"];`
        : `  "${edge.from}" -> "${edge.to}" [style=dashed];`,
    ),
    '}',
  ].join('\n');
}
