import { PilothouseError } from '../../protocol/errors.ts';
import { MACHINE_HEADER, VIEWER_HEADER, type ViewerIdentity } from '../lib/calls.ts';
import { type AppContext, isUpgrade } from './context.ts';

/**
 * The request for a socket as a durable object takes it: whose it is stands in a header that only
 * this Worker writes. Throws `bad_request` for anything but an upgrade, `forbidden` without a
 * credential that could be withdrawn.
 */
export function viewerRequest(context: AppContext): { request: Request; credential: string } {
  if (!isUpgrade(context))
    throw new PilothouseError('bad_request', { detail: 'this address is a WebSocket' });
  const { actorId, kind, tokenHash, expiresAt } = context.get('principal');
  if (!tokenHash) throw new PilothouseError('forbidden');
  const channel = kind === 'person' ? 'console' : 'cli';
  const viewer: ViewerIdentity = { credential: tokenHash, actorId, channel, expiresAt };
  const request = new Request(context.req.raw);
  request.headers.delete(MACHINE_HEADER);
  request.headers.set(VIEWER_HEADER, JSON.stringify(viewer));
  return { request, credential: tokenHash };
}

/**
 * The request for a machine's end of a terminal as a durable object takes it. Throws `bad_request`
 * for anything but an upgrade.
 */
export function machineRequest(context: AppContext): Request {
  if (!isUpgrade(context))
    throw new PilothouseError('bad_request', { detail: 'this address is a WebSocket' });
  const request = new Request(context.req.raw);
  request.headers.delete(VIEWER_HEADER);
  request.headers.set(MACHINE_HEADER, '1');
  return request;
}
