import { type Command, Option } from 'commander';
import {
  DEFAULT_POLICY,
  findHeldBack,
  FORCE_RULES,
  mergePolicies,
  POLICY_MODES,
  type PolicyMode,
  type PolicyPart,
  type PolicyScope,
  policyScope,
  saidPolicyPart,
  TAG_RULES,
} from '../../../protocol/merge-policy.ts';
import type { ToolRule } from '../../../protocol/policy-defaults.ts';
import { previewPolicy } from '../../../protocol/policy-words.ts';
import { EXIT, Failure } from '../../failure.ts';
import { parseReason } from '../options.ts';
import { print } from '../output.ts';
import { readLayer } from './layer-file.ts';
import { compareWords, readOverrides, sayPreview } from './preview.ts';
import { connectToPlace, nameScope, type PlaceOptions, withPlace } from './place.ts';

type SetOptions = PlaceOptions & {
  mode?: PolicyMode;
  protectBranch?: string[];
  protectPath?: string[];
  force?: (typeof FORCE_RULES)[number];
  tags?: (typeof TAG_RULES)[number];
  denyFile?: string[];
  denyCommand?: string[];
  askCommand?: string[];
  widen?: string;
  clear?: true;
  file?: string;
  preview?: true;
};

const ABOUT = `
What is named replaces what this scope said of it; the rest stays. A scope may only tighten what
holds already, the default for all launches included, unless --widen says why. Sessions that run keep the policy that they
were launched with; their retry takes what is stricter by then.

With --file the whole of what this scope says is replaced; the policy form of the console shows it so.

Modes:
  none   no pull request, no push to protected branches
  pr     may open pull requests (the default)
  ask    each push to a protected branch is left to a person
  merge  may push to protected branches, where limits.toml of the machine says so too

Examples:
  pilothouse policy set --protect-branch "release/*" --preview
  pilothouse policy set --protect-branch "release/*"
  pilothouse policy set --directory ~/code/shop --mode none
  pilothouse policy set --directory ~/code/toy --mode merge --widen "nothing to lose there"`;

/** `pilothouse policy set`: saves the next version of one scope. */
export function addSetPolicy(policy: Command): void {
  withPlace(policy.command('set'))
    .description('save what launches may do, as the next version')
    .addOption(new Option('--mode <mode>', 'what becomes of merges').choices(POLICY_MODES))
    .option('--protect-branch <globs...>', 'branches protected beside the default one')
    .option('--protect-path <globs...>', 'paths protected beside the usual ones')
    .addOption(new Option('--force <rule>', 'rewriting what was pushed').choices(FORCE_RULES))
    .addOption(new Option('--tags <rule>', 'pushing tags').choices(TAG_RULES))
    .option('--deny-file <globs...>', 'files that no tool reads or changes, beside the usual ones')
    .option('--deny-command <globs...>', 'command lines that no tool runs')
    .option('--ask-command <globs...>', 'command lines that are always asked about')
    .option('--widen <reason>', 'let it say more than the wider scope, and why', parseReason)
    .option('--file <file>', 'all that it says, as JSON with part and widens; - is standard input')
    .option('--clear', 'say nothing any more; stands alone')
    .option('--preview', 'say what would be in force and what would change, and save nothing')
    .addHelpText('after', ABOUT)
    .action(runSet);
}

async function runSet(options: SetOptions): Promise<void> {
  const said = partOf(options);
  const saysSomething = Object.keys(said).length > 0;
  if (options.clear && (saysSomething || options.widen !== undefined))
    throw new Failure(
      EXIT.usage,
      'usage',
      '--clear takes back all that this scope says, so it stands alone. Clear first, then set.',
    );
  if (options.file !== undefined && (saysSomething || options.clear || options.widen !== undefined))
    throw new Failure(
      EXIT.usage,
      'usage',
      '--file says all of it, so it stands alone. Change the file, or name what to change.',
    );
  if (!saysSomething && !options.clear && options.widen === undefined && options.file === undefined)
    throw new Failure(
      EXIT.usage,
      'usage',
      'Name what to change, such as --mode none. `pilothouse policy set --help` lists all of it.',
    );
  const { api, place, isHere } = await connectToPlace(options);
  const [newest] = (await api.listPolicyVersions(place)).items;
  const whole = options.file === undefined ? null : readLayer(options.file);
  const part = whole?.part ?? (options.clear ? said : { ...newest?.part, ...said });
  const scope = policyScope.parse(place ? { kind: 'repository', ...place } : { kind: 'account' });
  const widens = whole
    ? whole.widens
    : (options.widen ?? (options.clear ? null : (newest?.widens ?? null)));
  const basedOn = newest?.version ?? 0;
  if (options.preview) return showPreview(options, { api, place, isHere }, { scope, part, widens });
  const saved = await api.savePolicy({ scope, part, widens, basedOn });
  const { words, layers } = await api.readPolicy(place);
  const wider = layers.filter((layer) => nameScope(layer.scope) !== nameScope(scope));
  const heldBack = findHeldBack(mergePolicies(wider), saved);
  print(options.json, { ...saved, words, heldBack }, () =>
    [
      `Saved version ${saved.version} of the policy of ${nameScope(scope)}.`,
      '',
      ...words,
      ...heldBack.map(sayHeldBack),
    ].join('\n'),
  );
}

type Layer = { scope: PolicyScope; part: PolicyPart; widens: string | null };

/** What a version would come to, beside what is in force now. */
async function showPreview(
  { json }: SetOptions,
  { api, place, isHere }: Awaited<ReturnType<typeof connectToPlace>>,
  { scope, ...layer }: Layer,
): Promise<void> {
  const now = await api.readPolicy(place);
  const wider = now.layers.filter((each) => nameScope(each.scope) !== nameScope(scope));
  const { policy, words, heldBack } = previewPolicy(mergePolicies(wider), layer);
  const limits = isHere ? readOverrides(policy, place, process.env) : null;
  const preview = { words, ...compareWords(now.words, words), limits };
  print(json, { saved: false, scope, ...layer, policy, ...preview, heldBack }, () =>
    [sayPreview(nameScope(scope), preview), ...heldBack.map(sayHeldBack)].join('\n'),
  );
}

const sayHeldBack = (what: string): string =>
  `\n${what}: without a reason this only tightens what holds already. Say why it may do more: --widen "…"`;

/** What the options say. Throws for a glob that is none. */
function partOf(options: SetOptions): PolicyPart {
  const { mode, protectBranch, protectPath, force, tags } = options;
  const rules = [
    ...rulesOf('deny', 'file', options.denyFile),
    ...rulesOf('deny', 'command', options.denyCommand),
    ...rulesOf('ask', 'command', options.askCommand),
  ];
  const given = {
    mode,
    protectedBranches: protectBranch,
    protectedPaths: protectPath && [...DEFAULT_POLICY.protectedPaths, ...protectPath],
    force,
    tags,
    tools: rules.length > 0 ? [...DEFAULT_POLICY.tools, ...rules] : undefined,
  };
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parsed = saidPolicyPart.safeParse(said);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    EXIT.usage,
    'usage',
    `This is no policy: ${issue?.path.join(' ')}: ${issue?.message}.`,
  );
}

const rulesOf = (
  effect: ToolRule['effect'],
  on: ToolRule['on'],
  patterns: readonly string[] = [],
): ToolRule[] => patterns.map((pattern) => ({ effect, on, pattern }));
