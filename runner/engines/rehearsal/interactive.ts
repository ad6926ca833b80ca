import { clearLine, cursorTo, emitKeypressEvents } from 'node:readline';
import { type Conversation, interruptTurn } from './conversation.ts';
import type { Script } from './script.ts';
import { playTurn } from './turn.ts';

type Key = { name?: string; sequence?: string; ctrl?: boolean };

/** Tells a terminal to mark what is pasted, so that its line ends send nothing (xterm, mode 2004). */
const MARK_PASTES = `${String.fromCharCode(27)}[?2004h`;
/** What a full-screen program asks for: the other screen, the mouse, its own cursor and keys. */
const PAINT = ['?1049h', '?1000h', '?1006h', '?1h', '?25l', '?7l', '5;10r', '1;31m']
  .map((mode) => `${String.fromCharCode(27)}[${mode}`)
  .join('');
/** Of a long line its end is shown. */
const SHOWN_CHARS = 40;

/**
 * The rehearsal as a person drives it in a terminal: every key reaches it, a line begins a turn
 * of the same conversation, Escape interrupts or clears.
 */
export async function converse(
  conversation: Conversation,
  script: Script,
  stateDirectory: string,
): Promise<never> {
  const { stdin, stdout } = process;
  let typed = '';
  let last = '';
  let pasting = false;
  let playing = false;

  const say = (text: string) => stdout.write(`${text}\r\n`);
  const draw = () => {
    if (playing) return;
    cursorTo(stdout, 0);
    clearLine(stdout, 0);
    const hidden = typed.length > SHOWN_CHARS ? `(${typed.length} characters) ` : '';
    stdout.write(`> ${hidden}${typed.slice(-SHOWN_CHARS).replaceAll(/\s/g, ' ')}`);
  };
  const play = async (text: string) => {
    playing = true;
    say('');
    say(`You said ${text.length} characters.`);
    await playTurn(conversation, script, { uuid: null, content: text }, stateDirectory);
    playing = false;
    say(`Turn ${conversation.transcript.turns} is over.`);
    draw();
  };
  const flood = async (kilobytes: number) => {
    playing = true;
    for (let line = 1; line <= kilobytes * 16; line++) {
      const more = stdout.write(`${String(line).padStart(10)} ${'~'.repeat(51)}\r\n`);
      if (!more) await new Promise((resolve) => stdout.once('drain', resolve));
    }
    playing = false;
    say('The flood is over.');
    draw();
  };
  const enter = () => {
    const text = typed;
    typed = '';
    if (text.trim() === '') return draw();
    last = text;
    const kilobytes = /^\/flood (\d{1,6})$/.exec(text)?.[1];
    if (text === '/exit') process.exit(0);
    if (text === '/paint') return void say(`${PAINT}Painted.`);
    void (kilobytes ? flood(Number(kilobytes)) : play(text));
  };
  const answer = (behavior: 'allow' | 'deny') => {
    for (const give of conversation.waiting.values()) give({ behavior });
  };
  const escape = () => {
    if (playing) return interruptTurn(conversation);
    typed = '';
    say(' Cleared.');
    draw();
  };
  const press = (text: string | undefined, key: Key) => {
    if (key.name === 'paste-start' || key.name === 'paste-end') {
      pasting = key.name === 'paste-start';
      return draw();
    }
    if (pasting) return void (typed += text ?? key.sequence ?? '');
    if (key.ctrl && key.name === 'd') process.exit(0);
    if (key.name === 'escape' || (key.ctrl && key.name === 'c')) return escape();
    if (playing && (text === 'y' || text === 'n')) return answer(text === 'y' ? 'allow' : 'deny');
    if (key.name === 'return' || key.name === 'enter') return enter();
    if (key.name === 'up') typed = last;
    else if (key.name === 'backspace') typed = typed.slice(0, -1);
    else if (text && !key.ctrl) typed += text;
    draw();
  };

  stdin.setRawMode(true);
  emitKeypressEvents(stdin);
  stdin.on('keypress', press);
  stdin.on('end', () => process.exit(0));
  stdout.on('resize', () => {
    say(` ${stdout.columns}x${stdout.rows}`);
    draw();
  });
  stdout.write(MARK_PASTES);
  say(`Rehearsal of ${conversation.id}: ${conversation.transcript.turns} turns so far.`);
  say('Type and press Enter. Esc interrupts or clears, /exit leaves.');
  draw();
  return new Promise<never>(() => undefined);
}
