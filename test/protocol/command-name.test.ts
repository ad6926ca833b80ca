import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAND, nameCommands } from '../../protocol/command-name.ts';
import { ERRORS } from '../../protocol/errors.ts';

const NPX = 'npx pilothouse';

describe('a text that names commands', () => {
  it('names them as they can be typed here', () => {
    expect(nameCommands('Used. Run `pilothouse link` for a new one.', NPX)).toBe(
      'Used. Run `npx pilothouse link` for a new one.',
    );
    expect(nameCommands('Examples:\n  pilothouse acts\n  pilothouse usage --json', NPX)).toBe(
      'Examples:\n  npx pilothouse acts\n  npx pilothouse usage --json',
    );
    expect(nameCommands('Usage: pilothouse link [options]', NPX)).toBe(
      'Usage: npx pilothouse link [options]',
    );
  });

  it('stays as it is where the command is found by its own name', () => {
    expect(nameCommands('Run `pilothouse link`.', COMMAND)).toBe('Run `pilothouse link`.');
  });

  it('keeps what is no command: branches, paths, the product', () => {
    const text = 'Pilothouse made `pilothouse/fix`, in ~/pilothouse and on `pilothouse`.';
    expect(nameCommands(text, NPX)).toBe(text);
  });

  it('takes the name as it is, whatever characters it has', () => {
    expect(nameCommands('`pilothouse link`', "$& $1 $'")).toBe("`$& $1 $' link`");
  });

  it('says the same when it is named twice', () => {
    const words = fc.constantFrom('`', '\n', '  ', ': ', 'npx ', 'pilothouse ', 'link', '. ');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
        const once = nameCommands(parts.join(''), NPX);
        expect(nameCommands(once, NPX)).toBe(once);
      }),
    );
  });
});

describe('every error', () => {
  it('names its commands where they can be found', () => {
    const naming = Object.values(ERRORS).filter(({ sentence }) => sentence.includes('pilothouse '));
    expect(naming.length).toBeGreaterThan(5);
    for (const { sentence } of naming)
      expect(nameCommands(sentence, 'X')).not.toContain('pilothouse ');
  });
});
