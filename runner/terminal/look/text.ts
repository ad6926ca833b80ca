import { stripVTControlCharacters } from 'node:util';
import { TERMINAL_OUTPUT_MAX, type TerminalText } from '../../../protocol/terminal.ts';

/** Text for whoever asked, its end kept: what is newest is what is asked about. */
export function capText(text: string, maxChars = TERMINAL_OUTPUT_MAX): TerminalText {
  const omitted = Math.max(0, text.length - maxChars);
  return { text: omitted === 0 ? text : text.slice(omitted), omitted };
}

/** A capture without the empty lines below the last one that has something. */
export const trimScreen = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

/** Lines that hold `search`, each with its number from the top. */
export function searchLines(text: string, search: string): string {
  return text
    .split('\n')
    .flatMap((line, index) => (line.includes(search) ? [`${index + 1}: ${line}`] : []))
    .join('\n');
}

/** What a program wrote, as lines for reading: without colours, and as a carriage return left them. */
export function readableOutput(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString('utf8'))
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n')
    .trimEnd();
}
