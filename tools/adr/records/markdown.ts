import { fromMarkdown } from 'mdast-util-from-markdown';

/** What this tool reads of a Markdown tree; a node of mdast is one of these. */
export type MarkdownNode = {
  type: string;
  value?: string | undefined;
  url?: string | undefined;
  /** The words of an image for whoever does not see it. */
  alt?: string | null | undefined;
  title?: string | null | undefined;
  depth?: number | undefined;
  lang?: string | null | undefined;
  checked?: boolean | null | undefined;
  ordered?: boolean | null | undefined;
  children?: MarkdownNode[] | undefined;
  position?:
    | {
        start: { line: number; column: number; offset?: number | undefined };
        end: { offset?: number | undefined };
      }
    | undefined;
};

/** Parses Markdown (CommonMark) into its tree. */
export function parseMarkdown(text: string): MarkdownNode {
  return fromMarkdown(text);
}

/** The words of a node, without its markup. */
export function textOf(node: MarkdownNode): string {
  if (node.value !== undefined) return node.value;
  return (node.children ?? []).map(textOf).join('');
}

/** A node and all that it holds, in reading order. */
export function walkMarkdown(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(walkMarkdown)];
}

export type Section = { title: string; nodes: MarkdownNode[] };

/** The sections under headings of the second level, in order; what stands before has no title. */
export function sectionsOf(root: MarkdownNode): Section[] {
  const sections: Section[] = [{ title: '', nodes: [] }];
  for (const node of root.children ?? []) {
    if (node.type === 'heading' && node.depth === 2) {
      sections.push({ title: textOf(node).trim(), nodes: [] });
    } else sections.at(-1)?.nodes.push(node);
  }
  return sections;
}
