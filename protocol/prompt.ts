import { z } from 'zod';

/** Most characters of an engine's last words that are shown. */
export const EXCERPT_MAX_CHARS = 600;

/** How long a prompt that was offered waits for its answer, in ms. */
export const PROMPT_ANSWER_MS = 10 * 60_000;

/** Stands for the tool in a request that is a prompt on the engine's standard input. */
export const STDIN_TOOL = 'Standard input';

/** Most prompts of one engine that may be answered, and answers to one of them. */
export const ALLOWED_PROMPTS_MAX = 20;

const SECRET =
  /pass[\s_-]*(word|phrase|code|wd)|\bpin\b|\bsecret|\btokens?\b|\bcredential|\b(api|access|private|secret|licen[cs]e|ssh|gpg|encryption)[\s_-]*keys?\b|\b(otp|totp|2fa|mfa|cvv)\b|\b(one[\s-]time|verification|auth\w*|security|recovery|device|login|log-?in|sign-?in)[\s\w]{0,20}\bcode\b|\bcode\b[\s\w]{0,20}\b(from|sent|shown|received)\b|\b(enter|paste|type|input)\b.{0,30}\bcode\b|\blog[\s-]?in\b|\bsign[\s-]?in\b/i;

/** Whether a prompt asks for what must never be typed through here: when in doubt, it does. */
export function asksForSecret(text: string): boolean {
  return SECRET.test(text);
}

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), 'must be one line without control characters');

/** A prompt that a person may answer from afar: its exact text, and the answers that it takes. */
export const allowedPrompt = z.strictObject({
  text: oneLine(300).refine(
    (text) => !asksForSecret(text),
    'must not ask for a password, a key, a code or another secret: those are never typed from here',
  ),
  answers: z
    .array(oneLine(100))
    .min(1, 'must name at least one answer')
    .max(ALLOWED_PROMPTS_MAX, `must name at most ${ALLOWED_PROMPTS_MAX} answers`),
});
export type AllowedPrompt = z.infer<typeof allowedPrompt>;
