import type { Rule } from '../types.ts';
import { DELETE_RULES } from './delete.ts';
import { DEPLOY_RULES } from './deploy.ts';
import { gh, glab, httpClient } from './forge.ts';
import { git } from './git.ts';
import { PUBLISH_RULES } from './publish.ts';

/** Every program that has a rule of its own. What is not here is judged by its name alone. */
export const RULES: Readonly<Record<string, Rule | undefined>> = {
  ...DEPLOY_RULES,
  ...PUBLISH_RULES,
  ...DELETE_RULES,
  git,
  hub: git,
  gh,
  glab,
  tea: glab,
  curl: httpClient,
  wget: httpClient,
  xh: httpClient,
};
