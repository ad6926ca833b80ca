import type { Line, Output } from './output.ts';

type Block = { type?: string; text?: string; name?: string; input?: unknown; content?: unknown };

/** What a line of the protocol says, for eyes; an empty text says nothing. */
export function tellLine(line: Line): string {
  switch (line['type']) {
    case 'assistant':
      return blocksOf(line).map(tellBlock).join('');
    case 'user':
      return blocksOf(line)
        .filter((block) => block.type === 'tool_result')
        .map((block) => (typeof block.content === 'string' ? `${block.content}\n` : ''))
        .join('');
    case 'control_request': {
      const request = line['request'] as { tool_name?: string; input?: unknown } | undefined;
      return `Allow ${request?.tool_name ?? 'this'} ${JSON.stringify(request?.input ?? {})}? [y/n]\n`;
    }
    default:
      return '';
  }
}

function blocksOf(line: Line): Block[] {
  const { content } = (line['message'] ?? {}) as { content?: unknown };
  return Array.isArray(content) ? (content as Block[]) : [];
}

function tellBlock(block: Block): string {
  if (block.type === 'text') return `${block.text ?? ''}\n`;
  if (block.type === 'tool_use') return `* ${block.name} ${JSON.stringify(block.input ?? {})}\n`;
  return '';
}

/** Shows on a terminal in raw mode what would be written as protocol to a supervisor. */
export function createScreenOutput(stream: NodeJS.WritableStream): Output {
  const text = async (raw: string) => {
    if (raw !== '') stream.write(raw.replaceAll('\n', '\r\n'));
  };
  return { text: (raw) => text(`${raw}\n`), line: (line) => text(tellLine(line)) };
}
