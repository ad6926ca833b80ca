import { join } from 'node:path';

/** Where the egress proxy keeps what it knows of a session, below its own directory. */
export const sessionPath = (root: string, sessionId: string): string => join(root, sessionId);
/** A socket for each loopback port that the session has, named by its number; shown to the session. */
export const portsPath = (session: string): string => join(session, 'ports');
export const rulesPath = (session: string): string => join(session, 'rules.json');
export const refusedPath = (session: string): string => join(session, 'refused');
/** What the session runs to have its ports, by the language that it is in. */
export const bridgePath = (session: string, language: 'pl' | 'mjs'): string =>
  join(portsPath(session), `bridge.${language}`);
