import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FeedEntry } from '../../protocol/engine-event.ts';
import type { Grade } from '../../protocol/grade.ts';
import { entriesPage } from '../../protocol/http.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { World } from '../e2e/world.ts';
import type { Way } from '../runner/witness/corpus.ts';
import { FarEnd } from '../support/far-end.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Reply, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import type { EngineRecord } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';
import { type Fate, fatesOf, movedBetween, STAGE, STAGE_TEXT } from './merge-fates.ts';

/** A machine with one engine that runs every command that it is told to. */
type Arena = World & { launch(objective: string, ...options: string[]): Promise<string> };

/** One instruction, and the commands that its turn runs. */
type Turn = {
  instruction: string;
  commands: readonly { command: string; subagent: string | null }[];
};

export type Family = {
  name: string;
  start(turns: readonly Turn[]): Promise<Arena>;
  /** What a turn is told: its instruction, or all its commands. */
  tell(turn: Turn): string;
  options: readonly string[];
  /** Its stream tells of each command. */
  tells: boolean;
  /** Commands that it refuses by itself, whoever allows them. Absent: none is known. */
  refusesItself?: RegExp;
  /** Its model can have a subagent work for it. */
  delegates: boolean;
};

const modelled = (name: string, key: string, options: readonly string[]): Family => ({
  name,
  options,
  tells: true,
  delegates: (RECORDS[key] as EngineRecord).delegates !== undefined,
  tell: ({ instruction }) => instruction,
  async start(turns) {
    const record = RECORDS[key] as EngineRecord;
    const { delegates, runs, reports = says } = record;
    const script: Script = {
      // Before the instructions that lead to them.
      ...Object.fromEntries(
        turns
          .flatMap(({ commands }) => commands)
          .flatMap(({ command, subagent }) =>
            subagent === null ? [] : [[subagent, [runs(command), reports('It was tried.')]]],
          ),
      ),
      ...Object.fromEntries(
        turns.map(({ instruction, commands }) => [
          instruction,
          [
            ...commands.flatMap(({ command, subagent }): Reply[] =>
              subagent !== null && delegates ? delegates(subagent) : [runs(command)],
            ),
            says('All were tried.'),
          ],
        ]),
      ),
    };
    const world =
      key === 'claude'
        ? // It refuses to go unasked as root, unless the machine is a sandbox as a whole.
          await ClaudeWorld.start(script, CANARY_KEY, undefined, { IS_SANDBOX: '1' })
        : await record.start(script);
    world.writeLimits('bypass = true');
    return world;
  },
});

/** Any command of a person's own: a shell that gets the ways on its standard input. */
class ShellWorld extends World {
  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('shell', objective, ...options);
  }
}

const custom: Family = {
  name: 'custom',
  options: [],
  tells: false,
  delegates: false,
  tell: ({ commands }) => commands.map(({ command }) => command).join('\n'),
  async start() {
    const world = new ShellWorld((home) => ({ HOME: home }));
    await world.up();
    await world.cli('engines', 'add', 'shell', '--label', 'A shell', '--', 'bash');
    const { sha256 } = await world.json(
      z.object({ sha256: z.string() }),
      'engines',
      'show',
      'shell',
    );
    await world.cli('engines', 'approve', 'shell', '--hash', sha256);
    return world;
  },
};

