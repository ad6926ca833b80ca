import {
  DEFAULT_POLICY,
  mergePolicies,
  type MergePolicy,
  type PolicyLayer,
  saidPolicyPart,
  type PolicyPart,
} from '../../protocol/merge-policy.ts';
import type { PolicyDetail } from '../../protocol/policy-http.ts';
import type { Place } from '../api/place.ts';

/** What a person chose and typed for one scope; empty is not said here. */
export type PolicyDraft = {
  mode: string;
  force: string;
  tags: string;
  /** A glob a line. */
  branches: string;
  paths: string;
  /** A rule a line: `deny command terraform *`. */
  tools: string;
  /** Why it may say more than the wider scope. */
  reason: string;
};

export function draftOf({ part, widens }: PolicyLayer): PolicyDraft {
  return {
    mode: part.mode ?? '',
    force: part.force ?? '',
    tags: part.tags ?? '',
    branches: (part.protectedBranches ?? []).join('\n'),
    paths: (part.protectedPaths ?? []).join('\n'),
    tools: (part.tools ?? [])
      .map(({ effect, on, pattern }) => `${effect} ${on} ${pattern}`)
      .join('\n'),
    reason: widens ?? '',
  };
}

export type Drafted = { ok: true; layer: PolicyLayer } | { ok: false; problem: string };

/** What the draft says, or the first thing in it that means nothing. */
export function layerOf(draft: PolicyDraft): Drafted {
  const tools = linesOf(draft.tools).map((line) => {
    const [effect, on, ...pattern] = line.split(/\s+/);
    return { effect, on, pattern: pattern.join(' ') };
  });
  const said = {
    mode: draft.mode,
    force: draft.force,
    tags: draft.tags,
    protectedBranches: linesOf(draft.branches),
    protectedPaths: linesOf(draft.paths),
    tools,
  };
  const parsed = saidPolicyPart.safeParse(
    Object.fromEntries(Object.entries(said).filter(([, value]) => value.length > 0)),
  );
  if (parsed.success) {
    const reason = draft.reason.trim();
    return { ok: true, layer: { part: parsed.data, widens: reason === '' ? null : reason } };
  }
  const [issue] = parsed.error.issues;
  return { ok: false, problem: problemOf(issue?.path ?? [], said, issue?.message ?? '') };
}

function problemOf(
  [field, line]: readonly PropertyKey[],
  said: Record<string, unknown>,
  message: string,
): string {
  const lines = said[String(field)];
  const nth = typeof line === 'number' && Array.isArray(lines) ? `, line ${line + 1}` : '';
  return field === 'tools'
    ? `Tools${nth}: write deny, ask or allow, then file, edit, command or tool, then a pattern.`
    : `${NAMES[String(field)] ?? 'The policy'}${nth}: ${message}.`;
}

const NAMES: Record<string, string> = {
  protectedBranches: 'Branches',
  protectedPaths: 'Paths',
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What holds around a scope: all that wider ones say. */
export function widerOf({ layers }: PolicyDetail, place: Place): MergePolicy {
  const wider = layers.filter(({ scope }) =>
    place === null
      ? false
      : scope.kind === 'account' ||
        (scope.kind === 'repository' && scope.directory !== place.directory),
  );
  return mergePolicies(wider, DEFAULT_POLICY);
}

/** What one version says, on one line. */
export function sayPart(part: PolicyPart): string {
  const said = Object.entries(part).map(([key, value]) =>
    Array.isArray(value) ? `${WORDS[key] ?? key} (${value.length})` : `${key} ${String(value)}`,
  );
  return said.length === 0 ? 'Nothing of its own' : said.join(', ');
}

const WORDS: Record<string, string> = {
  protectedBranches: 'protected branches',
  protectedPaths: 'protected paths',
  tools: 'rules of tools',
};
