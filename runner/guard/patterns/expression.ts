import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';

/** Patterns are about ASCII: what a key is made of everywhere. */
export const ASCII = 128;

/** The longest match that a pattern may have, in characters: how much is held back follows from it. */
export const PATTERN_MAX_CHARS = 512;

/** What a pattern matches, as nothing but sets of characters in bounded numbers. */
export type Expression =
  | { kind: 'set'; codes: readonly number[] }
  | { kind: 'sequence'; parts: readonly Expression[] }
  | { kind: 'choice'; parts: readonly Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number };

/** A pattern that cannot be looked for; the message says why and what to write instead. */
export class PatternFault extends Error {}

/**
 * Parses the restricted form of a regular expression: characters, classes, groups, alternatives and
 * repetition with an upper limit, in JavaScript's syntax without flags. Throws {@link PatternFault}
 * for what is no regular expression or needs more than a table of states.
 */
export function parsePattern(source: string): Expression {
  return choiceOf(parsed(source).alternatives);
}

function parsed(source: string): AST.Pattern {
  try {
    return new RegExpParser({ strict: true }).parsePattern(source);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw new PatternFault(`is no regular expression: ${error.message.replace(/^.*\/: /, '')}`);
  }
}

function choiceOf(alternatives: readonly AST.Alternative[]): Expression {
  const parts = alternatives.map(({ elements }): Expression => ({
    kind: 'sequence',
    parts: elements.map(expressionOf),
  }));
  const [only] = parts;
  return only && parts.length === 1 ? only : { kind: 'choice', parts };
}

function expressionOf(element: AST.Element): Expression {
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass':
      return setOf(element);
    case 'Group':
      if (element.modifiers) throw unsupported(element.raw, 'write both letters, such as [Aa]');
      return choiceOf(element.alternatives);
    case 'CapturingGroup':
      return choiceOf(element.alternatives);
    case 'Quantifier': {
      const { min, max, raw } = element;
      if (max > PATTERN_MAX_CHARS)
        throw new PatternFault(
          `has no upper limit of ${PATTERN_MAX_CHARS} or less in ${JSON.stringify(raw)}: say how long it can get, such as {20,200}`,
        );
      return { kind: 'repeat', part: expressionOf(element.element), min, max };
    }
    case 'Assertion':
      throw unsupported(element.raw, 'leave it out, for a match counts wherever it stands');
    case 'Backreference':
    case 'ExpressionCharacterClass':
      throw unsupported(element.raw, 'write out what may stand there');
    default:
      return element satisfies never;
  }
}

function unsupported(raw: string, instead: string): PatternFault {
  return new PatternFault(`cannot hold ${JSON.stringify(raw)}: ${instead}`);
}

function setOf(element: AST.Character | AST.CharacterSet | AST.CharacterClass): Expression {
  const holds = membership(element);
  const codes = Array.from({ length: ASCII }, (_, code) => code).filter(holds);
  if (codes.length === 0)
    throw new PatternFault(
      `matches no ASCII character with ${JSON.stringify(element.raw)}: a word of other letters can stand as a literal`,
    );
  return { kind: 'set', codes };
}

type ClassMember = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange;

function membership(member: ClassMember): (code: number) => boolean {
  switch (member.type) {
    case 'Character':
      return (code) => code === member.value;
    case 'CharacterClassRange':
      return (code) => code >= member.min.value && code <= member.max.value;
    case 'CharacterSet': {
      // By JavaScript's own reading of the set, one character at a time.
      const own = new RegExp(`^${member.raw}$`);
      return (code) => own.test(String.fromCharCode(code));
    }
    case 'CharacterClass': {
      const members = member.elements.map((each) => membership(each as ClassMember));
      return (code) => members.some((holds) => holds(code)) !== member.negate;
    }
    default:
      return member satisfies never;
  }
}