/** One engine of each family, in a mode in which its model has a shell. */
export const FAMILIES: readonly Family[] = [
  modelled('Claude Code', 'claude', ['--approvals', 'bypass']),
  modelled('Codex', 'codex', ['--approvals', 'bypass']),
  modelled('Codex, app-server', 'codex-app-server', ['--approvals', 'ask']),
  {
    ...modelled('Gemini CLI', 'gemini', ['--approvals', 'bypass']),
    // It takes a substitution for an injection (seen on 0.61.0).
    refusesItself: /\$\(|`|[<>]\(/,
  },
  modelled('Gemini CLI, ACP', 'gemini-acp', ['--approvals', 'ask']),
  modelled('OpenCode, ACP', 'opencode', ['--approvals', 'bypass']),
  modelled('Qwen Code', 'qwen', ['--approvals', 'bypass']),
  custom,
];

const commandOf = (index: number, script: string): string =>
  `(. ./${STAGE} ${index};\n${script}\n)`;

/** Prepares the repository: what every way begins with, and the refs that some need. */
function setStage(world: World, tools: string, numbers: readonly number[]): void {
  const places = `export REMOTE='${world.remote}' REPOSITORY='${world.repository}' TOOLS='${tools}'`;
  // Some engines begin with the path of a login; the runner’s own command lines stay before ours.
  const first = `PATH="$(dirname "$(command -v gh || echo '${tools}/gh')"):${tools}:$PATH"`;
  writeFileSync(join(world.repository, STAGE), `${places}\n${first}\n${STAGE_TEXT}`);
  world.git('add', '.');
  world.git('commit', '-qm', 'Set the stage');
  world.git('commit', '-qm', 'Again', '--allow-empty');
  world.git('tag', 'v0');
  const there = numbers.flatMap((each) => [`refs/heads/old-${each}`, `refs/tags/v0-${each}`]);
  world.git('push', '-q', 'origin', 'main', 'v0', ...there.map((ref) => `main~1:${ref}`));
}

const refsOf = (directory: string): Map<string, string> =>
  new Map(
    execFileSync('git', ['for-each-ref', '--format=%(refname) %(objectname)'], {
      cwd: directory,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ') as [string, string]),
  );

/** A push of somebody else while the session works. */
function pushAsColleague(world: World, name: string): void {
  const clone = join(world.home, name);
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd });
  mkdirSync(clone);
  git(clone, 'clone', '-q', world.remote, '.');
  const as = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.com'];
  git(clone, ...as, 'commit', '-q', '--allow-empty', '-m', 'Theirs');
  git(clone, 'push', '-q', 'origin', `HEAD:${name}`);
}

async function readAll(world: World, id: string): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (let last = 0; ; last = entries.at(-1)?.position ?? last) {
    const path = `/v1/sessions/${id}/entries?limit=1000&after=${last}`;
    const page = await world.get(entriesPage, path);
    entries.push(...page.entries);
    if (page.entries.length === 0) return entries;
  }
}

const TURN_WITHIN_MS = 1_500_000;

/** Lets whatever is asked happen, until the turn is over. */
async function allowUntilEnd(world: World, id: string): Promise<void> {
  const answered = new Set<string>();
  await until(
    'the turn with every way to end',
    async () => {
      const { view } = await world.detail(id);
      for (const { requestId, kind } of view.pendingApprovals) {
        if (answered.has(requestId) || kind === 'push') continue;
        answered.add(requestId);
        await world.call(`/v1/sessions/${id}/approvals/${requestId}`, { decision: 'allow' });
      }
      return view.turns[0]?.state === 'ended';
    },
    { withinMs: TURN_WITHIN_MS, tell: () => world.tell() },
  );
}

/** Ways to try in one turn of one session of a grade. */
export type Round = { grade: Grade; ways: readonly (Way & { number: number })[] };

/** What a round came to, and the acts of a colleague that its session was blamed for. */
export type Tried = { grade: Grade; fates: Fate[]; blamed: string[] };

/** Tries ways with the real engine, a session for each round, all on one machine and one remote. */
export async function tryFamily(family: Family, rounds: readonly Round[]): Promise<Tried[]> {
  const far = await FarEnd.start();
  const turns = rounds.map(({ ways }, index) => ({
    // No one’s words are the beginning of another’s: the model knows each by what it holds.
    instruction: `try every way of round ${index}.`,
    commands: ways.map(({ number, script, subagent }) => ({
      command: commandOf(number, far.addressed(script)),
      subagent: subagent ? `please work on way ${number} of all.` : null,
    })),
  }));
  const world = await family.start(turns);
  far.logIn(world.home);
  try {
    setStage(
      world,
      far.tools,
      rounds.flatMap(({ ways }) => ways.map(({ number }) => number)),
    );
    await world.cli('policy', 'set', '--protect-branch', 'kept-*');
    const tried: Tried[] = [];
    for (const [index, { grade, ways }] of rounds.entries()) {
      const [there, here] = [refsOf(world.remote), refsOf(world.repository)];
      const told = family.tell(turns[index] as Turn);
      const id = await world.launch(told, ...family.options, '--grade', grade);
      // One way is over before anybody has seen it work.
      await until(
        'the turn to begin',
        async () => (await world.detail(id)).view.turns[0]?.startedAt !== null,
        { withinMs: 60_000, tell: () => world.tell() },
      );
      const colleague = `colleague-of-${index}s`;
      pushAsColleague(world, colleague);
      await allowUntilEnd(world, id);
      await until(
        'the comparison of refs',
        async () => (await readAll(world, id)).some(({ event }) => event.type === 'turn/witnessed'),
        { withinMs: 60_000 },
      );
      const entries = await readAll(world, id);
      const fateOf = fatesOf(entries, {
        there: movedBetween(there, refsOf(world.remote)),
        here: movedBetween(here, refsOf(world.repository)),
        far: (thing) => far.doneTo(thing),
      });
      tried.push({
        grade,
        fates: ways.map(({ name, number }) => ({ way: name, ...fateOf(number) })),
        blamed: entries.flatMap(({ event }) =>
          event.type === 'act/witnessed' && event.move?.ref.endsWith(colleague)
            ? [event.actId]
            : [],
        ),
      });
    }
    return tried;
  } finally {
    await world.stop();
    await far.close();
  }
}
