import { z } from 'zod';
import { network } from './network.ts';

/** How much power a session holds, from the most to the least. */
export const GRADES = ['open', 'fenced', 'sealed'] as const;
export const grade = z.enum(GRADES);
export type Grade = z.infer<typeof grade>;

/** The grade that a session has, and why it is this one, as a sentence. */
export const gradeReport = z.object({
  grade,
  reason: z.string(),
  /** What it reaches; absent from older runners, and from grades without a network of their own: everything. */
  network: network.optional(),
  /** An open one has a guard in its environment, which asks before it pushes. Absent: it has none. */
  guard: z.literal(true).optional(),
});
export type GradeReport = z.infer<typeof gradeReport>;

/** What is to be said of the guard of a session that began; null where it needs none. */
export function sayGuard({ grade: given, guard }: GradeReport): string | null {
  if (given !== 'open') return null;
  return guard
    ? 'A guard in its environment judges what git pushes and what gh and glab do, before it is done; it can be gone around.'
    : 'No guard judges what it pushes before it is done.';
}

/** Whether a machine can seal sessions, as it found out by trying. */
export const sealSupport = z.object({
  available: z.boolean(),
  /** What is in the way, as a sentence; null when nothing is. */
  problem: z.string().nullable(),
  /** The one thing to do about it; null when there is nothing. */
  remedy: z.string().nullable(),
  /** Why a sealed session cannot have a network of its own, as sentences; null: it can. Absent: an older runner. */
  networkProblem: z.string().nullable().optional(),
});
export type SealSupport = z.infer<typeof sealSupport>;

/** Whether a grade holds at least as little power as another. */
export const isAtLeast = (given: Grade, least: Grade): boolean =>
  GRADES.indexOf(given) >= GRADES.indexOf(least);

/** What a launch says of its grade: null asks for none. */
export type GradeWish = {
  grade: Grade | null;
  checkout: 'own' | 'inPlace';
  /** A Pilot gives its instructions without anybody's yes: in place, it is open only where that is chosen. */
  unattended?: boolean;
};

export type GradeFacts = {
  seal: SealSupport;
  /** What the engine needs of a home is known, so that one of its own is enough for it. */
  homeKnown: boolean;
  /** The least that the machine's own limits demand. */
  minimum: Grade;
  /** What they say for a launch that asks for none; null is the strictest that works. */
  usual: Grade | null;
};

export type GradeDecision =
  | { ok: true; report: GradeReport }
  | {
      ok: false;
      code: 'grade_unavailable' | 'grade_not_allowed' | 'open_not_accepted';
      detail: string;
    };

/**
 * Decides how much power a session is given: what the launch asks for, else the least that works
 * here. Nothing is quietly given more power than was asked for. Pure: the machine decides by it,
 * and whoever is about to launch is shown the same before.
 */
export function decideGrade(
  { grade: asked, checkout, unattended = false }: GradeWish,
  facts: GradeFacts,
): GradeDecision {
  if (asked !== null) {
    const obstacle = obstacleTo(asked, checkout, facts.seal);
    if (obstacle !== null) return { ok: false, code: 'grade_unavailable', detail: obstacle };
  }
  const report =
    asked === null
      ? usualGrade(checkout, facts)
      : { grade: asked, reason: 'It was chosen at launch.' };
  if (!isAtLeast(report.grade, facts.minimum)) {
    const detail = `at least ${facts.minimum}, and this one would be ${report.grade}: ${report.reason}`;
    return { ok: false, code: 'grade_not_allowed', detail };
  }
  // What limits.toml makes open was chosen there; a place to work in says nothing of power.
  if (unattended && asked === null && checkout === 'inPlace')
    return { ok: false, code: 'open_not_accepted', detail: report.reason };
  return { ok: true, report };
}

/** Why a session cannot have a grade, and what would change that, as sentences; null when it can. */
export function obstacleTo(
  grade: Grade,
  checkout: GradeWish['checkout'],
  seal: SealSupport,
): string | null {
  if (grade === 'open') return null;
  if (checkout === 'inPlace')
    return 'It works in the directory itself, not in a checkout of its own.';
  if (grade === 'fenced' || seal.available) return null;
  return [seal.problem, seal.remedy].filter((part) => part !== null).join(' Remedy: ');
}

function usualGrade(checkout: GradeWish['checkout'], facts: GradeFacts): GradeReport {
  const { seal, minimum, usual } = facts;
  if (checkout === 'inPlace') return { grade: 'open', reason: 'It works in the directory itself.' };
  const wanted = usual !== null && isAtLeast(usual, minimum) ? usual : null;
  if (wanted !== null && (wanted !== 'sealed' || seal.available))
    return { grade: wanted, reason: 'default_grade in limits.toml says so.' };
  const obstacle = obstacleTo('sealed', checkout, seal);
  if (obstacle !== null) return { grade: 'fenced', reason: `It cannot be sealed. ${obstacle}` };
  if (facts.homeKnown || minimum === 'sealed')
    return {
      grade: 'sealed',
      reason: 'This machine can seal sessions, and no other grade was asked for.',
    };
  return {
    grade: 'fenced',
    reason: 'What this engine needs of a home is not known, so it is sealed only when asked for.',
  };
}
