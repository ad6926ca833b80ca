import { isOfPaste, type AgentBox } from '../look/agent-box.ts';

/** How often the box is looked at before it is left as it is. */
const LOOKS = 25;

export type BoxHands = {
  read(): Promise<AgentBox | null>;
  /** Ctrl-U: takes out what stands before the cursor in its line, and says yes to nothing. */
  clear(): Promise<void>;
  wait(): Promise<void>;
};

/**
 * Takes a paste that is not sent back out of an agent's box, which would take no other instruction
 * with it. Once somebody else's words stand there, nothing is taken out any more.
 */
export async function takeBack(text: string, { read, clear, wait }: BoxHands): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const box = await read();
    if (!isOfPaste(box, text)) return false;
    // What is still on its way to the box comes before the key.
    if (box === '' && look > 0) return true;
    await clear();
    await wait();
  }
  return false;
}
