import type { Command, CommandParams } from '../../../protocol/command.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import type { Evidence, PilotAsk } from '../../../protocol/pilot.ts';
import { type PilotView, pilotView } from '../../../protocol/pilot-view.ts';
import { ask } from './http.ts';
import { type Installation, type Launched, launchOn, readyEvents, turnEnded } from './sessions.ts';
import { until } from './socket.ts';

const STEP = { title: 'Tests', check: 'npm test' };

/** A launch with a Pilot whose checks are `steps`. */
export function launchPilot(
  installation: Installation,
  over: {
    mode?: 'pilot' | 'co_pilot';
    steps?: object[];
    bounds?: object;
    beginsAnew?: boolean;
  } = {},
): Promise<Launched> {
  const { mode = 'pilot', steps = [STEP], bounds = {}, beginsAnew = false } = over;
  const brain = { kind: 'checklist', steps };
  return launchOn(installation, { pilot: { mode, brain, bounds, beginsAnew } });
}

export async function readPilot(cli: string, sessionId: SessionId): Promise<PilotView> {
  return pilotView.parse(
    (await ask('GET', `/v1/sessions/${sessionId}/pilot`, { bearer: cli })).body,
  );
}

export function askPilot(cli: string, sessionId: SessionId, body: PilotAsk) {
  return ask('POST', `/v1/sessions/${sessionId}/pilot`, { bearer: cli, body });
}

/** Waits until the Pilot stands so. */
export async function untilPilot(
  cli: string,
  sessionId: SessionId,
  status: PilotView['status'],
): Promise<PilotView> {
  await until(
    async () => (await readPilot(cli, sessionId)).status === status,
    `a Pilot that is ${status}`,
  );
  return readPilot(cli, sessionId);
}

/** The runner's side of a session with a Pilot: counts its events, answers its commands. */
export class PilotedRunner {
  readonly launched: Launched;
  #seq = 1;

  constructor(launched: Launched) {
    this.launched = launched;
  }

  async send(events: Parameters<Launched['peer']['stored']>[2]): Promise<void> {
    const { peer, sessionId } = this.launched;
    await peer.stored(sessionId, this.#seq, events);
    this.#seq += events.length;
  }

  /** Takes the start, and works the first turn to its end. */
  async firstTurn(): Promise<void> {
    const { start, turnId, peer } = this.launched;
    peer.result(start.id);
    await this.send([...readyEvents(turnId), turnEnded(turnId)]);
  }

  /** The first turn to its end, for a test that said something before. */
  async firstTurnEnds(turnId: Launched['turnId']): Promise<void> {
    await this.send([...readyEvents(turnId), turnEnded(turnId)]);
  }

  /** The next instruction, which is begun and ended; `came` is told of it before its end. */
  async nextTurn(
    came: (turnId: Launched['turnId']) => EngineEvent[] = () => [],
  ): Promise<CommandParams<'session/instruct'>> {
    const command = await this.next('session/instruct');
    this.launched.peer.result(command.id);
    const { turnId } = command.params;
    await this.send([
      { type: 'turn/delivered', turnId, delivery: 'confirmed', reason: null },
      { type: 'turn/started', turnId, origin: 'instruction' },
      ...came(turnId),
      turnEnded(turnId),
    ]);
    return command.params;
  }

  /** The next check, which comes to this; `meanwhile` is done while it runs. */
  async nextCheck(
    over: Partial<Evidence> = {},
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<CommandParams<'check/run'>> {
    const command = await this.next('check/run');
    await meanwhile();
    const { title, command: line } = command.params;
    const passed = over.passed ?? false;
    const value = {
      title,
      command: line,
      passed,
      exitCode: passed ? 0 : 1,
      durationMs: 5,
      tail: '',
    };
    this.launched.peer.result(command.id, { ok: true, value: { ...value, ...over } });
    return command.params;
  }

  async next<M extends Command['method']>(method: M): Promise<Extract<Command, { method: M }>> {
    const { command } = await this.launched.peer.next('command');
    if (command.method !== method) throw new Error(`expected ${method}, got ${command.method}`);
    return command as Extract<Command, { method: M }>;
  }
}
