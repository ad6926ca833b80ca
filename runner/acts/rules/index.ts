import type { Rule } from '../types.ts';
import { DATABASE_RULES } from './database.ts';
import { DEPLOY_RULES } from './deploy.ts';
import { gh, glab, httpClient } from './forge.ts';
import { git } from './git.ts';
import { INFRASTRUCTURE_RULES } from './infrastructure.ts';
import { PERMISSION_RULES } from './permission.ts';
import { PUBLISH_RULES } from './publish.ts';
import { REMOVE_RULES } from './remove.ts';
import { SECRET_RULES } from './secret.ts';
import { verbs } from './verbs.ts';

type Rules = Readonly<Record<string, Rule | undefined>>;

const FORGE_RULES: Rules = {
  git,
  hub: git,
  gh,
  glab,
  tea: glab,
  curl: httpClient,
  wget: httpClient,
  xh: httpClient,
  http: httpClient,
  https: httpClient,
  // Other systems of version control send what they keep, too.
  hg: verbs({ push: 'push' }, ['-R', '--repository', '--config', '--cwd']),
  jj: verbs({ 'git push': 'push' }, ['-R', '--repository', '--config']),
  svn: verbs({ commit: 'push', ci: 'push' }, ['-m', '--message', '-F']),
  fossil: verbs({ push: 'push', sync: 'push' }),
};

/** Every program that has a rule of its own. What is not here is judged by its name alone. */
export const RULES: Rules = joinRules(
  FORGE_RULES,
  DEPLOY_RULES,
  INFRASTRUCTURE_RULES,
  PUBLISH_RULES,
  DATABASE_RULES,
  REMOVE_RULES,
  SECRET_RULES,
  PERMISSION_RULES,
);

/** A program may do things of several kinds: each table says what it knows of it. */
function joinRules(...tables: Rules[]): Rules {
  const joined = new Map<string, Rule[]>();
  for (const table of tables) {
    for (const [name, rule] of Object.entries(table)) {
      if (rule) joined.set(name, [...(joined.get(name) ?? []), rule]);
    }
  }
  return Object.fromEntries([...joined].map(([name, rules]) => [name, both(rules)]));
}

function both(rules: readonly Rule[]): Rule {
  return (args, surroundings) => rules.flatMap((rule) => rule(args, surroundings));
}
