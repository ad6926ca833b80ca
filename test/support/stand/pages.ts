import type { MockWorld } from '../../../console/mock/world.ts';
import { PANE } from './terminals.ts';

/** A page as it is looked at: its name in file names, its address, and what says that it is there. */
export type StandPage = {
  name: string;
  path: string;
  heading: string;
  /** The part of it that is looked at; its beginning without one. */
  region?: string;
};

/** Every page of the console, on a world that holds the sessions that they show. */
export function listPages(world: MockWorld): StandPage[] {
  const ids = [...world.records.keys()];
  const [first = '', second = ''] = ids;
  const runner = world.runners[0]?.runnerId ?? '';
  const instance = world.operators.chats.requests[0]?.instanceId ?? '';
  const page = (name: string, path: string, heading: string) => ({ name, path, heading });
  return [
    page('home', '/', 'Home'),
    page('sessions', '/sessions', 'Sessions'),
    page('session', `/sessions/${first}`, 'Fix the tide average'),
    page('breach', `/sessions/${second}`, 'Move the charts'),
    page('launch', '/launch', 'Launch a session'),
    page('compare', `/compare?sessions=${first},${second}`, 'Compare runs'),
    page('spend', '/spend', 'Spend'),
    { ...page('spend-sessions', '/spend?by=session', 'Spend'), region: 'Spend by group' },
    page('acts', '/acts', 'Acts'),
    page('breaches', '/acts?show=breaches', 'Acts'),
    page('approvals', '/acts?show=approvals', 'Acts'),
    page('access', '/acts?show=access', 'Acts'),
    page('report', '/acts/report', 'Report of acts'),
    page('operators', '/operators', 'Operators'),
    page('instance', `/operators/${instance}`, 'test watcher'),
    page('machines', '/machines', 'Machines'),
    page(
      'terminal',
      `/machines/terminal?${new URLSearchParams({ runner, target: PANE })}`,
      'tmux build %3',
    ),
    page('engines', '/machines/engines', 'Engines'),
    page('decisions', '/decisions', 'Decisions'),
    page('decision-report', '/decisions/of/octo/harbour', 'octo/harbour'),
    page('digest', '/digest', 'Digest'),
    page('settings', '/settings', 'Settings'),
  ];
}
