/** Reads JSON that somebody else wrote; undefined for a text that is none, which every schema refuses. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
