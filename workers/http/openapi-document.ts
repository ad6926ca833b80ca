import { PROTOCOL_VERSION } from '../../protocol/version.ts';
import type { App } from './context.ts';

export type ApiDocument = ReturnType<App['getOpenAPI31Document']>;

/** The API as OpenAPI 3.1, from the same schemas that parse its requests. */
export function describeApi(app: App, version: string): ApiDocument {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Pilothouse',
      version,
      description: `Coding agents on your own machines. Protocol version ${PROTOCOL_VERSION}. Times are Unix milliseconds, money is integer millionths of a US dollar.`,
    },
  });
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: {
        sessionCookie: { type: 'apiKey', in: 'cookie', name: 'pilothouse_session' },
        cliToken: { type: 'http', scheme: 'bearer', description: 'A token of the command line' },
        hostToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of the embedding host process',
        },
        runnerToken: { type: 'http', scheme: 'bearer', description: 'The token of one machine' },
        decisionKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key that posts reports of decisions of one repository',
        },
      },
    },
  };
}
