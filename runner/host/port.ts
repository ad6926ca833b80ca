import { createServer, type AddressInfo } from 'node:net';
import { EXIT, Failure, systemCodeOf } from '../failure.ts';

export const DEFAULT_PORT = 7717;
export const LOOPBACK = '127.0.0.1';

/**
 * Proves that a port is free on an address, and answers it; port 0 lets the system choose. The
 * port must be known before the Worker starts, because the Worker refuses other host names.
 */
export async function claimPort(port: number, address: string): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: address, exclusive: true }, () =>
        resolve((server.address() as AddressInfo).port),
      );
    });
  } catch (error) {
    throw listenFailure(port, address, error);
  } finally {
    server.close();
  }
}

/** Why an address could not be listened on, as the sentence that a person gets. */
export function listenFailure(port: number, address: string, error: unknown): Failure {
  const cause = { cause: error };
  switch (systemCodeOf(error)) {
    case 'EADDRINUSE':
      return new Failure(
        EXIT.failed,
        'port_busy',
        `Port ${port} on ${address} is used by another program. Stop that program, or choose another port: npm start -- --port ${port + 1}`,
        cause,
      );
    case 'EACCES':
      return new Failure(
        EXIT.failed,
        'port_forbidden',
        `The system does not let you listen on port ${port}. Choose one above 1023: npm start -- --port ${DEFAULT_PORT}`,
        cause,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(
        EXIT.usage,
        'address_unknown',
        `This machine has no address ${address}. Leave the address out of --host to use the one of the local network.`,
        cause,
      );
    default:
      return new Failure(
        EXIT.failed,
        'port_unusable',
        `Port ${port} on ${address} cannot be used: ${String(error)}`,
        cause,
      );
  }
}
