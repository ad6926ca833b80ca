/**
 * Parses `lsof -Fpn`: one field a line, `p<pid>` before the `n<path>` of its files
 * (lsof(8), "Output for other programs").
 */
export function parseProcessFiles(output: string): { pid: number; path: string }[] {
  const files: { pid: number; path: string }[] = [];
  let pid = 0;
  for (const line of output.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    else if (line.startsWith('n') && pid > 0) files.push({ pid, path: line.slice(1) });
  }
  return files;
}
