import { env } from 'cloudflare:workers';
import { type Command, commandSchema } from '../../../protocol/command.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { launched, type SessionDetail, sessionDetail } from '../../../protocol/http.ts';
import { launchId, LOCAL_ACCOUNT, type SessionId, type TurnId } from '../../../protocol/ids.ts';
import type { LaunchSpec } from '../../../protocol/launch.ts';
import type { MachineFacts } from '../../../protocol/machine.ts';
import type { RunnerRelay } from '../../../workers/relay/runner-relay.ts';
import type { SessionFeed } from '../../../workers/relay/session-feed.ts';
import { ask, makeCliToken, registerRunner, type RegisteredRunner, startEmpty } from './http.ts';
import { PeerRunner } from './peers.ts';
import { until } from './socket.ts';

export type Installation = { cli: string; runner: RegisteredRunner; peer: PeerRunner };
export type Launched = Installation & { sessionId: SessionId; turnId: TurnId; start: Command };

/** An installation with one runner that is online. */
export async function startOnline(machine?: MachineFacts): Promise<Installation> {
  await startEmpty();
  const cli = await makeCliToken();
  const runner = await registerRunner();
  return { cli, runner, peer: await PeerRunner.online(runner, [], machine) };
}

/** Launches a session on an installation's runner, which has taken the command and not answered. */
export async function launchOn(
  installation: Installation,
  over: Record<string, unknown> = {},
): Promise<Launched> {
  const body = {
    runnerId: installation.runner.runnerId,
    engineId: 'rehearsal',
    directory: null,
    objective: 'Fix it',
    ...over,
  };
  const answer = await ask('POST', '/v1/sessions', { bearer: installation.cli, body });
  const ids = launched.parse(answer.body);
  const { command } = await installation.peer.next('command');
  return { ...installation, ...ids, start: command };
}

export async function readSession(cli: string, sessionId: SessionId): Promise<SessionDetail> {
  return sessionDetail.parse((await ask('GET', `/v1/sessions/${sessionId}`, { bearer: cli })).body);
}

export const LAUNCH = launchId.parse('lau_1');

/** What a runner reports until its engine is ready and the first instruction has begun. */
export function readyEvents(turnId: TurnId): EngineEvent[] {
  return [
    { type: 'launch/staged', launchId: LAUNCH, stage: 'spawned', process: null },
    { type: 'launch/staged', launchId: LAUNCH, stage: 'bootstrap_submitted', process: null },
    {
      type: 'engine/ready',
      launchId: LAUNCH,
      engineSessionId: 'conversation-1',
      engineVersion: null,
      model: 'rehearsal',
      payer: 'unknown',
      credential: null,
    },
    { type: 'turn/delivered', turnId, delivery: 'confirmed', reason: null },
    { type: 'turn/started', turnId, origin: 'instruction' },
  ];
}

export function text(words: string): EngineEvent {
  const whole = { text: words, truncated: null };
  return {
    type: 'text/completed',
    turnId: null,
    blockId: `block-${words}`,
    parentToolId: null,
    kind: 'answer',
    text: whole,
  };
}

export function turnEnded(turnId: TurnId): EngineEvent {
  return {
    type: 'turn/ended',
    turnId,
    outcome: 'ok',
    error: null,
    durationMs: 5,
    usage: 'none',
    acts: 'none',
  };
}

export function feedStub(sessionId: SessionId) {
  return env.SESSION_FEED.getByName(
    `${LOCAL_ACCOUNT}/${sessionId}`,
  ) as DurableObjectStub<SessionFeed>;
}

export function relayStub(runner: RegisteredRunner) {
  return env.RUNNER_RELAY.getByName(
    `${LOCAL_ACCOUNT}/${runner.runnerId}`,
  ) as DurableObjectStub<RunnerRelay>;
}

/** Waits until D1 shows what a query expects. */
export async function untilRows(query: string, count: number): Promise<void> {
  await until(
    async () => (await env.DB.prepare(query).all()).results.length === count,
    `${count} rows of ${query}`,
  );
}

/** What the machine was asked to launch. */
export function launchSpecOf({ start }: Launched): LaunchSpec {
  const command = commandSchema.parse(start);
  if (command.method !== 'session/start') throw new Error('it is no start');
  return command.params.launch;
}
